/** A panel of curves over time, with its legend and the choice between overlaid and separate. */
import { chooseArrangement, MOST_STRIPS, type Arrangement } from './arrangement';
import { HORIZONTAL_AXIS_HEIGHT } from './axes';
import type { TimePanel } from './data';
import { element } from './dom';
import { LegendEntry } from './legend';
import { liftToFloor, logFloor } from './logscale';
import { finiteRange, ROUND_OFF, type Range } from './ranges';
import type { RunChoice } from './runs';
import { LINE_WIDTH } from './theme';
import { chooseUnits, unitText } from './units';
import { TimePlot, type Curve } from './timeplot';
import type { TimeView } from './view';
import { whileInSight } from './visible';

/** Height of the plots of a panel in CSS pixels, the same for both arrangements where it can be. */
const BODY_HEIGHT = 400;
const LEGEND_ROW_HEIGHT = 24;
const LOWEST_STRIP = 92;
/** In the first plot, below which the outcome should be seen. */
const MOST_FIRST_STRIPS = 4;
/** Of a plot of one unit among others. */
const LOWEST_PLOT = 110;
const HIGHEST_STRIP = 150;
/** From this many series on, hiding them one by one is a chore. */
const MANY_SERIES = 9;

/** What the reader chose in a panel; it outlives the panel when a longer report replaces it. */
export interface PanelLook {
  /** Null until the reader chooses. */
  arrangement: Arrangement | null;
  hidden: Set<number>;
}

export class TimePanelView {
  readonly #panel: TimePanel;
  readonly #view: TimeView;
  /** In a panel of several runs, which are shown or hidden in all panels at once. */
  readonly #runs: RunChoice | null;
  readonly #look: PanelLook;
  readonly #times: Float64Array;
  readonly #curves: Curve[];
  readonly #legend: LegendEntry[];
  readonly #tools: HTMLElement;
  readonly #body = element('div', { class: 'panel-body' });
  #arrangement: Arrangement;
  #plots: TimePlot[] = [];
  /** Of each curve while overlaid: its plot, and its place there. */
  #places: { plot: number; place: number }[] = [];
  /** The largest number of a unit in the whole run. */
  readonly #sizes: (unit: string) => number;

