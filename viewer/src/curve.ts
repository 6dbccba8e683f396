/** Draws one series into a time plot, reduced to the pixels it covers. */
import uPlot from 'uplot';
import { decimate, isDrawable } from './decimate';

export function curvePath(plot: uPlot, seriesIndex: number, first: number, last: number): uPlot.Series.Paths {
  const times = plot.data[0] as ArrayLike<number>;
  const values = plot.data[seriesIndex] as ArrayLike<number>;
  const { min, max } = plot.scales.x;
  const kept = decimate(times, values, first, last, min!, max!, Math.round(plot.bbox.width));

  const path = new Path2D();
  let strokeLength = 0;
  let x = 0;
  let y = 0;
  const endStroke = () => {
    // A sample between two gaps has no line to show it; a tiny one makes it a dot.
    if (strokeLength === 1) path.lineTo(x + 0.5, y);
    strokeLength = 0;
  };
  for (const index of kept) {
    if (!isDrawable(values[index])) {
      endStroke();
      continue;
    }
    x = plot.valToPos(times[index], 'x', true);
    y = plot.valToPos(values[index], 'y', true);
    if (strokeLength === 0) path.moveTo(x, y);
    else path.lineTo(x, y);
    strokeLength++;
  }
  endStroke();
  return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 0 } as unknown as uPlot.Series.Paths;
}

/** A line from zero to each value; of those in one column of pixels the longest. */
export function stemPath(plot: uPlot, seriesIndex: number, first: number, last: number): uPlot.Series.Paths {
  const times = plot.data[0] as ArrayLike<number>;
  const values = plot.data[seriesIndex] as ArrayLike<number>;
  const path = new Path2D();
  const zero = plot.valToPos(0, 'y', true);
  let column = NaN;
  let top = zero;
  const draw = () => {
    if (Number.isNaN(column)) return;
    path.moveTo(column, zero);
    path.lineTo(column, top);
  };
  for (let i = first; i <= last; i++) {
    if (!isDrawable(values[i])) continue;
    const x = Math.round(plot.valToPos(times[i], 'x', true));
    const y = plot.valToPos(values[i], 'y', true);
    if (x !== column) {
      draw();
      column = x;
      top = y;
    } else if (Math.abs(y - zero) > Math.abs(top - zero)) {
      top = y;
    }
  }
  draw();
  return { stroke: path, fill: null, clip: null, band: null, gaps: null, flags: 0 } as unknown as uPlot.Series.Paths;
}

/** More samples per CSS pixel than this hide each other when joined by lines. */
const CLOUD_DENSITY = 2;
const DOT_SIZE = 1.5;

/**
 * Residuals jump by decades from step to step: many of them joined by lines fill the plot and hide
 * how they are distributed. Logarithmic plots show dense samples as a cloud of dots.
 */
export function isCloud(plot: uPlot): boolean {
  const [first, last] = plot.series[0].idxs!;
  return last - first > CLOUD_DENSITY * plot.over.clientWidth;
}

/** One dot per occupied cell, however many samples fall into it. */
export function drawCloud(plot: uPlot, seriesIndex: number, colour: string): void {
  const times = plot.data[0] as ArrayLike<number>;
  const values = plot.data[seriesIndex] as ArrayLike<number>;
  const [first, last] = plot.series[0].idxs!;
  const { ctx: context, bbox } = plot;
  const size = Math.max(1, Math.round(DOT_SIZE * devicePixelRatio));
  const columns = Math.floor(bbox.width / size) + 1;
  const rows = Math.floor(bbox.height / size) + 1;
  const occupied = new Uint8Array(columns * rows);

  context.save();
  context.fillStyle = colour;
  for (let i = first; i <= last; i++) {
    if (!isDrawable(values[i])) continue;
    const column = Math.floor((plot.valToPos(times[i], 'x', true) - bbox.left) / size);
    const row = Math.floor((plot.valToPos(values[i], 'y', true) - bbox.top) / size);
    const cell = row * columns + column;
    if (occupied[cell] === 1) continue;
    occupied[cell] = 1;
    context.fillRect(bbox.left + column * size, bbox.top + row * size, size, size);
  }
  context.restore();
}
