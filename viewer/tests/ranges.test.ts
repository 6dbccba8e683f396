import { describe, expect, it } from 'vitest';
import { finiteRange, indexAt, lowerBound, nearestIndex, neighbour, padded, rankOf, samplesWithin, timeExtent, visibleRange } from '../src/ranges';
import { seededRandom } from './helpers';

describe('finiteRange', () => {
  it('passes over NaN and infinity, also in first place', () => {
    expect(finiteRange([NaN, 3, -Infinity, 1, Infinity, 2])).toEqual({ min: 1, max: 3 });
  });
  it('is null without finite values', () => {
    expect(finiteRange([NaN, Infinity])).toBeNull();
    expect(finiteRange([])).toBeNull();
  });
  it('looks at the given indices only', () => {
    expect(finiteRange([9, 1, 2, -9], 1, 2)).toEqual({ min: 1, max: 2 });
  });
});

describe('padded', () => {
  it('leaves air on both sides', () => {
    expect(padded({ min: 0, max: 100 }, 0.05)).toEqual({ min: -5, max: 105 });
  });
  it('gives constants and rounding noise a range of their magnitude', () => {
    expect(padded({ min: 0, max: 0 })).toEqual({ min: -1, max: 1 });
    const { min, max } = padded({ min: 5, max: 5 + 4e-16 });
    expect(max - min).toBeCloseTo(1, 6);
  });
  it('has an answer for no data', () => {
    expect(padded(null)).toEqual({ min: -1, max: 1 });
  });
});

describe('timeExtent', () => {
  it('spans all axes', () => {
    expect(timeExtent([[0, 1], [0.5, 2], []])).toEqual({ min: 0, max: 2 });
  });
  it('widens a single instant', () => {
    expect(timeExtent([[0]])).toEqual({ min: -1, max: 1 });
    expect(timeExtent([[4]])).toEqual({ min: 2, max: 6 });
  });
  it('has an answer for no data', () => {
    expect(timeExtent([[]])).toEqual({ min: 0, max: 1 });
  });
});

describe('searches', () => {
  const random = seededRandom(7);
  const times = Float64Array.from({ length: 200 }, () => Math.floor(random() * 50)).sort();

  it('agree with brute force', () => {
    for (let time = -1; time < 52; time += 0.25) {
      const firstNotLess = times.findIndex((t) => t >= time);
      expect(lowerBound(times, time)).toBe(firstNotLess < 0 ? times.length : firstNotLess);
      const least = Math.min(...times.map((t) => Math.abs(t - time)));
      expect(Math.abs(times[nearestIndex(times, time)] - time)).toBe(least);

      const [first, last] = samplesWithin(times, time, time + 5);
      const inside = [...times.keys()].filter((i) => times[i] >= time && times[i] <= time + 5);
      for (const i of inside) expect(i >= first && i <= last).toBe(true);
      const neighbours = [...Array(last - first + 1).keys()].map((k) => first + k).filter((i) => !inside.includes(i));
      expect(neighbours.length).toBeLessThanOrEqual(2);
    }
  });

  it('find nothing among no times', () => {
    expect(nearestIndex([], 1)).toBe(-1);
  });
});

describe('visibleRange', () => {
  const times = [0, 1, 2, 3];
  const values = [100, 1, 2, -100];
  it('leaves out the neighbours beyond the edges', () => {
    expect(visibleRange(times, values, 0.5, 2.5)).toEqual({ min: 1, max: 2 });
  });
  it('falls back to them between two samples', () => {
    expect(visibleRange(times, values, 1.2, 1.4)).toEqual({ min: 1, max: 2 });
  });
});

describe('neighbour', () => {
  it('passes over the second sample of a jump', () => {
    const times = [0, 1, 1, 2];
    expect(neighbour(times, 1, 1)).toBe(2);
    expect(neighbour(times, 2, -1)).toBe(0);
    expect(neighbour(times, 0, 1)).toBe(1);
  });
  it('stays at the ends', () => {
    expect(neighbour([0, 1, 1], 1, 1)).toBe(1);
    expect(neighbour([0, 1], 0, -1)).toBe(0);
  });
});

describe('samples of one time', () => {
  const times = [0, 1, 1, 1, 2];
  it('are counted', () => {
    expect([0, 1, 2, 3, 4].map((index) => rankOf(times, index))).toEqual([0, 0, 1, 2, 0]);
  });
  it('are found again by time and rank', () => {
    times.forEach((time, index) => expect(indexAt(times, time, rankOf(times, index))).toBe(index));
    expect(indexAt(times, 0.9, 1)).toBe(2);
    expect(indexAt([], 1, 0)).toBe(-1);
  });
});
