/**
 * Thins a trajectory in the plane to what a grid of pixels can show.
 *
 * A long run retraces its orbit many times. A short step between two pixels that were both drawn
 * before adds nothing to the picture and is left out, so the work is bounded by the number of
 * pixels instead of the number of samples.
 */

/** Stands in the list of indices where the pen is lifted. */
export const PEN_UP = -1;

/** A step longer than this, in pixels, is always drawn: its inner pixels may be new. */
const SHORT_STEP = 2;

/**
 * Indices of the samples in `first..last` to join, with `PEN_UP` between separate strokes.
 * `toColumn` and `toRow` map values to pixels; samples outside the grid are kept, to be clipped.
 */
export function thinTrajectory(
  xs: ArrayLike<number>,
  ys: ArrayLike<number>,
  first: number,
  last: number,
  toColumn: (x: number) => number,
  toRow: (y: number) => number,
  width: number,
  height: number,
): number[] {
  const kept: number[] = [];
  const visited = new Uint8Array(width * height);
  let penDown = false;
  let previous = PEN_UP;
  let previousColumn = 0;
  let previousRow = 0;
  let previousWasOld = false;

  for (let i = first; i <= last; i++) {
    const column = Math.floor(toColumn(xs[i]));
    const row = Math.floor(toRow(ys[i]));
    if (Number.isNaN(column) || Number.isNaN(row)) {
      penDown = lift(kept);
      previous = PEN_UP;
      continue;
    }
    const samePixel = previous !== PEN_UP && column === previousColumn && row === previousRow;
    if (samePixel && i < last) continue;

    const inside = column >= 0 && column < width && row >= 0 && row < height;
    const cell = row * width + column;
    const isOld = inside && visited[cell] === 1;
    const isShort = Math.abs(column - previousColumn) <= SHORT_STEP && Math.abs(row - previousRow) <= SHORT_STEP;
    if (previous !== PEN_UP && isShort && isOld && previousWasOld) {
      penDown = lift(kept);
    } else {
      // Take up the pen where the skipped steps ended.
      if (!penDown && previous !== PEN_UP) kept.push(previous);
      kept.push(i);
      penDown = true;
    }
    if (inside) visited[cell] = 1;
    previous = i;
    previousColumn = column;
    previousRow = row;
    previousWasOld = isOld;
  }
  return kept;
}

function lift(kept: number[]): false {
  if (kept.length > 0 && kept[kept.length - 1] !== PEN_UP) kept.push(PEN_UP);
  return false;
}
