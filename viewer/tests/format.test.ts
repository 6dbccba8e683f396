import { describe, expect, it } from 'vitest';
import { decimalsFor, formatFixed, formatForInput, formatValue, powerOfTen, tickLabels } from '../src/format';

describe('formatValue', () => {
  it.each([
    [0, '0'],
    [1, '1'],
    [-2.5, '−2.5'],
    [0.08101, '0.08101'],
    [123456, '123456'],
    [1234567, '1.23457e6'],
    [1e-5, '1e−5'],
    [-3.14159265e-12, '−3.14159e−12'],
    [NaN, '–'],
    [-Infinity, '−∞'],
  ])('writes %s as %s', (value, text) => {
    expect(formatValue(value)).toBe(text);
  });
});

describe('powerOfTen', () => {
  it('uses superscripts', () => {
    expect(powerOfTen(-17)).toBe('10⁻¹⁷');
    expect(powerOfTen(3)).toBe('10³');
  });
});

describe('formatForInput', () => {
  it('keeps the digits that matter at this zoom', () => {
    expect(formatForInput(0.1234567891, 1e-3)).toBe('0.1235');
    expect(formatForInput(0.1234567891, 1e-8)).toBe('0.123456789');
    expect(formatForInput(0.5, 1e-3)).toBe('0.5');
  });
});

describe('tickLabels', () => {
  it('gives all ticks the same decimals', () => {
    expect(tickLabels([-0.5, 0, 0.5])).toEqual({ labels: ['−0.5', '0.0', '0.5'], note: '' });
    expect(tickLabels([0, 0.25, 0.5]).labels).toEqual(['0.00', '0.25', '0.50']);
    expect(tickLabels([0, 200, 400]).labels).toEqual(['0', '200', '400']);
  });
  it('takes out a power of ten that is a multiple of three', () => {
    expect(tickLabels([0, 2e-5, 4e-5])).toEqual({ labels: ['0', '20', '40'], note: '×10⁻⁶' });
    expect(tickLabels([0, 1e6, 2e6])).toEqual({ labels: ['0', '1', '2'], note: '×10⁶' });
  });
  it('takes out an offset when the digits would not fit', () => {
    const { labels, note } = tickLabels([0.0810101, 0.0810102, 0.0810103]);
    expect(labels).toEqual(['100', '200', '300']);
    expect(note).toBe('×10⁻⁹ + 0.08101');
  });
  it('writes no negative zero', () => {
    expect(tickLabels([-1, -1e-17, 1]).labels).toEqual(['−1', '0', '1']);
  });
  it('distinguishes neighbouring ticks at every magnitude', () => {
    for (let exponent = -12; exponent <= 12; exponent++) {
      for (const step of [1, 2, 2.5, 5]) {
        const ticks = Array.from({ length: 5 }, (_, i) => (7 + i) * step * 10 ** exponent);
        expect(new Set(tickLabels(ticks).labels).size).toBe(5);
        for (const label of tickLabels(ticks).labels) expect(label.length).toBeLessThanOrEqual(7);
      }
    }
  });
  it('has labels for a single tick and for none', () => {
    expect(tickLabels([0])).toEqual({ labels: ['0'], note: '' });
    expect(tickLabels([])).toEqual({ labels: [], note: '' });
  });
});

describe('formatFixed', () => {
  it('keeps its length while a number runs', () => {
    const decimals = decimalsFor(0.0005);
    expect([0.1, 0.1005, 0.25, -1e-9].map((time) => formatFixed(time, decimals))).toEqual(['0.1000', '0.1005', '0.2500', '0.0000']);
  });
  it('has decimals for the spacing of the numbers', () => {
    expect([0.5, 0.01, 0.02, 3, 1000, 0].map(decimalsFor)).toEqual([1, 2, 2, 0, 0, 6]);
  });
});