  constructor(host: HTMLElement, panel: TimePanel, view: TimeView, runs: RunChoice, look: PanelLook, sizes: (unit: string) => number) {
    this.#panel = panel;
    this.#sizes = sizes;
    this.#look = look;
    this.#view = view;
    this.#runs = panel.ofRuns ? runs : null;
    this.#times = panel.times.values;
    const columns = panel.series.map((series) => series.column.values);
    const floor = panel.log ? logFloor(columns) : 0;
    this.#curves = columns.map((values, index) => ({
      values: panel.log ? liftToFloor(values, floor) : values,
      unit: panel.series[index].unit,
      index,
      style: this.#runs?.styles[index] ?? index,
      width: this.#runs?.widths[index] ?? LINE_WIDTH,
      shown: this.#runs?.shown[index] ?? !look.hidden.has(index),
    }));
    const suggested = () => (panel.ofRuns ? 'overlaid' : suggestedArrangement(panel, columns.map((values) => finiteRange(values))));
    this.#arrangement = look.arrangement ?? suggested();
    this.#legend = panel.series.map((series, i) => {
      const { style, shown } = this.#curves[i];
      return new LegendEntry(series.label, style, shown, () => this.#toggle(i), unitText(series.unit));
    });
    this.#tools = element('div', { class: 'panel-tools' });
    if (panel.series.length > 1) this.#tools.append(this.#arrangementChoice());
    if (panel.series.length >= MANY_SERIES) this.#tools.append(this.#button('All', true), this.#button('None', false));
    host.append(this.#tools, this.#body);
    this.#build();
    view.cursorChanged.listen(whileInSight(this.#body, () => this.#showValues()));
    this.#runs?.changed.listen(() => this.#followRuns());
    new ResizeObserver(() => this.fit()).observe(this.#body);
  }

  fit(): void {
    for (const plot of this.#plots) plot.fit();
  }

  destroy(): void {
    for (const plot of this.#plots) plot.destroy();
  }

  #build(): void {
    for (const plot of this.#plots) plot.destroy();
    this.#body.replaceChildren();
    this.#plots = this.#arrangement === 'separate' ? this.#buildStrips() : this.#buildOverlaid();
    this.#showValues();
  }

  /** One plot for each unit; only the last one carries the labels of the common time axis. */
  #buildOverlaid(): TimePlot[] {
    const groups = this.#panel.log || this.#panel.ofRuns ? [{ unit: this.#panel.series[0]?.unit ?? '', series: this.#curves }] : chooseUnits(this.#curves);
    const room = (BODY_HEIGHT - HORIZONTAL_AXIS_HEIGHT) / groups.length - LEGEND_ROW_HEIGHT;
    const height = Math.round(Math.max(LOWEST_PLOT, room));
    return groups.map(({ unit, series: curves }, k) => {
      const entries = curves.map((curve) => this.#legend[curve.index].node);
      const kind = this.#panel.ofRuns ? 'legend legend-runs' : entries.length >= MANY_SERIES ? 'legend legend-long' : 'legend';
      const host = element('div', { class: 'plot' });
      this.#body.append(element('div', { class: kind }, ...entries), host);
      const isLast = k === groups.length - 1;
      curves.forEach((curve, place) => (this.#places[curve.index] = { plot: k, place }));
      const title = groups.length > 1 ? `${this.#panel.title}, ${unit}` : this.#panel.title;
      return this.#plot(host, curves, height + (isLast ? HORIZONTAL_AXIS_HEIGHT : 0), isLast, title);
    });
  }

  /** Strips of equal height; only the last one shown carries the labels of the common time axis. */
  #buildStrips(): TimePlot[] {
    const shown = this.#curves.filter((curve) => curve.shown);
    const even = (BODY_HEIGHT - HORIZONTAL_AXIS_HEIGHT) / this.#curves.length - LEGEND_ROW_HEIGHT;
    const height = Math.round(Math.min(HIGHEST_STRIP, Math.max(LOWEST_STRIP, even)));
    const plots: TimePlot[] = [];
    for (const curve of this.#curves) {
      this.#body.append(element('div', { class: 'legend' }, this.#legend[curve.index].node));
      if (!curve.shown) continue;
      const host = element('div', { class: 'plot' });
      this.#body.append(host);
      const isLast = curve === shown[shown.length - 1];
      const title = `${this.#panel.title}, ${this.#panel.series[curve.index].label}`;
      plots.push(this.#plot(host, [curve], height + (isLast ? HORIZONTAL_AXIS_HEIGHT : 0), isLast, title));
    }
    return plots;
  }

  #plot(host: HTMLElement, curves: Curve[], height: number, timeLabelled: boolean, title: string): TimePlot {
    const description = `Plot over time: ${title}. Arrow keys move the cursor, plus and minus zoom, zero resets.`;
    const { log, robust, stems } = this.#panel;
    const unit = curves.length > 0 ? curves[0].unit : '';
    const nothing = log || stems === true ? 0 : ROUND_OFF * this.#sizes(unit);
    return new TimePlot({ host, height, times: this.#times, curves, log, robust: robust === true, stems: stems === true, unit, nothing, timeLabelled, description, view: this.#view });
  }

  #toggle(index: number): void {
    const shown = !this.#curves[index].shown;
    if (this.#runs === null) this.#show(index, shown);
    else this.#runs.show(index, shown);
    if (this.#arrangement === 'separate') {
      this.#build();
      this.#legend[index].node.focus(); // it was taken out of the page and put back
    }
  }

  #followRuns(): void {
    const changed = this.#curves.filter((curve) => curve.shown !== this.#runs!.shown[curve.index]);
    for (const curve of changed) this.#show(curve.index, !curve.shown);
    if (changed.length > 0 && this.#arrangement === 'separate') this.#build();
  }

  #show(index: number, shown: boolean): void {
    if (shown) this.#look.hidden.delete(index);
    else this.#look.hidden.add(index);
    this.#legend[index].setShown(shown);
    const { plot, place } = this.#places[index] ?? { plot: 0, place: index };
    if (this.#arrangement === 'overlaid') this.#plots[plot].setShown(place, shown);
    else this.#curves[index].shown = shown;
  }

  #showValues(): void {
    const index = this.#view.sampleAt(this.#times);
    this.#legend.forEach((entry, i) => entry.setValue(index < 0 ? null : this.#panel.series[i].column.values[index]));
  }

  #arrangementChoice(): HTMLElement {
    const group = element('span', { class: 'choice', role: 'group', 'aria-label': `Arrangement of ${this.#panel.title}` });
    const arrangements: Arrangement[] = ['overlaid', 'separate'];
    const buttons = arrangements.map((arrangement) => {
      const button = element('button', { type: 'button', 'aria-pressed': String(arrangement === this.#arrangement) }, arrangement);
      button.addEventListener('click', () => {
        if (arrangement === this.#arrangement) return;
        this.#arrangement = this.#look.arrangement = arrangement;
        buttons.forEach((other, i) => other.setAttribute('aria-pressed', String(arrangements[i] === arrangement)));
        this.#build();
      });
      return button;
    });
    group.append(...buttons);
    return group;
  }

  #button(label: string, shown: boolean): HTMLElement {
    const button = element('button', { type: 'button', 'aria-label': `${shown ? 'Show' : 'Hide'} all series of ${this.#panel.title}` }, label);
    button.addEventListener('click', () => {
      this.#curves.forEach((_, i) => (this.#runs === null ? this.#show(i, shown) : this.#runs.show(i, shown)));
      if (this.#arrangement === 'separate') this.#build();
    });
    return button;
  }
}

/** Separate strips where the series of one unit differ too much to share a plot. */
function suggestedArrangement(panel: TimePanel, ranges: (Range | null)[]): Arrangement {
  if (panel.robust === true || panel.stems === true || (panel.id === 'first' && panel.series.length > MOST_FIRST_STRIPS)) return 'overlaid';
  const groups = chooseUnits(panel.series.map(({ unit }, index) => ({ unit, index })));
  const strips = groups.filter(({ series }) => chooseArrangement(series.map(({ index }) => ranges[index]), panel.log) === 'separate');
  return strips.length > 0 && panel.series.length <= MOST_STRIPS ? 'separate' : 'overlaid';
}
