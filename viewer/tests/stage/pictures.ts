/** Pictures made of formulas, for the tests of the stage. */
import type { ContactPrimitive, Primitive, Value } from '../../src/drawing_types';
import type { Picture } from '../../src/stage/types';

export interface Numbers {
  space?: 'plane' | 'space';
  times: number[];
  /** Coordinates of each sample. */
  q: number[][];
  forces?: number[][]; // one row per sample, of the only contact
  gaps?: number[];
}

export function picture(primitives: Primitive[], { space = 'space', times, q, forces, gaps }: Numbers): Picture {
  return {
    drawing: { version: 1, space, up: [0, 0, 1], primitives },
    times: Float64Array.from(times),
    value: (v: Value, sample: number) => (typeof v === 'number' ? v : q[sample]['q' in v ? v.q : v.c]),
    forces: (_: ContactPrimitive, sample: number) => forces?.[sample] ?? [NaN],
    gap: (_: ContactPrimitive, sample: number) => gaps?.[sample] ?? NaN,
  };
}

export const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

export function ball(at: Value[], radius: number): Primitive {
  return { kind: 'body', name: '', part: 0, at, turn: null, shapes: [{ kind: 'sphere', center: [0, 0, 0], radius }] };
}

export const FLOOR_CONTACT: ContactPrimitive = {
  kind: 'contact',
  name: '',
  law: 0,
  at: [0, 0, 0],
  normal: [0, 0, 1],
  tangents: [
    [1, 0, 0],
    [0, 1, 0],
  ],
  gap: 0,
  rows: [0, 1, 2],
  friction: [0.5, 0.5],
};
