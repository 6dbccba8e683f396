/** Bounds of many balls, without those few that lie so far outside that nothing else could be seen. */
import type { Drawing } from '../drawing_types';
import type { Bounds } from './extent';

/** The size of a scene in which everything is at one point, in metres. */
const SIZE_OF_NOTHING = 1;

/**
 * What is left out: this part of the balls at either end of a coordinate, where they extend it beyond
 * `factor` times the size of the others. The first is for peaks in time, the second for what is always far off.
 */
const LEFT_OUT: readonly { part: number; factor: number }[] = [
  { part: 0.01, factor: 100 },
  { part: 0.25, factor: 1e6 },
];

/** Of the size of the others, added on the sides that are cut. */
const MARGIN = 0.5;

/** Balls from which the sizes are estimated. */
const MOST_RANKED = 20_000;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

interface Span {
  min: number;
  max: number;
}

/** Grows by balls, leaving out what is not finite. In the plane the third coordinate is 0. */
export class BoundsBuilder {
  readonly #dimension: number;
  readonly #lows: number[][] = [[], [], []];
  readonly #highs: number[][] = [[], [], []];

  constructor(space: Drawing['space']) {
    this.#dimension = space === 'plane' ? 2 : 3;
  }

  add(x: number, y: number, z: number, radius = 0): void {
    if (!Number.isFinite(x + y + z + radius)) return;
    const point = [x, y, z];
    for (let i = 0; i < this.#dimension; i++) {
      this.#lows[i].push(point[i] - radius);
      this.#highs[i].push(point[i] + radius);
    }
  }

  /** A square or cube of `SIZE_OF_NOTHING` about the place, or about the origin, where nothing has an extent. */
  bounds(): Bounds {
    const spans = this.#spans();
    const margin = spans.some((span) => span.max > span.min) ? 0 : SIZE_OF_NOTHING / 2;
    const min: Bounds['min'] = [0, 0, 0];
    const max: Bounds['max'] = [0, 0, 0];
    spans.forEach((span, i) => {
      min[i] = span.min - margin;
      max[i] = span.max + margin;
    });
    return { min, max };
  }

  #spans(): Span[] {
    const axes = [...Array(this.#dimension).keys()];
    if (this.#lows[0].length === 0) return axes.map(() => ({ min: 0, max: 0 }));
    const full = axes.map((i) => ({ min: least(this.#lows[i]), max: -least(this.#highs[i].map((value) => -value)) }));
    const lows = axes.map((i) => ranked(this.#lows[i]));
    const highs = axes.map((i) => ranked(this.#highs[i]));
    let spans = full;
    for (const { part, factor } of LEFT_OUT) {
      const rest = axes.map((i) => ({ min: quantile(lows[i], part), max: quantile(highs[i], 1 - part) }));
      const size = Math.max(...rest.map(extent));
      if (!(size > 0)) continue; // at rest most of the time: the motion is what matters
      spans = spans.map((span, i) => (extent(span) > factor * size ? cut(span, rest[i], MARGIN * size) : span));
    }
    return spans;
  }
}

function extent({ min, max }: Span): number {
  return max - min;
}

function cut(span: Span, rest: Span, margin: number): Span {
  return { min: Math.max(span.min, rest.min - margin), max: Math.min(span.max, rest.max + margin) };
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

/** Ascending; of many values some, spread without a period that could fall in step with the parts of a drawing. */
function ranked(values: readonly number[]): Float64Array {
  const count = Math.min(values.length, MOST_RANKED);
  if (count === values.length) return Float64Array.from(values).sort();
  return Float64Array.from({ length: count }, (_, k) => values[Math.floor(((k * GOLDEN) % 1) * values.length)]).sort();
}

function quantile(ascending: Float64Array, part: number): number {
  return ascending[Math.round(part * (ascending.length - 1))];
}
