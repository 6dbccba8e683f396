/** A panel of curves over time, with its legend and the choice between overlaid and separate. */
import { chooseArrangement, type Arrangement } from './arrangement';
import { HORIZONTAL_AXIS_HEIGHT } from './axes';
import type { TimePanel } from './data';
import { element } from './dom';
import { LegendEntry } from './legend';
import { liftToFloor, logFloor } from './logscale';
import { finiteRange } from './ranges';
import type { RunChoice } from './runs';
import { LINE_WIDTH } from './theme';
import { TimePlot, type Curve } from './timeplot';
import type { TimeView } from './view';
import { whileInSight } from './visible';

/** Height of the plots of a panel in CSS pixels, the same for both arrangements where it can be. */
const BODY_HEIGHT = 400;
const LEGEND_ROW_HEIGHT = 24;
const LOWEST_STRIP = 88;
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

  constructor(host: HTMLElement, panel: TimePanel, view: TimeView, runs: RunChoice, look: PanelLook) {
    this.#panel = panel;
    this.#look = look;
    this.#view = view;
    this.#runs = panel.ofRuns ? runs : null;
    this.#times = panel.times.values;
    const columns = panel.series.map((series) => series.column.values);
    const floor = panel.log ? logFloor(columns) : 0;
    this.#curves = columns.map((values, index) => ({
      values: panel.log ? liftToFloor(values, floor) : values,
      index,
      style: this.#runs?.styles[index] ?? index,
      width: this.#runs?.widths[index] ?? LINE_WIDTH,
      shown: this.#runs?.shown[index] ?? !look.hidden.has(index),
    }));
    const suggested = () => (panel.ofRuns ? 'overlaid' : chooseArrangement(columns.map((values) => finiteRange(values)), panel.log));
    this.#arrangement = look.arrangement ?? suggested();
    this.#legend = panel.series.map((series, i) => {
      const { style, shown } = this.#curves[i];
      return new LegendEntry(series.label, style, shown, () => this.#toggle(i));
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

  #buildOverlaid(): TimePlot[] {
    const kind = this.#panel.ofRuns ? 'legend legend-runs' : this.#legend.length >= MANY_SERIES ? 'legend legend-long' : 'legend';
    const legend = element('div', { class: kind }, ...this.#legend.map((entry) => entry.node));
    const host = element('div', { class: 'plot' });
    this.#body.append(legend, host);
    return [this.#plot(host, this.#curves, BODY_HEIGHT - LEGEND_ROW_HEIGHT, true, this.#panel.title)];
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
    return new TimePlot({ host, height, times: this.#times, curves, log: this.#panel.log, timeLabelled, description, view: this.#view });
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
    if (this.#arrangement === 'overlaid') this.#plots[0].setShown(index, shown);
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
