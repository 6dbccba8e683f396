/** What a camera can follow: a moving part, or the middle of them all. */
import { trackedPoints, castOf, surveySamples, type Tracked } from './cast';
import type { Bounds } from './extent';
import { Moment } from './moment';
import type { Picture } from './types';

/** The middle of all that moves. */
export const ALL = 'all';
/** A number of `Targets.names`. */
export type Target = number | typeof ALL;

/** A motion that is so many times wider than what moves is travelled along with. */
const TRAVELS = 20;
/** Room around what travels, of its size. */
const ROOM = 1.4;
/** Points looked at to learn how far a motion goes. */
const BUDGET = 40_000;

export class Targets {
  readonly names: readonly string[];
  readonly #moment: Moment;
  readonly #tracked: readonly Tracked[];
  readonly #place = new Float64Array(3);

  constructor(moment: Moment) {
    this.#moment = moment;
    this.#tracked = trackedPoints(castOf(moment.picture.drawing));
    const known = namesOf(moment.picture);
    this.names = this.#tracked.map(({ point }, i) => known.get(JSON.stringify(point)) || `part ${i + 1}`);
  }

  /** Writes where a target is at the moment; false where it is nowhere. */
  place(target: Target, out: Float64Array): boolean {
    if (target !== ALL) {
      this.#moment.point(this.#tracked[target].point, out);
    } else {
      out.fill(0);
      if (this.#tracked.length === 0) return false;
      for (const { point } of this.#tracked) {
        this.#moment.point(point, this.#place);
        for (let i = 0; i < 3; i++) out[i] += this.#place[i] / this.#tracked.length;
      }
    }
    return Number.isFinite(out[0] + out[1] + out[2]);
  }

  /** The target nearest to a place on the screen, no farther than `reach` CSS pixels; null if there is none. */
  nearest(x: number, y: number, reach: number, project: (point: Float64Array) => { x: number; y: number } | null): number | null {
    let best: number | null = null;
    let least = reach;
    this.#tracked.forEach(({ point }, i) => {
      this.#moment.point(point, this.#place);
      const screen = project(this.#place);
      const distance = screen === null ? Infinity : Math.hypot(screen.x - x, screen.y - y);
      if (!(distance <= least)) return;
      least = distance;
      best = i;
    });
    return best;
  }
}

function namesOf(picture: Picture): Map<string, string> {
  const { body, circle, line } = castOf(picture.drawing);
  const names = new Map<string, string>();
  for (const { at, name } of body) names.set(JSON.stringify(at), name);
  for (const { center, name } of circle) names.set(JSON.stringify(center), name);
  for (const { points, name } of line) names.set(JSON.stringify(points[points.length - 1]), name);
  return names;
}

/**
 * Where a motion travels, what it needs to be seen: bounds about the middle of the parts, the origin, that hold them at all times. Null for
 * a motion that stays in its place.
 */
export function travellingBounds(picture: Picture, whole: Bounds): Bounds | null {
  const moment = new Moment(picture);
  const tracked = trackedPoints(castOf(picture.drawing));
  if (tracked.length === 0) return null;
  const targets = new Targets(moment);
  const [middle, place] = [new Float64Array(3), new Float64Array(3)];
  const reach = [0, 0, 0];
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const sample of surveySamples(picture.times.length, tracked.length, BUDGET)) {
    moment.set(sample, 0);
    if (!targets.place(ALL, middle)) continue;
    for (const { point } of tracked) {
      moment.point(point, place);
      for (let i = 0; i < 3; i++) if (Number.isFinite(place[i])) reach[i] = Math.max(reach[i], Math.abs(place[i] - middle[i]));
    }
    for (let i = 0; i < 3; i++) {
      low[i] = Math.min(low[i], middle[i]);
      high[i] = Math.max(high[i], middle[i]);
    }
  }
  // What the whole motion needs beyond the paths of the points is what the shapes reach out.
  const path = Math.hypot(...high.map((value, i) => value - low[i]));
  const shapes = Math.max(0, ...whole.max.map((value, i) => Math.max(value - high[i] - reach[i], low[i] - reach[i] - whole.min[i])));
  const size = 2 * (Math.hypot(...reach) + shapes);
  if (!(size > 0) || !(path > TRAVELS * size)) return null;
  const half = [0, 1, 2].map((i) => ROOM * Math.max(reach[i] + shapes, size / 3)) as [number, number, number];
  return { min: half.map((value) => -value) as Bounds['min'], max: half };
}
