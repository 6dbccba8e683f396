/** One plot over time: a whole panel when overlaid, one strip when separate. */
import uPlot from 'uplot';
import { bareAxis, drawNotes, linearAxis, logAxis, RIGHT_PADDING, unlabelledTimeAxis, type AxisNote } from './axes';
import { curvePath, drawCloud, isCloud, stemPath } from './curve';
import { isDrawable } from './decimate';
import { element } from './dom';
import { drawImpacts } from './impacts';
import { decadesAround } from './logscale';
import { nearestIndex, neighbour, padded, union, robustRange, samplesWithin, visibleRange, type Range } from './ranges';
import { formatValue } from './format';
import { unitText } from './units';
import { FONT_FAMILY, LINE_WIDTH, seriesColour, seriesDash, theme, themeChanged } from './theme';
import { LONG_STEP, type Position, type TimeView } from './view';
import { whileInSight } from './visible';

export interface Curve {
  /** What to draw; on a logarithmic axis zeros are already lifted to its floor. */
  values: Float64Array;
  /** Of the values; empty if unknown. */
  unit: string;
  /** Position in the panel. */
  index: number;
  /** Colour and dash, as a number for the theme. */
  style: number;
  /** Of the line, in CSS pixels. */
  width: number;
  shown: boolean;
}

export interface TimePlotOptions {
  host: HTMLElement;
  height: number;
  times: Float64Array;
  curves: Curve[];
  /** What fills the plot behind the impacts; a plot that has it has no scale of values. */
  background?: (plot: uPlot) => void;
  log: boolean;
  /** Of the values. */
  unit?: string;
  /** Spans of values that are no more than round-off. */
  nothing?: number;
  /** Few values far above all others do not squeeze these. */
  robust?: boolean;
  /** Values at instants, drawn as stems from zero. */
  stems?: boolean;
  timeLabelled: boolean;
  description: string;
  view: TimeView;
}

/** Samples are marked by dots once they are this far apart, in CSS pixels. */
const DOT_SPACING = 14;
const STEM_SPACING = 5;
/** Of a plot without a scale of values, which needs no room for labels. */
export const TOP_PADDING = 2;
const SHORTEST_DRAG = 4;
/** Two hexadecimal digits appended to a colour. */
const CLOUD_LINE_ALPHA = '30';

export class TimePlot {
  readonly #options: TimePlotOptions;
  readonly #plot: uPlot;
  readonly #subscriptions: (() => void)[];
  readonly #verticalNote: AxisNote = { text: '' };
  readonly #horizontalNote: AxisNote = { text: '' };
  /** Where the replay stands, while the mouse reads values elsewhere. */
  readonly #positionLine = element('div', { class: 'position-line' });
  readonly #update: () => void;
  /** True while the cursor follows the mouse in this plot, where it must not jump to the sample. */
  #isPublishing = false;
  /** The range of all values that are shown, where the axis may have less. */
  #largest: Range | null = null;
  /** Where the position was before the last click. */
  #positionBefore: Position | null = null;

