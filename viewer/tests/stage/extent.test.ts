import { expect, test } from 'vitest';
import type { Primitive, Shape } from '../../src/drawing_types';
import { motionBounds, sizeOf } from '../../src/stage/extent';
import { ball, IDENTITY, picture } from './pictures';

const AT_REST = { times: [0], q: [[0]] };

function boundsOf(shape: Shape, turn: number) {
  const body: Primitive = { kind: 'body', name: '', part: 0, at: [1, 0, 0], turn: { angle: turn }, shapes: [shape] };
  return motionBounds([picture([body], AT_REST)]);
}

test('a moving ball covers its path and its radius', () => {
  const bounds = motionBounds([picture([ball([{ q: 0 }, 0, 1], 0.5)], { times: [0, 1, 2], q: [[0], [-3], [1]] })]);
  expect(bounds).toEqual({ min: [-3.5, -0.5, 0.5], max: [1.5, 0.5, 1.5] });
});

test('a turned box covers its corners', () => {
  const { min, max } = boundsOf({ kind: 'box', center: [0, 0, 0], size: [2, 2, 4], axes: IDENTITY }, Math.PI / 4);
  [1 - Math.SQRT2, -Math.SQRT2, -2].forEach((value, i) => expect(min[i]).toBeCloseTo(value, 14));
  [1 + Math.SQRT2, Math.SQRT2, 2].forEach((value, i) => expect(max[i]).toBeCloseTo(value, 14));
});

test('a capsule covers the balls at its ends', () => {
  const { min, max } = boundsOf({ kind: 'capsule', from: [0, 0, 0], to: [2, 0, 0], radius: 0.5 }, Math.PI / 2);
  [0.5, -0.5, -0.5].forEach((value, i) => expect(min[i]).toBeCloseTo(value, 14));
  [1.5, 2.5, 0.5].forEach((value, i) => expect(max[i]).toBeCloseTo(value, 14));
});

test('in the plane there is no height', () => {
  const circle: Primitive = { kind: 'circle', name: '', part: 0, center: [1, 2], radius: -0.5, angle: null };
  const bounds = motionBounds([picture([circle, ball([0, 0], 1)], { ...AT_REST, space: 'plane' })]);
  expect(bounds).toEqual({ min: [-1, -1, 0], max: [1.5, 2.5, 0] });
});

test('planes have no end and count for nothing; neither do numbers that are not finite', () => {
  const floor: Primitive = { kind: 'plane', name: '', normal: [0, 0, 1], offset: -100 };
  const bounds = motionBounds([picture([floor, ball([{ q: 0 }, 0, 0], 1)], { times: [0, 1], q: [[NaN], [0]] })]);
  expect(bounds).toEqual({ min: [-1, -1, -1], max: [1, 1, 1] });
});

test('a scene at one point, and an empty one, have a size all the same', () => {
  const joint: Primitive = { kind: 'joint', name: '', at: [3, 4] };
  expect(motionBounds([picture([joint], { ...AT_REST, space: 'plane' })])).toEqual({ min: [2.5, 3.5, 0], max: [3.5, 4.5, 0] });
  expect(sizeOf(motionBounds([picture([], { times: [], q: [] })]))).toBeCloseTo(Math.sqrt(3), 15);
});

test('the last sample of a long run counts, and the pictures count together', () => {
  const count = 100_001;
  const times = Array.from({ length: count }, (_, i) => i);
  const flying = picture([ball([{ q: 0 }, 0, 0], 1)], { times, q: times.map((t) => [t]) });
  const resting = picture([ball([0, -50, 0], 1)], AT_REST);
  expect(motionBounds([flying, resting])).toEqual({ min: [-1, -51, -1], max: [100_001, 1, 1] });
});
