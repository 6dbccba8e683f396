/** Marks of the impacts on a time plot. */
import { lowerBound } from './ranges';

/** Marks closer than this on average, in CSS pixels, would veil the curves as full lines. */
const DENSE_SPACING = 7;
const TICK_LENGTH = 5;

/** The pixel columns, ascending and each once, that hold at least one impact. */
export function impactColumns(times: ArrayLike<number>, from: number, to: number, columns: number): number[] {
  const marked: number[] = [];
  const perTime = columns / (to - from);
  for (let i = lowerBound(times, from); i < times.length && times[i] <= to; i++) {
    const column = Math.min(columns - 1, Math.floor((times[i] - from) * perTime));
    if (column !== marked[marked.length - 1]) marked.push(column);
  }
  return marked;
}

/** Faint lines over the full height while they are few, short ticks above the frame when they are many. */
export function drawImpacts(
  context: CanvasRenderingContext2D,
  box: { left: number; top: number; width: number; height: number },
  pixelRatio: number,
  times: ArrayLike<number>,
  from: number,
  to: number,
  colour: string,
): void {
  const columns = Math.floor(box.width / pixelRatio);
  const marked = impactColumns(times, from, to, columns);
  const dense = marked.length * DENSE_SPACING > columns;
  const length = dense ? TICK_LENGTH * pixelRatio : box.height;
  const top = dense ? box.top - length - pixelRatio : box.top;
  context.save();
  context.fillStyle = colour;
  for (const column of marked) {
    context.fillRect(Math.round(box.left + column * pixelRatio), top, pixelRatio, length);
  }
  context.restore();
}
