/**
 * One column over another, over the visible span of time: all of it, or the points of a section (Poincaré): where another column passes a
 * value, or at impacts.
 */
import uPlot from 'uplot';
import { drawNotes, linearAxis, RIGHT_PADDING, type AxisNote } from './axes';
import type { Impacts, PhasePair, PhasePanel, Series } from './data';
import { isDrawable } from './decimate';
import { element } from './dom';
import { padded, samplesWithin, visibleRange } from './ranges';
import { atImpacts, crossings, type Passing } from './sections';
import { seriesColour, theme, themeChanged } from './theme';
import { PEN_UP, thinTrajectory } from './thin';
import { unitText } from './units';
import type { TimeView } from './view';
import { whileInSight } from './visible';

const HIGHEST = 400;
/** Samples are marked by dots when there are at most this many in view. */
const MOST_DOTS = 40;
/** Canvases stroke many short paths faster than one very long path. */
const SEGMENTS_PER_STROKE = 2000;

/** What is drawn: two columns at the same times. */
interface Shown {
  times: Float64Array;
  x: Float64Array;
  y: Float64Array;
  xLabel: string;
  yLabel: string;
  /** Points that follow each other without a curve between them. */
  isSection: boolean;
}

/** What the reader chose; it outlives the panel when a longer report replaces it. */
export interface PhaseLook {
  x: string;
  y: string;
  section: string;
  level: number;
}

export class PhasePanelView {
  readonly #panel: PhasePanel;
  readonly #view: TimeView;
  readonly #impacts: Impacts;
  readonly #look: PhaseLook;
  readonly #columns: readonly Series[];
  readonly #plotHost = element('div', { class: 'plot', role: 'img' });
  readonly #count = element('span', { class: 'muted' });
  readonly #level = element('input', { type: 'number', step: 'any', 'aria-label': 'Value of the section' });
  readonly #levelBox = element('label', { class: 'tool' }, '=', this.#level);
  #plot: PhasePlot | null = null;

