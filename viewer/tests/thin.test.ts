import { describe, expect, it } from 'vitest';
import { PEN_UP, thinTrajectory } from '../src/thin';
import { seededRandom } from './helpers';

const SIZE = 100;
const same = (value: number) => value;

function thin(xs: number[], ys: number[]): number[] {
  return thinTrajectory(xs, ys, 0, xs.length - 1, same, same, SIZE, SIZE);
}

/** Pixels touched by the samples of these indices. */
function pixels(xs: number[], ys: number[], kept: number[]): Set<number> {
  return new Set(kept.filter((i) => i !== PEN_UP && !Number.isNaN(xs[i] + ys[i])).map((i) => Math.floor(ys[i]) * SIZE + Math.floor(xs[i])));
}

/** A walk of short steps with a few gaps, which crosses its own path all the time. */
function randomWalk(length: number): [xs: number[], ys: number[]] {
  const random = seededRandom(11);
  const step = (at: number) => Math.min(99, Math.max(0, at + 3 * (random() - 0.5)));
  let x = 50;
  let y = 50;
  const xs: number[] = [];
  const ys: number[] = [];
  for (let i = 0; i < length; i++) {
    x = step(x);
    y = step(y);
    xs.push(random() < 0.01 ? NaN : x);
    ys.push(y);
  }
  return [xs, ys];
}

describe('thinTrajectory', () => {
  const [xs, ys] = randomWalk(30000);
  const kept = thin(xs, ys);
  const pixelOf = (i: number) => Math.floor(ys[i]) * SIZE + Math.floor(xs[i]);

  it('touches every pixel the samples touch', () => {
    expect(pixels(xs, ys, kept)).toEqual(pixels(xs, ys, [...xs.keys()]));
    expect(kept.length).toBeLessThan(xs.length / 2);
  });

  it('draws every step from or to a pixel that is new', () => {
    const drawn = new Set<string>();
    for (let k = 1; k < kept.length; k++) {
      if (kept[k - 1] !== PEN_UP && kept[k] !== PEN_UP) drawn.add(`${pixelOf(kept[k - 1])} ${pixelOf(kept[k])}`);
    }
    const missing: number[] = [];
    const seen = new Set<number>();
    let cameToNew = false; // whether the pixel of the previous sample was new when it was entered
    for (let i = 0; i < xs.length; i++) {
      if (Number.isNaN(xs[i])) continue;
      const continues = i > 0 && !Number.isNaN(xs[i - 1]);
      if (continues && pixelOf(i) === pixelOf(i - 1)) continue;
      const isNew = !seen.has(pixelOf(i));
      if (continues && (isNew || cameToNew) && !drawn.has(`${pixelOf(i - 1)} ${pixelOf(i)}`)) missing.push(i);
      seen.add(pixelOf(i));
      cameToNew = isNew;
    }
    expect(missing).toEqual([]);
  });

  it('draws a periodic orbit about once, however often it is retraced', () => {
    const orbit = (periods: number) => {
      const angles = Array.from({ length: 1000 * periods }, (_, i) => (2 * Math.PI * i) / 1000);
      return thin(angles.map((a) => 50 + 40 * Math.cos(a)), angles.map((a) => 50 + 40 * Math.sin(a)));
    };
    expect(orbit(1).length).toBeGreaterThan(200);
    expect(orbit(500).length).toBeLessThan(2 * orbit(1).length);
  });

  it('always draws long steps', () => {
    const xs = Array.from({ length: 20 }, (_, i) => (i % 2) * 50);
    expect(thin(xs, xs)).toEqual([...xs.keys()]);
  });

  it('lifts the pen at gaps', () => {
    expect(thin([0, 10, NaN, 30, 40], [0, 10, 20, 30, 40])).toEqual([0, 1, PEN_UP, 3, 4]);
    expect(thin([NaN, 10], [0, 10])).toEqual([1]);
  });

  it('keeps a single sample', () => {
    expect(thin([5], [5])).toEqual([0]);
  });
});
