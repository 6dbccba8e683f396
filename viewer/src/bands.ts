/** The panel of modes: one coloured band over time for each law, with the legend of the colours. */
import type uPlot from 'uplot';
import { HORIZONTAL_AXIS_HEIGHT } from './axes';
import { element } from './dom';
import { formatValue } from './format';
import { modeSwatch } from './mode_swatch';
import { modesOf, spanAt, spansWithin, type Band, type ModesPanel } from './modes';
import { theme } from './theme';
import { TimePlot, TOP_PADDING } from './timeplot';
import type { TimeView } from './view';
import { whileInSight } from './visible';

const BAND_HEIGHT = 16;
/** Above a band, and below one without a time axis. */
const AIR = TOP_PADDING + 7;
/** Digits of the times at which a mode begins and ends. */
const TIME_DIGITS = 9;

export class ModesPanelView {
  readonly #panel: ModesPanel;
  readonly #view: TimeView;
  readonly #plots: TimePlot[];
  readonly #values: HTMLElement[] = [];
  readonly #end: number;

  constructor(host: HTMLElement, panel: ModesPanel, view: TimeView) {
    this.#panel = panel;
    this.#view = view;
    const times = panel.times.values;
    this.#end = times[times.length - 1];
    const colours = modesOf(panel.bands).map((mode) => element('span', { class: 'legend-entry' }, modeSwatch(mode), mode));
    const body = element('div', { class: 'panel-body' }, element('div', { class: 'legend', 'aria-label': 'Colours of the modes' }, ...colours));
    host.append(body);
    this.#plots = panel.bands.map((band, i) => {
      const value = element('span', { class: 'band-value' });
      const plotHost = element('div', { class: 'plot' });
      const isLast = i + 1 === panel.bands.length;
      body.append(element('div', { class: 'band-head' }, element('span', { class: 'legend-label' }, band.label), value), plotHost);
      this.#values.push(value);
      return new TimePlot({
        host: plotHost,
        height: BAND_HEIGHT + (isLast ? TOP_PADDING + HORIZONTAL_AXIS_HEIGHT : AIR),
        times,
        curves: [],
        background: (plot) => this.#draw(plot, band),
        log: false,
        timeLabelled: isLast,
        description: `Modes over time: ${band.label}. Arrow keys move the cursor, plus and minus zoom, zero resets.`,
        view,
      });
    });
    view.cursorChanged.listen(whileInSight(body, () => this.#showValues()));
    this.#showValues();
    new ResizeObserver(() => this.fit()).observe(body);
  }

  fit(): void {
    for (const plot of this.#plots) plot.fit();
  }

  destroy(): void {
    for (const plot of this.#plots) plot.destroy();
  }

  /** A mode that is too short to be seen is still one pixel wide. */
  #draw(plot: uPlot, band: Band): void {
    const { ctx: context, bbox } = plot;
    const { min, max } = this.#view.range;
    const place = (time: number) => bbox.left + ((time - min) / (max - min)) * bbox.width;
    context.save();
    for (const { mode, from, to } of spansWithin(band, min, max, this.#end)) {
      const left = Math.round(place(from));
      context.fillStyle = theme().modes[mode];
      context.fillRect(left, bbox.top, Math.max(1, Math.round(place(to)) - left), bbox.height);
    }
    context.restore();
  }

  #showValues(): void {
    const { cursor } = this.#view;
    this.#panel.bands.forEach((band, i) => {
      const span = cursor === null ? null : spanAt(band, cursor, this.#end);
      this.#values[i].replaceChildren();
      if (span === null) return;
      this.#values[i].append(modeSwatch(span.mode), `${span.mode} from ${formatValue(span.from, TIME_DIGITS)} to ${formatValue(span.to, TIME_DIGITS)} s`);
    });
  }
}
