/**
 * Picks the samples that matter on a screen of finite resolution.
 *
 * Of every pixel column the first, smallest, largest and last sample are kept (the "M4" choice):
 * drawn as a polyline they colour the same pixels as the full curve.
 */

/**
 * Indices, ascending, of the samples to draw out of `first..last` (inclusive).
 *
 * Where NaN or infinity lies between two kept samples, the index of one such sample stands between
 * them, so that two kept samples are joined exactly when the curve has no gap between them.
 * Samples left of `from` or right of `to` count as one more column on either side.
 */
export function decimate(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
  first: number,
  last: number,
  from: number,
  to: number,
  columns: number,
): number[] {
  const kept: number[] = [];
  const perTime = columns / (to - from);
  let gap = -1; // the latest gap since the last kept sample

  for (let i = first; i <= last; ) {
    const column = columnOf(times[i], from, perTime, columns);
    let head = -1;
    let tail = -1;
    let low = -1;
    let high = -1;
    let hasInnerGap = false;
    let columnGap = -1; // the latest gap since `tail`

    for (; i <= last && columnOf(times[i], from, perTime, columns) === column; i++) {
      const value = values[i];
      if (!isDrawable(value)) {
        columnGap = i;
        continue;
      }
      if (head < 0) {
        head = low = high = i;
        if (columnGap >= 0) gap = columnGap;
      } else {
        if (columnGap >= 0) hasInnerGap = true;
        if (value < values[low]) low = i;
        if (value > values[high]) high = i;
      }
      tail = i;
      columnGap = -1;
    }

    if (head >= 0) {
      if (gap >= 0) kept.push(gap);
      kept.push(head);
      pushAfter(kept, Math.min(low, high), values, hasInnerGap);
      pushAfter(kept, Math.max(low, high), values, hasInnerGap);
      pushAfter(kept, tail, values, hasInnerGap);
    }
    gap = columnGap;
  }
  if (gap >= 0) kept.push(gap);
  return kept;
}

/** False for NaN, a gap by intent, and for the infinities of a run that diverged. */
export function isDrawable(value: number): boolean {
  return value - value === 0;
}

function columnOf(time: number, from: number, perTime: number, columns: number): number {
  const column = Math.floor((time - from) * perTime);
  return column < 0 ? -1 : column > columns ? columns : column;
}

/** Appends `index` unless it is already the last one, with a gap before it where one lies between. */
function pushAfter(kept: number[], index: number, values: ArrayLike<number>, mayHaveGap: boolean): void {
  const previous = kept[kept.length - 1];
  if (index === previous) return;
  if (mayHaveGap) {
    for (let i = previous + 1; i < index; i++) {
      if (!isDrawable(values[i])) {
        kept.push(i);
        break;
      }
    }
  }
  kept.push(index);
}
