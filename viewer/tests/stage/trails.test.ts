import { expect, test } from 'vitest';
import type { Point, Primitive } from '../../src/drawing_types';
import { castOf, surveySamples, trackedPoints } from '../../src/stage/cast';
import { placeLabel } from '../../src/stage/labels';
import { countUpTo, makeTrails, PathThinner } from '../../src/stage/trails';
import { ball, picture } from './pictures';

test('a path keeps a bounded number of points, in order, from its beginning to near its end', () => {
  const thinner = new PathThinner(100, 1e-6);
  const count = 100_000;
  for (let i = 0; i < count; i++) thinner.add(i, i / count, 0, 0);
  expect(thinner.samples.length).toBeLessThanOrEqual(100);
  expect(thinner.samples.length).toBeGreaterThan(25);
  expect(thinner.samples[0]).toBe(0);
  expect(thinner.samples[thinner.samples.length - 1]).toBeGreaterThan(0.9 * count);
  thinner.samples.forEach((sample, i) => expect(thinner.points[3 * i]).toBeCloseTo(sample / count, 14));
});

test('standing still adds nothing, and a gap in the data is left out', () => {
  const thinner = new PathThinner(100, 0.1);
  for (let i = 0; i < 50; i++) thinner.add(i, 0, 0, 0);
  thinner.add(50, NaN, 0, 0);
  thinner.add(51, 1, 0, 0);
  expect(thinner.samples).toEqual([0, 51]);
});

test('the prefix of a trail at a sample', () => {
  expect([0, 1, 2, 5, 9].map((sample) => countUpTo([1, 2, 5], sample))).toEqual([0, 1, 2, 3, 3]);
});

test('a trail runs through the recorded points', () => {
  const run = picture([ball([{ q: 0 }, { q: 1 }, 0], 1)], { times: [0, 1, 2], q: [[0, 0], [1, 0], [1, 1]] });
  const [trail] = makeTrails(run, trackedPoints(castOf(run.drawing)), 2);
  expect([...trail.samples]).toEqual([0, 1, 2]);
  expect([...trail.points]).toEqual([0, 0, 0, 1, 0, 0, 1, 1, 0]);
});

test('centres have trails, and ends of lines where nothing else is; what stands still has none', () => {
  const end = [{ q: 0 }, { q: 1 }];
  const free = [{ q: 2 }, 0];
  const line = (points: Point[], closed = false): Primitive => ({ kind: 'line', name: '', part: 1, points, closed });
  const primitives: Primitive[] = [
    line([free, end]),
    { kind: 'circle', name: '', part: 2, center: end, radius: 1, angle: null },
    line([end, free]),
    line([end, [{ q: 5 }, 0]], true),
    ball([0, 0], 1),
  ];
  const tracked = trackedPoints(castOf(picture(primitives, { times: [], q: [] }).drawing));
  expect(tracked).toEqual([
    { point: end, part: 2 },
    { point: free, part: 1 },
  ]);
});

test('a survey is bounded and has both ends', () => {
  expect(surveySamples(3)).toEqual([0, 1, 2]);
  expect(surveySamples(0)).toEqual([]);
  const many = surveySamples(1_000_000, 100, 50_000);
  expect(many.length).toBe(500);
  expect([many[0], many[499]]).toEqual([0, 999_999]);
});

test('labels step aside', () => {
  const taken = [{ x: 0, y: 0, width: 50 }];
  const second = placeLabel({ x: 20, y: 3, width: 50 }, taken);
  expect(second.x).toBe(20);
  expect(second.y).toBeGreaterThanOrEqual(14);
  expect(placeLabel({ x: 60, y: 0, width: 10 }, taken).y).toBe(0);
  expect(taken.length).toBe(3);
});
