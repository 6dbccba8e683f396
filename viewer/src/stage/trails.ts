/** The paths of points over a run, thinned once, so that a prefix of them can be drawn at any sample. */
import type { Point } from '../drawing_types';
import { Moment } from './moment';
import type { Picture } from './types';

export interface Trail {
  readonly part: number;
  readonly point: Point;
  readonly samples: Uint32Array; // ascending
  readonly points: Float64Array; // three numbers each
}

/** Points kept of all paths together, and values read to find them. */
const KEPT = 8_000;
const READ = 1_000_000;

/** A path keeps at least so many points where there are many paths. */
const KEPT_LEAST = 40;

/** Of the size of the scene: shorter steps are left out. */
const SHORTEST_STEP = 1 / 2000;

/**
 * Keeps a point when it is a step away from the one kept before. When there are too many, every
 * second one goes and the step doubles: one pass over the samples gives a bounded number of points.
 */
export class PathThinner {
  readonly samples: number[] = [];
  readonly points: number[] = [];
  #limit: number;
  #step: number;

  constructor(limit: number, step: number) {
    this.#limit = limit;
    this.#step = step;
  }

  add(sample: number, x: number, y: number, z: number): void {
    if (!Number.isFinite(x + y + z)) return;
    const { points, samples } = this;
    const last = points.length - 3;
    if (last >= 0 && Math.hypot(x - points[last], y - points[last + 1], z - points[last + 2]) < this.#step) return;
    samples.push(sample);
    points.push(x, y, z);
    if (samples.length > this.#limit) this.#halve();
  }

  #halve(): void {
    const { points, samples } = this;
    let kept = 0;
    for (let i = 0; i < samples.length; i += 2, kept++) {
      samples[kept] = samples[i];
      for (let k = 0; k < 3; k++) points[3 * kept + k] = points[3 * i + k];
    }
    samples.length = kept;
    points.length = 3 * kept;
    this.#step *= 2;
  }
}

export function makeTrails(picture: Picture, tracked: readonly { point: Point; part: number }[], size: number): Trail[] {
  const count = picture.times.length;
  const limit = Math.max(KEPT_LEAST, Math.floor(KEPT / Math.max(1, tracked.length)));
  const stride = Math.max(1, Math.ceil((count * tracked.length * 3) / READ));
  const moment = new Moment(picture);
  const place = new Float64Array(3);
  return tracked.map(({ point, part }) => {
    const thinner = new PathThinner(limit, size * SHORTEST_STEP);
    for (let sample = 0; sample < count; sample += stride) {
      moment.set(sample, 0).point(point, place);
      thinner.add(sample, place[0], place[1], place[2]);
    }
    return { part, point, samples: Uint32Array.from(thinner.samples), points: Float64Array.from(thinner.points) };
  });
}

/** How many of the ascending samples are at most `sample`. */
export function countUpTo(samples: ArrayLike<number>, sample: number): number {
  let low = 0;
  let high = samples.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (samples[middle] <= sample) low = middle + 1;
    else high = middle;
  }
  return low;
}
