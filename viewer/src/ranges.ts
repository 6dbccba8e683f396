/** Ranges of values, and searches in sorted times. */

export interface Range {
  min: number;
  max: number;
}

/** Smallest and largest finite value among `first..last` (inclusive), or null when there is none. */
export function finiteRange(values: ArrayLike<number>, first = 0, last = values.length - 1): Range | null {
  let min = Infinity;
  let max = -Infinity;
  for (let i = first; i <= last; i++) {
    const value = values[i];
    if (value < min && value !== -Infinity) min = value;
    if (value > max && value !== Infinity) max = value;
  }
  return min <= max ? { min, max } : null;
}

export function union(a: Range | null, b: Range | null): Range | null {
  if (a === null || b === null) return a ?? b;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

/** Of the largest number of its kind, what is no more than this is no motion. */
export const ROUND_OFF = 1e-9;

/**
 * A little air around the curve; a constant gets a range of its own magnitude. `nothing`: a span that is round-off beside the sizes of the
 * quantity, which are `nothing / ROUND_OFF`; such a curve is drawn flat.
 */
export function padded(range: Range | null, fraction = 0.06, nothing = 0): Range {
  if (range === null) return { min: -1, max: 1 };
  const span = range.max - range.min;
  const magnitude = Math.max(Math.abs(range.min), Math.abs(range.max));
  // Differences in the last few bits are rounding, not a curve to be blown up to full height.
  if (span <= Math.max(nothing, 8 * Number.EPSILON * magnitude)) {
    const half = (magnitude > nothing ? 0.1 * magnitude : nothing / ROUND_OFF) || 1;
    return { min: range.min - half, max: range.max + half };
  }
  return { min: range.min - fraction * span, max: range.max + fraction * span };
}

/** Values that are looked at, at most, to tell the few from the many. */
const LOOKED_AT = 4000;
/** This part of the values at either end may be cut off, if it spans several times what is left. */
const FEW = 0.01;
const SEVERAL = 3;

/** The range of nearly all values, where a few reach far beyond; else that of all. */
export function robustRange(values: ArrayLike<number>, first: number, last: number): Range | null {
  const whole = finiteRange(values, first, last);
  if (whole === null) return null;
  const stride = Math.max(1, Math.floor((last - first) / LOOKED_AT));
  const some: number[] = [];
  for (let i = first; i <= last; i += stride) if (Number.isFinite(values[i])) some.push(values[i]);
  if (some.length < 10) return whole;
  some.sort((a, b) => a - b);
  const least = Math.min(0, some[Math.floor(FEW * (some.length - 1))]);
  const most = Math.max(0, some[Math.ceil((1 - FEW) * (some.length - 1))]);
  const cut = (most - least) * 0.15;
  const inner = { min: Math.max(whole.min, least - cut), max: Math.min(whole.max, most + cut) };
  return inner.max > inner.min && whole.max - whole.min > SEVERAL * (inner.max - inner.min) ? inner : whole;
}

/** The time the plots cover. A single instant is widened, since a plot needs a width. */
export function timeExtent(axes: ArrayLike<number>[]): Range {
  let extent: Range | null = null;
  for (const times of axes) {
    if (times.length > 0) extent = union(extent, { min: times[0], max: times[times.length - 1] });
  }
  if (extent === null) return { min: 0, max: 1 };
  if (extent.min < extent.max) return extent;
  const half = extent.min === 0 ? 1 : 0.5 * Math.abs(extent.min);
  return { min: extent.min - half, max: extent.max + half };
}

/** First index whose time is not less than `time`; the length when there is none. */
export function lowerBound(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index whose time is greater than `time`; the length when there is none. */
export function upperBound(times: ArrayLike<number>, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the time closest to `time`; -1 when there are no times. */
export function nearestIndex(times: ArrayLike<number>, time: number): number {
  const after = lowerBound(times, time);
  if (after === times.length) return times.length - 1;
  if (after === 0) return 0;
  return time - times[after - 1] <= times[after] - time ? after - 1 : after;
}

/**
 * Index of the sample at a cursor: the one closest in time and, where several samples have that time,
 * number `rank` of them, as far as there are so many. -1 when there are no times.
 */
export function indexAt(times: ArrayLike<number>, time: number, rank: number): number {
  const nearest = nearestIndex(times, time);
  if (nearest < 0) return nearest;
  const found = times[nearest];
  let index = lowerBound(times, found);
  for (let k = 0; k < rank && index + 1 < times.length && times[index + 1] === found; k++) index++;
  return index;
}

/** As a rank: the last of the samples of one time, which shows what is after a jump. */
export const LAST_RANK = Infinity;

/** How many samples of the same time come before this one. */
export function rankOf(times: ArrayLike<number>, index: number): number {
  return index - lowerBound(times, times[index]);
}

/** The next other time before or after an index, or the time there at the ends. Both samples of a jump have the same time. */
export function neighbour(times: ArrayLike<number>, index: number, direction: 1 | -1): number {
  let next = index;
  while (next >= 0 && next < times.length && times[next] === times[index]) next += direction;
  return next >= 0 && next < times.length ? times[next] : times[index];
}

/**
 * Range of the values to be seen within a span of time. Between two samples that lie outside it,
 * the line that joins them is what is seen.
 */
export function visibleRange(times: ArrayLike<number>, values: ArrayLike<number>, from: number, to: number): Range | null {
  const [first, last] = samplesWithin(times, from, to);
  const firstInside = times[first] < from ? first + 1 : first;
  const lastInside = times[last] > to ? last - 1 : last;
  return finiteRange(values, firstInside, lastInside) ?? finiteRange(values, first, last);
}

/**
 * Indices of the samples within a span of time and one neighbour on either side, so that the curve
 * runs to the edges of the plot.
 */
export function samplesWithin(times: ArrayLike<number>, from: number, to: number): [first: number, last: number] {
  const first = Math.max(0, lowerBound(times, from) - 1);
  let last = Math.min(times.length - 1, lowerBound(times, to));
  while (last + 1 < times.length && times[last] <= to) last++;
  return [first, last];
}
