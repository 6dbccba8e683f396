/** Paths in space: all segments of all paths in the order of time, of which the first so many are shown. */
import { Group, type Color } from 'three';
import type { Tracked } from './cast';
import type { Moment } from './moment';
import { Strokes } from './strokes';
import { countUpTo, makeTrails, type Trail } from './trails';

const STYLE = { width: 1.3, opacity: 0.6 };

export class SpatialTrails {
  readonly group = new Group();
  #moment: Moment;
  #trails: Trail[];
  #past: Strokes;
  #samples: Uint32Array; // at which each segment of the past ends
  #present: Strokes; // from the last point kept to where the point is now
  #colour: (part: number) => Color;
  #place = new Float64Array(3);

  constructor(moment: Moment, tracked: readonly Tracked[], size: number, opacity: number, colour: (part: number) => Color) {
    this.#moment = moment;
    this.#colour = colour;
    this.#trails = makeTrails(moment.picture, tracked, size);
    const segments = this.#trails.flatMap((trail) => Array.from({ length: Math.max(0, trail.samples.length - 1) }, (_, i) => ({ trail, i })));
    segments.sort((a, b) => a.trail.samples[a.i + 1] - b.trail.samples[b.i + 1]);
    const style = { ...STYLE, opacity: STYLE.opacity * opacity };
    this.#past = new Strokes(segments.length, style);
    this.#present = new Strokes(this.#trails.length, style);
    this.#past.begin();
    for (const { trail, i } of segments) this.#past.segment(...segmentOf(trail.points, i), colour(trail.part));
    this.#past.end();
    this.#samples = Uint32Array.from(segments, ({ trail, i }) => trail.samples[i + 1]);
    this.group.add(this.#past.object, this.#present.object);
  }

  update(): void {
    const { sample } = this.#moment;
    this.#past.showFirst(countUpTo(this.#samples, sample));
    this.#present.begin();
    for (const { samples, points, point, part } of this.#trails) {
      const last = 3 * (countUpTo(samples, sample) - 1);
      if (last < 0) continue;
      this.#moment.point(point, this.#place);
      this.#present.segment(points[last], points[last + 1], points[last + 2], this.#place[0], this.#place[1], this.#place[2], this.#colour(part));
    }
    this.#present.end();
  }
}

function segmentOf(points: Float64Array, i: number): [number, number, number, number, number, number] {
  return [...points.subarray(3 * i, 3 * i + 6)] as [number, number, number, number, number, number];
}
