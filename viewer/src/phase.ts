/** A panel of phase plots: one plot per pair, over the visible span of time. */
import uPlot from 'uplot';
import { drawNotes, linearAxis, RIGHT_PADDING, type AxisNote } from './axes';
import type { PhasePair, PhasePanel } from './data';
import { isDrawable } from './decimate';
import { element } from './dom';
import { padded, samplesWithin, visibleRange } from './ranges';
import { seriesColour, theme, themeChanged } from './theme';
import { PEN_UP, thinTrajectory } from './thin';
import type { TimeView } from './view';
import { whileInSight } from './visible';

const HIGHEST = 400;
/** Samples are marked by dots when there are at most this many in view. */
const MOST_DOTS = 40;
/** Canvases stroke many short paths faster than one very long path. */
const SEGMENTS_PER_STROKE = 2000;

export class PhasePanelView {
  readonly #plots: PhasePlot[];

  constructor(host: HTMLElement, panel: PhasePanel, view: TimeView) {
    const grid = element('div', { class: 'phase-grid' });
    host.append(grid);
    this.#plots = panel.pairs.map((pair) => {
      const cell = element('div', { class: 'phase-cell' });
      const plotHost = element('div', { class: 'plot', role: 'img', 'aria-label': `Phase plot of ${pair.yLabel} over ${pair.xLabel}` });
      cell.append(element('h3', {}, pair.label), plotHost);
      grid.append(cell);
      return new PhasePlot(plotHost, pair, view);
    });
    new ResizeObserver(() => this.fit()).observe(grid);
  }

  fit(): void {
    for (const plot of this.#plots) plot.fit();
  }

  destroy(): void {
    for (const plot of this.#plots) plot.destroy();
  }
}

class PhasePlot {
  readonly #host: HTMLElement;
  readonly #pair: PhasePair;
  readonly #view: TimeView;
  readonly #plot: uPlot;
  readonly #dot = element('div', { class: 'phase-dot' });
  readonly #verticalNote: AxisNote = { text: '' };
  readonly #horizontalNote: AxisNote = { text: '' };
  readonly #endTheme: () => void;

  constructor(host: HTMLElement, pair: PhasePair, view: TimeView) {
    this.#host = host;
    this.#pair = pair;
    this.#view = view;
    // uPlot supplies scales and axes. The trajectory is no function of x and is drawn by ourselves,
    // hence the data of a single dummy point.
    this.#plot = new uPlot(
      {
        ...this.#size(),
        padding: [16, RIGHT_PADDING, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          x: { time: false, range: () => this.#rangeOf(pair.x.values) },
          y: { range: () => this.#rangeOf(pair.y.values) },
        },
        axes: [linearAxis('bottom', this.#horizontalNote, 5, pair.xLabel), linearAxis('left', this.#verticalNote, 5, pair.yLabel)],
        series: [{}, { show: false }],
        hooks: {
          draw: [
            (plot) => {
              this.#drawTrajectory(plot);
              drawNotes(plot, this.#verticalNote, this.#horizontalNote);
              this.#placeDot(plot);
            },
          ],
        },
      },
      [[0], [0]],
      host,
    );
    this.#plot.over.append(this.#dot);
    view.rangeChanged.listen(() => this.#rescale());
    view.cursorChanged.listen(whileInSight(host, () => this.#placeDot(this.#plot)));
    this.#endTheme = themeChanged.listen(() => this.#plot.redraw(false));
  }

  fit(): void {
    const size = this.#size();
    if (size.width > 1 && size.width !== this.#plot.width) this.#plot.setSize(size);
  }

  destroy(): void {
    this.#endTheme();
    this.#plot.destroy();
  }

  #size(): { width: number; height: number } {
    const width = Math.max(1, this.#host.clientWidth);
    return { width, height: Math.min(width, HIGHEST) };
  }

  #samples(): [first: number, last: number] {
    return samplesWithin(this.#pair.times.values, this.#view.range.min, this.#view.range.max);
  }

  #rangeOf(values: Float64Array): uPlot.Range.MinMax {
    const { min: from, max: to } = this.#view.range;
    const { min, max } = padded(visibleRange(this.#pair.times.values, values, from, to));
    return [min, max];
  }

  #rescale(): void {
    const [xMin, xMax] = this.#rangeOf(this.#pair.x.values);
    const [yMin, yMax] = this.#rangeOf(this.#pair.y.values);
    this.#plot.batch(() => {
      this.#plot.setScale('x', { min: xMin!, max: xMax! });
      this.#plot.setScale('y', { min: yMin!, max: yMax! });
      // Equal ranges do not mean equal trajectories.
      this.#plot.redraw(false);
    });
  }

  #drawTrajectory(plot: uPlot): void {
    const { ctx: context, bbox } = plot;
    const xs = this.#pair.x.values;
    const ys = this.#pair.y.values;
    const toX = (x: number) => (isDrawable(x) ? plot.valToPos(x, 'x', true) : NaN);
    const toY = (y: number) => (isDrawable(y) ? plot.valToPos(y, 'y', true) : NaN);
    const [first, last] = this.#samples();
    const width = Math.ceil(bbox.width);
    const height = Math.ceil(bbox.height);
    const kept = thinTrajectory(xs, ys, first, last, (x) => toX(x) - bbox.left, (y) => toY(y) - bbox.top, width, height);

    context.save();
    context.beginPath();
    context.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    context.clip();
    context.strokeStyle = seriesColour(0);
    context.lineWidth = 1.2 * devicePixelRatio;
    context.lineJoin = 'round';
    context.lineCap = 'round';
    context.beginPath();
    let penDown = false;
    let segments = 0;
    for (const index of kept) {
      if (index === PEN_UP) {
        penDown = false;
        continue;
      }
      const x = toX(xs[index]);
      const y = toY(ys[index]);
      if (penDown) {
        context.lineTo(x, y);
      } else {
        context.moveTo(x, y);
      }
      penDown = true;
      if (++segments % SEGMENTS_PER_STROKE === 0) {
        context.stroke();
        context.beginPath();
        context.moveTo(x, y);
      }
    }
    context.stroke();
    if (last - first < MOST_DOTS) this.#drawDots(context, toX, toY, first, last);
    context.restore();
  }

  #drawDots(context: CanvasRenderingContext2D, toX: (x: number) => number, toY: (y: number) => number, first: number, last: number): void {
    context.fillStyle = seriesColour(0);
    for (let i = first; i <= last; i++) {
      const x = toX(this.#pair.x.values[i]);
      const y = toY(this.#pair.y.values[i]);
      if (Number.isNaN(x) || Number.isNaN(y)) continue;
      context.beginPath();
      context.arc(x, y, 2 * devicePixelRatio, 0, 2 * Math.PI);
      context.fill();
    }
  }

  #placeDot(plot: uPlot): void {
    const { cursor, range } = this.#view;
    const index = this.#view.sampleAt(this.#pair.times.values);
    const x = index < 0 ? NaN : this.#pair.x.values[index];
    const y = index < 0 ? NaN : this.#pair.y.values[index];
    const visible = isDrawable(x) && isDrawable(y) && cursor! >= range.min && cursor! <= range.max;
    this.#dot.hidden = !visible;
    if (visible) {
      this.#dot.style.borderColor = theme().surface;
      this.#dot.style.left = `${plot.valToPos(x, 'x')}px`;
      this.#dot.style.top = `${plot.valToPos(y, 'y')}px`;
    }
  }
}
