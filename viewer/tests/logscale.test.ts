import { describe, expect, it } from 'vitest';
import { decadesAround, decadeTicks, liftToFloor, logFloor } from '../src/logscale';

describe('logFloor', () => {
  it('is the decade of the smallest positive value', () => {
    expect(logFloor([[0, 3e-9, 1e-3], [5e-8]])).toBe(1e-9);
  });
  it('does not follow residuals into the noise', () => {
    expect(logFloor([[1e-300, 1e-11, 0]])).toBe(1e-17);
  });
  it('leaves room below when all values are tiny', () => {
    expect(logFloor([[1e-30, 2e-15]])).toBe(1e-21);
  });
  it('has an answer for zeros only', () => {
    expect(logFloor([[0, 0], []])).toBe(1e-17);
  });
});

describe('liftToFloor', () => {
  it('lifts zero, keeps gaps, leaves the original alone', () => {
    const values = Float64Array.from([0, NaN, 1e-20, 1e-3]);
    expect([...liftToFloor(values, 1e-17)]).toEqual([1e-17, NaN, 1e-17, 1e-3]);
    expect(values[0]).toBe(0);
  });
});

describe('decades', () => {
  it('surround the range', () => {
    expect(decadesAround({ min: 2e-16, max: 3e-12 })).toEqual({ min: 1e-16, max: 1e-11 });
    expect(decadesAround({ min: 1e-16, max: 1e-12 })).toEqual({ min: 1e-16, max: 1e-12 });
  });
  it('are never empty', () => {
    const { min, max } = decadesAround({ min: 1e-17, max: 1e-17 });
    expect(max / min).toBeCloseTo(10);
  });
  it('are thinned when they crowd', () => {
    expect(decadeTicks(1e-17, 1e-11, 10)).toEqual([1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11]);
    expect(decadeTicks(1e-17, 1e-11, 3)).toEqual([1e-17, 1e-15, 1e-13, 1e-11]);
  });
});