  constructor(options: TimePlotOptions) {
    this.#options = options;
    const { host, times, curves, view } = options;
    this.#verticalNote.unit = options.unit ?? '';
    host.tabIndex = 0;
    host.setAttribute('role', 'group');
    host.setAttribute('aria-label', options.description);
    host.addEventListener('keydown', this.#onKey);
    this.#plot = new uPlot(this.#plotOptions(), [times, ...curves.map((curve) => curve.values)], host);
    this.#plot.over.append(this.#positionLine);
    this.#goWhereClicked();
    this.#update = whileInSight(host, () => this.#placeCursor());
    this.#placeCursor();
    this.#subscriptions = [
      view.rangeChanged.listen(() => this.#plot.setScale('x', { ...view.range })),
      view.cursorChanged.listen(() => {
        if (!this.#isPublishing) this.#update();
      }),
      view.impactsToggled.listen(() => this.#plot.redraw(false)),
      themeChanged.listen(() => this.#plot.redraw(false)),
    ];
  }

  /** Adapts to the width of the host. */
  fit(): void {
    const width = this.#options.host.clientWidth;
    if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height: this.#options.height });
  }

  /** Shows or hides one curve and ranges the axis anew. */
  setShown(position: number, shown: boolean): void {
    this.#options.curves[position].shown = shown;
    this.#plot.setSeries(position + 1, { show: shown });
  }

  destroy(): void {
    for (const end of this.#subscriptions) end();
    this.#options.host.removeEventListener('keydown', this.#onKey);
    this.#plot.destroy();
  }

  #plotOptions(): uPlot.Options {
    const { host, height, curves, background, log, stems, unit, timeLabelled, view } = this.#options;
    return {
      width: Math.max(1, host.clientWidth),
      height,
      padding: [background ? TOP_PADDING : log && !unit ? 8 : 18, RIGHT_PADDING, timeLabelled ? 0 : 2, 0],
      legend: { show: false },
      cursor: {
        y: false,
        // No dot where the curve has a gap.
        dataIdx: (plot, series, index) => (isDrawable(plot.data[series][index] as number) ? index : null) as number,
        points: { size: 6, width: 1.5, fill: () => theme().surface, stroke: (_plot, i) => seriesColour(curves[i - 1].style) },
        drag: { x: true, y: false, setScale: false, dist: SHORTEST_DRAG },
        bind: {
          mousemove: (plot, _target, handle) => (event) => {
            handle(event);
            this.#publishCursor(plot);
            return null;
          },
          // The cursor goes back to the position. Without one it stays where it was left, so that
          // its values can be read in every panel.
          mouseleave: (_plot, _target, handle) => (event) => {
            if (event.buttons !== 0) handle(event);
            else if (view.position !== null) view.pointAt(null);
            return null;
          },
          // Its first click has moved the position.
          dblclick: () => () => {
            view.returnTo(this.#positionBefore);
            view.reset();
            return null;
          },
        },
      },
      scales: {
        x: { time: false, range: () => [view.range.min, view.range.max] },
        y: { distr: log ? 3 : 1, range: () => this.#verticalRange() },
      },
      axes: [
        timeLabelled ? linearAxis('bottom', this.#horizontalNote, 8, 't [s]') : unlabelledTimeAxis(),
        background ? bareAxis() : log ? logAxis() : linearAxis('left', this.#verticalNote, 5),
      ],
      series: [
        {},
        ...curves.map(
          (curve): uPlot.Series => ({
            // uPlot's own ranging takes NaN for a number; #verticalRange does it instead.
            auto: false,
            show: curve.shown,
            stroke: (plot) => seriesColour(curve.style) + (log && isCloud(plot) ? CLOUD_LINE_ALPHA : ''),
            width: curve.width,
            dash: seriesDash(curve.style).map((length) => (length * curve.width) / LINE_WIDTH),
            cap: seriesDash(curve.style).length === 0 ? 'round' : 'butt', // round caps fill the gaps of thick lines
            pxAlign: 0,
            paths: stems === true ? stemPath : curvePath,
            points: {
              show: (plot, _i, first, last) => (last - first) * (stems === true ? STEM_SPACING : DOT_SPACING) < plot.over.clientWidth,
              size: 4,
              width: 0,
              fill: () => seriesColour(curve.style),
            },
          }),
        ),
      ],
      hooks: {
        setSelect: [(plot) => this.#zoomToSelection(plot)],
        drawClear: [
          (plot) => {
            if (background === undefined) this.#drawImpacts(plot);
          },
        ],
        drawAxes: [
          (plot) => {
            if (background === undefined) return;
            background(plot); // over the grid, whose lines would look like borders of it
            this.#drawImpacts(plot);
          },
        ],
        drawSeries: [
          (plot, i) => {
            if (i > 0 && log && isCloud(plot)) drawCloud(plot, i, seriesColour(curves[i - 1].style));
          },
        ],
        draw: [
          (plot) => {
            drawNotes(plot, this.#verticalNote, this.#horizontalNote);
            if (this.#options.robust === true) this.#drawBeyond(plot);
            this.#placeCursor(plot);
          },
        ],
      },
    };
  }

  #verticalRange(): uPlot.Range.MinMax {
    const { times, curves, log, nothing, robust, stems, view } = this.#options;
    const { min: from, max: to } = view.range;
    const [first, last] = robust === true ? samplesWithin(times, from, to) : [0, 0];
    let range: Range | null = stems === true ? { min: 0, max: 0 } : null;
    this.#largest = null;
    for (const curve of curves) {
      if (!curve.shown) continue;
      const whole = visibleRange(times, curve.values, from, to);
      range = union(range, robust === true ? robustRange(curve.values, first, last) : whole);
      this.#largest = union(this.#largest, whole);
    }
    const { min, max } = log ? decadesAround(range) : padded(range, undefined, nothing);
    return [min, max];
  }

  /** Says what lies beyond a robust axis. */
  #drawBeyond(plot: uPlot): void {
    const { min, max } = plot.scales.y;
    const largest = this.#largest;
    if (largest === null || min == null || max == null) return;
    const beyond = [largest.max > max ? `peaks to ${formatValue(largest.max, 3)}` : '', largest.min < min ? `down to ${formatValue(largest.min, 3)}` : ''].filter((part) => part !== '');
    if (beyond.length === 0) return;
    const { ctx: context, bbox } = plot;
    context.save();
    context.font = `${Math.round(11 * devicePixelRatio)}px ${FONT_FAMILY}`;
    context.fillStyle = theme().text;
    context.textAlign = 'right';
    context.textBaseline = 'bottom';
    context.fillText(`${beyond.join(', ')} ${unitText(this.#options.unit ?? '')}`, bbox.left + bbox.width, bbox.top - 6 * devicePixelRatio);
    context.restore();
  }

  #zoomToSelection(plot: uPlot): void {
    const { left, width } = plot.select;
    if (width < SHORTEST_DRAG) return;
    const from = plot.posToVal(left, 'x');
    const to = plot.posToVal(left + width, 'x');
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.#options.view.zoomTo(from, to);
  }

  #drawImpacts(plot: uPlot): void {
    const { view } = this.#options;
    if (!view.impactsShown) return;
    drawImpacts(plot.ctx, plot.bbox, devicePixelRatio, view.impacts.times, view.range.min, view.range.max, theme().impact);
  }

  #goWhereClicked(): void {
    const { over } = this.#plot;
    let pressedAt = 0;
    over.addEventListener('mousedown', (event) => {
      pressedAt = event.clientX;
    });
    over.addEventListener('click', (event) => {
      const index = this.#plot.cursor.idx;
      const dragged = Math.abs(event.clientX - pressedAt) >= SHORTEST_DRAG;
      if (event.detail > 1) return; // the rest of a double click
      const { view, times } = this.#options;
      this.#positionBefore = view.position;
      if (!dragged && index != null) view.goTo(times[index]);
    });
  }

  #publishCursor(plot: uPlot): void {
    const index = plot.cursor.idx;
    if (index == null) return;
    this.#isPublishing = true;
    this.#options.view.pointAt(this.#options.times[index]);
    this.#isPublishing = false;
  }

  /** `plot` is handed in where the constructor of uPlot has not returned yet. */
  #placeCursor(plot: uPlot = this.#plot): void {
    const { view } = this.#options;
    const inView = (time: number | undefined | null): time is number => time != null && time >= view.range.min && time <= view.range.max;
    const { cursor } = view;
    const position = view.position?.time;
    plot.setCursor(inView(cursor) ? { left: plot.valToPos(cursor, 'x'), top: 0 } : { left: -10, top: -10 }, false);
    this.#positionLine.hidden = !inView(position);
    if (inView(position)) this.#positionLine.style.transform = `translateX(${plot.valToPos(position, 'x')}px)`;
  }

  #onKey = (event: KeyboardEvent): void => {
    const { view, times } = this.#options;
    const step = (direction: 1 | -1): void => {
      if (view.stepper !== null) {
        view.stepper(direction, event.shiftKey);
        return;
      }
      const { min, max } = view.range;
      const at = nearestIndex(times, view.cursor ?? (min + max) / 2);
      if (event.shiftKey) view.goTo(times[nearestIndex(times, times[at] + direction * LONG_STEP * (max - min))]);
      else view.goTo(neighbour(times, at, direction));
    };
    const actions: Record<string, () => void> = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      '+': () => view.zoomBy(0.5),
      '=': () => view.zoomBy(0.5),
      '-': () => view.zoomBy(2),
      '0': () => view.reset(),
      Escape: () => view.clear(),
    };
    const action = actions[event.key];
    if (action === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };
}
