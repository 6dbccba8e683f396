/** Whether the series of a panel share one plot or get a strip each. */
import { union, type Range } from './ranges';

export type Arrangement = 'overlaid' | 'separate';

export const MOST_STRIPS = 8;
const GREATEST_RATIO = 20;

/**
 * Separate strips when, overlaid, some series would fill less than 1/20 of the height and so be
 * hard to read, unless there are too many strips to look at. A constant series reads well anywhere
 * and has no say.
 */
export function chooseArrangement(ranges: readonly (Range | null)[], log: boolean): Arrangement {
  if (log || ranges.length < 2 || ranges.length > MOST_STRIPS) return 'overlaid';
  const varying = ranges.filter((range): range is Range => range !== null && range.max > range.min);
  if (varying.length < 2) return 'overlaid';
  const whole = varying.reduce<Range | null>(union, null)!;
  const smallest = Math.min(...varying.map((range) => range.max - range.min));
  return whole.max - whole.min > GREATEST_RATIO * smallest ? 'separate' : 'overlaid';
}
