import { describe, expect, it } from 'vitest';
import { decimate } from '../src/decimate';
import { seededRandom } from './helpers';

const FROM = 0.25;
const TO = 0.75;
const COLUMNS = 37;

interface RandomRun {
  times: Float64Array;
  values: Float64Array;
}

/** Uneven times, some of them equal; gaps of all lengths; times on both sides of the window. */
function randomRun(seed: number, length: number, gapShare: number): RandomRun {
  const random = seededRandom(seed);
  const times = Float64Array.from({ length }, () => random()).sort();
  for (let i = 1; i < length; i++) if (random() < 0.05) times[i] = times[i - 1];
  let inGap = false;
  const values = Float64Array.from({ length }, () => {
    if (random() < 0.3) inGap = random() < gapShare;
    return inGap ? (random() < 0.9 ? NaN : Infinity) : random() - 0.5;
  });
  return { times, values };
}

function bruteColumn(time: number): number {
  return Math.min(COLUMNS, Math.max(-1, Math.floor(((time - FROM) * COLUMNS) / (TO - FROM))));
}

const runs = [
  ['dense', randomRun(1, 20000, 0)],
  ['dense with gaps', randomRun(2, 20000, 0.3)],
  ['mostly gaps', randomRun(3, 20000, 0.97)],
  ['sparse with gaps', randomRun(4, 60, 0.3)],
  ['two samples', randomRun(5, 2, 0)],
  ['nothing but gaps', { times: Float64Array.from([0.3, 0.4, 0.5]), values: Float64Array.from([NaN, NaN, NaN]) }],
  ['one sample', { times: Float64Array.from([0.5]), values: Float64Array.from([1]) }],
] as [string, RandomRun][];

describe.each(runs)('decimate: %s', (_name, { times, values }) => {
  const last = times.length - 1;
  const kept = decimate(times, values, 0, last, FROM, TO, COLUMNS);
  const finiteKept = kept.filter((i) => Number.isFinite(values[i]));

  it('keeps first, smallest, largest and last value of every column', () => {
    for (let column = -1; column <= COLUMNS; column++) {
      const inColumn = [...times.keys()].filter((i) => bruteColumn(times[i]) === column && Number.isFinite(values[i]));
      const keptInColumn = finiteKept.filter((i) => bruteColumn(times[i]) === column);
      expect(keptInColumn[0]).toBe(inColumn[0]);
      expect(keptInColumn[keptInColumn.length - 1]).toBe(inColumn[inColumn.length - 1]);
      expect(Math.min(...keptInColumn.map((i) => values[i]))).toBe(Math.min(...inColumn.map((i) => values[i])));
      expect(Math.max(...keptInColumn.map((i) => values[i]))).toBe(Math.max(...inColumn.map((i) => values[i])));
    }
  });

  it('keeps the end points', () => {
    const finite = [...values.keys()].filter((i) => Number.isFinite(values[i]));
    expect(finiteKept[0]).toBe(finite[0]);
    expect(finiteKept[finiteKept.length - 1]).toBe(finite[finite.length - 1]);
  });

  it('joins two kept samples exactly when no gap lies between them', () => {
    for (let k = 1; k < finiteKept.length; k++) {
      const [a, b] = [finiteKept[k - 1], finiteKept[k]];
      const hasGap = values.subarray(a, b).some((value) => !Number.isFinite(value));
      const isSplit = kept.indexOf(b) - kept.indexOf(a) > 1;
      expect(isSplit).toBe(hasGap);
    }
  });

  it('is ascending, without repetition, and bounded by the columns', () => {
    for (let k = 1; k < kept.length; k++) expect(kept[k]).toBeGreaterThan(kept[k - 1]);
    expect(finiteKept.length).toBeLessThanOrEqual(4 * (COLUMNS + 2));
    expect(kept.length).toBeLessThanOrEqual(8 * (COLUMNS + 2) + 1);
  });
});

describe('decimate', () => {
  it('returns every sample once they are far enough apart', () => {
    const times = Float64Array.from({ length: 11 }, (_, i) => i);
    const values = times.map((t) => t * t);
    expect(decimate(times, values, 2, 6, 2, 6, 400)).toEqual([2, 3, 4, 5, 6]);
  });

  it('looks at nothing outside the given indices', () => {
    const times = Float64Array.from({ length: 1000 }, (_, i) => i);
    const values = times.map((t) => (t === 0 || t === 999 ? 1e9 : 0));
    const kept = decimate(times, values, 1, 998, 0, 999, 10);
    expect(kept[0]).toBe(1);
    expect(kept[kept.length - 1]).toBe(998);
  });
});
