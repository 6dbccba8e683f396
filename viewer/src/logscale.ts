/** Values on a logarithmic axis, where zero has no place of its own. */
import { finiteRange, union, type Range } from './ranges';

/** Below this, residuals of double precision arithmetic carry no information. */
const LOWEST_FLOOR_EXPONENT = -17;

/** Logarithms of powers of ten come out a few bits beside the whole number. */
const ROUNDING = 1e-9;

/** Decades kept below the largest value when all values are tiny. */
const LEAST_DECADES = 6;

/** The decade at the bottom of the axis, where zeros are drawn. */
export function logFloor(columns: ArrayLike<number>[]): number {
  let positive: Range | null = null;
  for (const values of columns) positive = union(positive, positiveRange(values));
  if (positive === null) return power(LOWEST_FLOOR_EXPONENT);
  const lowest = Math.min(LOWEST_FLOOR_EXPONENT, exponentBelow(positive.max) - LEAST_DECADES);
  return power(Math.max(exponentBelow(positive.min), lowest));
}

/** A copy to draw: what lies below the floor, zero included, is lifted to it. Gaps stay gaps. */
export function liftToFloor(values: Float64Array, floor: number): Float64Array {
  return values.map((value) => (value < floor ? floor : value));
}

/** Whole decades around the range. */
export function decadesAround(range: Range | null): Range {
  if (range === null) return { min: 0.1, max: 10 };
  const low = exponentBelow(range.min);
  const high = Math.ceil(Math.log10(range.max) - ROUNDING);
  return { min: power(low), max: power(Math.max(low + 1, high)) };
}

/** Powers of ten within the range, every second, third … one when they would crowd. */
export function decadeTicks(min: number, max: number, mostTicks: number): number[] {
  const low = Math.ceil(Math.log10(min) - ROUNDING);
  const high = exponentBelow(max);
  const stride = Math.max(1, Math.ceil((high - low) / Math.max(1, mostTicks)));
  const ticks: number[] = [];
  for (let exponent = low; exponent <= high; exponent += stride) ticks.push(power(exponent));
  return ticks;
}

function positiveRange(values: ArrayLike<number>): Range | null {
  let min = Infinity;
  for (let i = 0; i < values.length; i++) {
    if (values[i] > 0 && values[i] < min) min = values[i];
  }
  const max = finiteRange(values)?.max ?? 0;
  return min <= max ? { min, max } : null;
}

function exponentBelow(value: number): number {
  return Math.floor(Math.log10(value) + ROUNDING);
}

/** Correctly rounded, which `10 ** exponent` is not everywhere. */
function power(exponent: number): number {
  return Number(`1e${exponent}`);
}
