import { describe, expect, test } from 'vitest';
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

describe('what is far outside is left out, so that the rest can be seen', () => {
  const count = 1001;
  const times = Array.from({ length: count }, (_, i) => i / (count - 1));
  const swing = times.map((t) => Math.cos(2 * Math.PI * t));

  test.each(['plane', 'space'] as const)('a peak at one sample, in the %s', (space) => {
    const q = swing.map((x, i) => [i === 250 ? 1e300 : x]);
    const { min, max } = motionBounds([picture([ball([{ q: 0 }, 0, 0], 1)], { space, times, q })]);
    expect(min[0]).toBeCloseTo(-2, 10); // the side without a peak is whole
    expect(max[0]).toBeGreaterThan(1.9);
    expect(max[0]).toBeLessThan(2 + 0.5 * 4);
    expect([min[1], max[1]]).toEqual([-1, 1]);
  });

  test('a pole', () => {
    const tip: Primitive = { kind: 'joint', name: '', at: [{ q: 1 }, 0] };
    const q = swing.map((x) => [x, 1 / x]);
    expect(Math.max(...q.map(([, y]) => Math.abs(y)))).toBeGreaterThan(1e10);
    const size = sizeOf(motionBounds([picture([ball([{ q: 0 }, 0], 1), tip], { space: 'plane', times, q })]));
    expect(size).toBeGreaterThan(4);
    expect(size).toBeLessThan(400);
  });

  test('one of several points that is always there, and a circle as large', () => {
    const far: Primitive = { kind: 'joint', name: '', at: [0, 1e300] };
    const sky: Primitive = { kind: 'circle', name: '', part: 0, center: [0, 0], radius: 1e300, angle: null };
    const balls = [0, 1, 2, 3].map((x) => ball([{ q: 0 }, x], 0.5));
    const { min, max } = motionBounds([picture([...balls, far, sky], { space: 'plane', times, q: swing.map((x) => [x]) })]);
    for (const bound of [...min, ...max]) expect(Math.abs(bound)).toBeLessThan(10);
  });

  test('but a flight far away is shown whole, and so is a short motion of what rests else', () => {
    const flight = picture([ball([{ q: 0 }, 0, 0], 1)], { times, q: times.map((t) => [1e6 * t]) });
    expect(motionBounds([flight]).max[0]).toBe(1e6 + 1);
    const kick = picture([ball([{ q: 0 }, 0, 0], 0)], { times, q: times.map((_, i) => [i < 5 ? i : 5]) });
    expect(motionBounds([kick]).max[0]).toBe(5);
  });
});
