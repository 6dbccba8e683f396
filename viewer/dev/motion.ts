/** Motions given by formulas, to look at the stages without a run. */
import type { ContactPrimitive, Drawing, Primitive, Value } from '../src/drawing_types';
import type { Picture } from '../src/stage/types';

export interface Motion {
  space: Drawing['space'];
  primitives: Primitive[];
  duration: number;
  samples?: number;
  /** The columns at a time. */
  columns(t: number): number[];
  /** Forces (normal, tangents) of each contact by its law. */
  forces?(t: number): number[][];
  gaps?(t: number): number[];
}

export function pictureOf(motion: Motion): Picture {
  const count = motion.samples ?? 400;
  const times = Float64Array.from({ length: count }, (_, i) => (motion.duration * i) / (count - 1));
  const rows = Array.from(times, (t) => motion.columns(t));
  const forces = Array.from(times, (t) => motion.forces?.(t) ?? []);
  const gaps = Array.from(times, (t) => motion.gaps?.(t) ?? []);
  return {
    drawing: { version: 1, space: motion.space, up: [0, 0, 1], primitives: motion.primitives },
    times,
    value: (v: Value, sample: number) => (typeof v === 'number' ? v : 'q' in v ? rows[sample][v.q] : rows[sample][v.c]),
    forces: (contact: ContactPrimitive, sample: number) => forces[sample][contact.law] ?? [NaN],
    gap: (contact: ContactPrimitive, sample: number) => gaps[sample][contact.law] ?? NaN,
  };
}

export const q = (k: number): Value => ({ q: k });

export function contact(law: number, fields: Partial<ContactPrimitive>): ContactPrimitive {
  return { kind: 'contact', name: '', law, at: [0, 0], normal: [0, 1], tangents: [], gap: law, rows: [], friction: [], ...fields };
}
