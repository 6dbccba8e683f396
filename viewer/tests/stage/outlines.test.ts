import { expect, test } from 'vitest';
import { acrossOf, clipLine, coil, COIL_POINTS, marksAlong, roundDown, SPRING_TURNS, wedge, zigzag } from '../../src/stage/outlines';

test('a zigzag joins its ends and keeps its width while it stretches', () => {
  for (const length of [1, 3]) {
    const points: number[] = [];
    const count = zigzag(1, 1, 1, 1 + length, 0.2, points);
    expect(count).toBe(2 * SPRING_TURNS + 4);
    expect(points.slice(0, 2)).toEqual([1, 1]);
    expect(points.slice(2 * count - 2)).toEqual([1, 1 + length]);
    const across = points.filter((_, i) => i % 2 === 0);
    expect(Math.max(...across)).toBeCloseTo(1.1, 14);
    expect(Math.min(...across)).toBeCloseTo(0.9, 14);
  }
});

test('a spring of no length is a point, not a fault', () => {
  const points: number[] = [];
  const count = zigzag(1, 1, 1, 1, 0.2, points);
  expect(points.slice(0, 2 * count).every(Number.isFinite)).toBe(true);
});

test('the turns of a coil lie on a cylinder about the line of its ends', () => {
  const points = new Float64Array(3 * COIL_POINTS);
  coil([0, 0, 1], [0, 0, 5], [1, 0, 0], [0, 1, 0], 0.3, points);
  expect([...points.slice(0, 3)]).toEqual([0, 0, 1]);
  expect([...points.slice(-3)]).toEqual([0, 0, 5]);
  for (let i = 1; i < COIL_POINTS - 1; i++) {
    expect(Math.hypot(points[3 * i], points[3 * i + 1])).toBeCloseTo(0.3, 14);
    expect(points[3 * i + 2]).toBeGreaterThan(points[3 * i - 1]);
  }
});

test('two directions across make a right-handed frame', () => {
  for (const d of [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1], [0.36, 0.48, 0.8]]) {
    const side = [0, 0, 0];
    const other = [0, 0, 0];
    acrossOf(d, side, other);
    const determinant =
      d[0] * (side[1] * other[2] - side[2] * other[1]) + d[1] * (side[2] * other[0] - side[0] * other[2]) + d[2] * (side[0] * other[1] - side[1] * other[0]);
    expect(determinant).toBeCloseTo(1, 14); // 1 only for three unit vectors at right angles
    for (const v of [side, other]) expect(Math.hypot(...v)).toBeCloseTo(1, 14);
  }
});

test('a line is cut at the sides of a rectangle', () => {
  expect(clipLine(5, 5, 1, 0, 0, 0, 20, 10)).toEqual([-5, 15]);
  expect(clipLine(5, 5, 0, -1, 0, 0, 20, 10)).toEqual([-5, 5]);
  expect(clipLine(-5, 0, 0.6, 0.8, 0, 0, 20, 40)).toEqual([5 / 0.6, 25 / 0.6]);
  expect(clipLine(5, -1, 1, 0, 0, 0, 20, 10)).toBeNull();
  expect(clipLine(-5, 0, -0.6, 0.8, 0, 0, 20, 4)).toBeNull();
});

test('hatching stays where it is when the view moves', () => {
  expect(marksAlong(-1, 25, 10)).toEqual([-0, 10, 20]);
  expect(marksAlong(3, 25, 10)).toEqual([10, 20]);
});

test('a wedge opens by the friction angle to both sides, whatever its size', () => {
  for (const mu of [0.3, 1, 20]) {
    const [ax, ay, bx, by] = wedge([0, 1], [1, 0], mu, 2);
    expect(Math.atan2(ax, ay)).toBeCloseTo(Math.atan(mu), 14);
    expect(Math.atan2(-bx, by)).toBeCloseTo(Math.atan(mu), 14);
    expect(Math.hypot(ax, ay)).toBeCloseTo(2, 14);
  }
});

test('round numbers are 1, 2 or 5 times a power of ten', () => {
  expect([0.0123, 0.3, 4.9, 5, 99].map(roundDown).map((value) => Number(value.toPrecision(12)))).toEqual([0.01, 0.2, 2, 5, 50]);
});