  constructor(host: HTMLElement, panel: PhasePanel, view: TimeView, impacts: Impacts, look: PhaseLook) {
    this.#panel = panel;
    this.#view = view;
    this.#impacts = impacts;
    this.#look = look;
    this.#columns = panel.columns;
    const first = panel.pairs[0] as PhasePair | undefined;
    if (this.#find(look.x) === undefined) look.x = this.#find(first?.xLabel)?.label ?? this.#columns[0]?.label ?? '';
    if (this.#find(look.y) === undefined) look.y = this.#find(first?.yLabel)?.label ?? this.#columns[1]?.label ?? look.x;
    const controls = element('div', { class: 'phase-controls' }, this.#choice('Vertical', 'y'), this.#choice('over', 'x'), this.#sectionChoice(), this.#levelBox, this.#count);
    host.append(controls, this.#plotHost);
    this.#level.value = String(look.level);
    this.#level.addEventListener('change', () => {
      if (Number.isFinite(this.#level.valueAsNumber)) look.level = this.#level.valueAsNumber;
      this.#show();
    });
    this.#show();
    new ResizeObserver(() => this.fit()).observe(this.#plotHost);
  }

  fit(): void {
    this.#plot?.fit();
  }

  destroy(): void {
    this.#plot?.destroy();
  }

  #find(label: string | undefined): Series | undefined {
    return this.#columns.find((column) => column.label === label);
  }

  #choice(words: string, axis: 'x' | 'y'): HTMLElement {
    const select = element('select', { 'aria-label': axis === 'x' ? 'Column to the right' : 'Column upwards' }, ...this.#options(this.#look[axis]));
    select.addEventListener('change', () => {
      this.#look[axis] = select.value;
      this.#show();
    });
    return element('label', { class: 'tool' }, words, select);
  }

  #options(chosen: string): HTMLElement[] {
    return this.#columns.map(({ label }) => option(label, label, chosen));
  }

  #sectionChoice(): HTMLElement {
    const struck = [...new Set(this.#impacts.contacts)].sort();
    const passing = (words: string, sign: string) => this.#columns.map(({ label }) => option(`${sign}${label}`, `${label} ${words}`, this.#look.section));
    const select = element(
      'select',
      { 'aria-label': 'Section' },
      option('', 'the whole path', this.#look.section),
      ...(struck.length === 0 ? [] : [group('at impacts of', struck.map((name) => option(`!${name}`, name, this.#look.section)))]),
      group('where it rises through', passing('rises through', '+')),
      group('where it falls through', passing('falls through', '-')),
    );
    select.addEventListener('change', () => {
      this.#look.section = select.value;
      this.#show();
    });
    return element('label', { class: 'tool' }, 'at', select);
  }

  #show(): void {
    const shown = this.#shown();
    this.#levelBox.hidden = !/^[+-]/.test(this.#look.section);
    this.#count.textContent = shown?.isSection === true ? `${shown.times.length.toLocaleString('en')} points` : '';
    this.#plot?.destroy();
    this.#plotHost.replaceChildren();
    this.#plot = null;
    if (shown === null) return;
    this.#plotHost.setAttribute('aria-label', `${shown.isSection ? 'Section' : 'Phase portrait'}: ${shown.yLabel} over ${shown.xLabel}`);
    this.#plot = new PhasePlot(this.#plotHost, shown, this.#view);
  }

  #shown(): Shown | null {
    const [x, y] = [this.#find(this.#look.x), this.#find(this.#look.y)];
    if (x === undefined || y === undefined || this.#panel.times === null) return null;
    const labels = { xLabel: named(x), yLabel: named(y) };
    const times = this.#panel.times.values;
    const { section } = this.#look;
    if (section === '') return { times, x: x.column.values, y: y.column.values, ...labels, isSection: false };
    let passings: Passing[];
    if (section.startsWith('!')) {
      passings = atImpacts(times, this.#impacts, section.slice(1));
    } else {
      const of = this.#find(section.slice(1));
      passings = of === undefined ? [] : crossings(times, of.column.values, this.#look.level, section.startsWith('+') ? 1 : -1);
    }
    const at = (values: Float64Array) => Float64Array.from(passings, ({ sample, alpha }) => (alpha === 0 ? values[sample] : values[sample] + alpha * (values[sample + 1] - values[sample])));
    return { times: at(times), x: at(x.column.values), y: at(y.column.values), ...labels, isSection: true };
  }
}

function named({ label, unit }: Series): string {
  return unit === '' ? label : `${label} [${unitText(unit)}]`;
}

function option(value: string, words: string, chosen: string): HTMLOptionElement {
  const node = element('option', { value }, words);
  node.selected = value === chosen;
  return node;
}

function group(label: string, options: HTMLElement[]): HTMLElement {
  return element('optgroup', { label }, ...options);
}

class PhasePlot {
  readonly #host: HTMLElement;
  readonly #pair: Shown;
  readonly #view: TimeView;
  readonly #plot: uPlot;
  readonly #dot = element('div', { class: 'phase-dot' });
  readonly #verticalNote: AxisNote = { text: '' };
  readonly #horizontalNote: AxisNote = { text: '' };
  readonly #ends: (() => void)[];

  constructor(host: HTMLElement, pair: Shown, view: TimeView) {
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
          x: { time: false, range: () => this.#rangeOf(pair.x) },
          y: { range: () => this.#rangeOf(pair.y) },
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
    this.#ends = [
      view.rangeChanged.listen(() => this.#rescale()),
      view.cursorChanged.listen(whileInSight(host, () => this.#placeDot(this.#plot))),
      themeChanged.listen(() => this.#plot.redraw(false)),
    ];
  }

  fit(): void {
    const size = this.#size();
    if (size.width > 1 && size.width !== this.#plot.width) this.#plot.setSize(size);
  }

  destroy(): void {
    for (const end of this.#ends) end();
    this.#plot.destroy();
  }

  #size(): { width: number; height: number } {
    const width = Math.max(1, this.#host.clientWidth);
    return { width, height: Math.min(width, HIGHEST) };
  }

  #samples(): [first: number, last: number] {
    return samplesWithin(this.#pair.times, this.#view.range.min, this.#view.range.max);
  }

  #rangeOf(values: Float64Array): uPlot.Range.MinMax {
    const { min: from, max: to } = this.#view.range;
    const { min, max } = padded(visibleRange(this.#pair.times, values, from, to));
    return [min, max];
  }

  #rescale(): void {
    const [xMin, xMax] = this.#rangeOf(this.#pair.x);
    const [yMin, yMax] = this.#rangeOf(this.#pair.y);
    this.#plot.batch(() => {
      this.#plot.setScale('x', { min: xMin!, max: xMax! });
      this.#plot.setScale('y', { min: yMin!, max: yMax! });
      // Equal ranges do not mean equal trajectories.
      this.#plot.redraw(false);
    });
  }

  #drawTrajectory(plot: uPlot): void {
    const { ctx: context, bbox } = plot;
    const xs = this.#pair.x;
    const ys = this.#pair.y;
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
    context.strokeStyle = this.#pair.isSection ? 'transparent' : seriesColour(0);
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
    if (last - first < MOST_DOTS || this.#pair.isSection) this.#drawDots(context, toX, toY, first, last);
    context.restore();
  }

  #drawDots(context: CanvasRenderingContext2D, toX: (x: number) => number, toY: (y: number) => number, first: number, last: number): void {
    context.fillStyle = seriesColour(0);
    for (let i = first; i <= last; i++) {
      const x = toX(this.#pair.x[i]);
      const y = toY(this.#pair.y[i]);
      if (Number.isNaN(x) || Number.isNaN(y)) continue;
      context.beginPath();
      context.arc(x, y, 2 * devicePixelRatio, 0, 2 * Math.PI);
      context.fill();
    }
  }

  #placeDot(plot: uPlot): void {
    const { cursor, range } = this.#view;
    const index = this.#view.sampleAt(this.#pair.times);
    const x = index < 0 ? NaN : this.#pair.x[index];
    const y = index < 0 ? NaN : this.#pair.y[index];
    const visible = !this.#pair.isSection && isDrawable(x) && isDrawable(y) && cursor! >= range.min && cursor! <= range.max;
    this.#dot.hidden = !visible;
    if (visible) {
      this.#dot.style.borderColor = theme().surface;
      this.#dot.style.left = `${plot.valToPos(x, 'x')}px`;
      this.#dot.style.top = `${plot.valToPos(y, 'y')}px`;
    }
  }
}
