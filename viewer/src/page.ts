/** The page of a report. A running computation replaces the report by longer ones; what the reader set up stays. */
import { ModesPanelView } from './bands';
import type { Panel, Report, TimePanel } from './data';
import { element } from './dom';
import { eventSection, impactTable } from './events';
import { firstPlot } from './first_plot';
import { header, outcomeLines, sceneSection, summary } from './header';
import { TimePanelView, type PanelLook } from './panels';
import { PhasePanelView, type PhaseLook } from './phase';
import { fitForPrinting } from './print';
import { finiteRange, timeExtent } from './ranges';
import { ReplayView } from './replay_view';
import { RunChoice } from './runs';
import { watchTheme } from './theme';
import { toolbar } from './toolbar';
import { unitText } from './units';
import { TimeView } from './view';

/** How far below the window a panel is built, so that scrolling does not show it empty. */
const BUILD_AHEAD = '800px';

/** Panels that tell how large the quantities of a unit are. */
const MEASURED = ['q', 'u', 'quantity', 'energy', 'force'];

interface PanelView {
  fit(): void;
  destroy(): void;
}

export class Page {
  view: TimeView | null = null;
  replay: ReplayView | null = null;

  readonly #root: HTMLElement;
  readonly #header = element('div');
  readonly #workspace = element('div', { class: 'workspace' });
  readonly #content = element('div', { class: 'content' });
  /** How the reader arranged the panels, by their ids. */
  /** The largest number of each unit. */
  readonly #sizes = new Map<string, number>();
  readonly #looks = new Map<string, PanelLook>();
  readonly #phaseLook: PhaseLook = { x: '', y: '', section: '', level: 0 };
  #report: Report | null = null;
  #runs: RunChoice | null = null;
  #builders = new Map<Element, () => void>();
  #built: PanelView[] = [];
  #observer: IntersectionObserver | null = null;

  constructor(root: HTMLElement) {
    this.#root = root;
    watchTheme();
    fitForPrinting(
      () => [...this.#builders.keys()].forEach((section) => this.#build(section)),
      () => {
        this.replay?.fit();
        this.#built.forEach((panel) => panel.fit());
      },
    );
  }

  /** Shows a report, the first one or a longer one of the same computation. */
  show(report: Report): void {
    document.title = `${report.title} – Tippe`;
    const { scrollX, scrollY } = window;
    const builtBefore = new Set([...this.#content.querySelectorAll<HTMLElement>('.panel.built')].map((section) => section.dataset.id));
    const openBefore = new Map([...this.#content.querySelectorAll('details')].map((details) => [details.className, details.open]));
    this.#content.style.minHeight = `${this.#content.offsetHeight}px`; // plots get their heights only later
    this.#clear();

    const view = this.#nextView(report);
    const runs = new RunChoice(report.runs);
    this.#runs?.shown.forEach((shown, i) => i < runs.shown.length && (runs.shown[i] = shown));
    this.view = view;
    this.#report = report;
    this.#sizes.clear();
    this.#runs = runs;

    this.#header.replaceChildren(header(report));
    this.#fill(report, view, runs);
    this.#showReplay(report, view, runs);
    for (const details of this.#content.querySelectorAll('details')) details.open = openBefore.get(details.className) ?? details.open;
    if (!this.#workspace.isConnected) this.#root.replaceChildren(this.#header, this.#workspace);
    for (const section of [...this.#builders.keys()]) {
      if (builtBefore.has((section as HTMLElement).dataset.id)) this.#build(section);
    }
    window.scrollTo(scrollX, scrollY);
    requestAnimationFrame(() => (this.#content.style.minHeight = ''));
  }

  #clear(): void {
    this.#observer?.disconnect();
    for (const panel of this.#built) panel.destroy();
    this.#built = [];
    this.#builders.clear();
  }

  /** Keeps the zoom, the position and the switch of the impacts. */
  #nextView(report: Report): TimeView {
    const view = new TimeView(timeExtent(report.axes.map((axis) => axis.values)), report.impacts);
    const before = this.view;
    if (before === null) return view;
    if (before.isZoomed) view.zoomTo(before.range.min, before.range.max);
    view.position = before.position;
    view.impactsShown = before.impactsShown;
    return view;
  }

  #showReplay(report: Report, view: TimeView, runs: RunChoice): void {
    if (report.replays.length > 0 && this.replay?.update(report, view, runs)) return;
    this.replay?.destroy();
    this.replay = report.replays.length > 0 ? new ReplayView(report, view, runs) : null;
    if (this.replay !== null && report.status === 'running') this.replay.player.toEnd();
    const trouble = report.replayTrouble === '' ? [] : [element('div', { class: 'banner', role: 'alert' }, element('strong', {}, 'The drawing cannot be shown.'), ` ${report.replayTrouble}`)];
    this.#workspace.classList.toggle('with-replay', this.replay !== null);
    document.documentElement.classList.toggle('has-replay', this.replay !== null);
    this.#workspace.replaceChildren(...trouble, ...(this.replay === null ? [] : [this.replay.node]), this.#content);
  }

  #fill(report: Report, view: TimeView, runs: RunChoice): void {
    const panels = element('div', { class: 'panels' });
    const first = firstPlot(report);
    const events = impactTable(report.impacts);
    const tables = [...(report.events === null ? [] : [eventSection('Events', report.events, view)]), ...(events === null || (report.events !== null && report.impacts.details === undefined) ? [] : [eventSection('Impacts', events, view)])];
    const firstHost = element('div', { class: 'panels first' });
    this.#content.replaceChildren(
      ...(first === null ? summary(report, runs) : []),
      toolbar(view, report.runs.length === 0),
      ...(first === null ? [] : [element('div', { class: 'panels-host' }, firstHost), ...outcomeLines(report), ...summary(report, runs)]),
      element('div', { class: 'panels-host' }, panels),
      ...tables,
      sceneSection(report),
    );
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting) continue;
          observer.unobserve(entry.target);
          this.#build(entry.target);
        }
      },
      { rootMargin: BUILD_AHEAD },
    );
    this.#observer = observer;
    const others = report.panels.filter((panel) => first === null || !shows(first, panel));
    for (const panel of [...(first === null ? [] : [first]), ...others]) {
      const section = panelSection(panel);
      (panel === first ? firstHost : panels).append(section);
      this.#builders.set(section, () => {
        const panelView = this.#buildPanel(section, panel, view, runs);
        if (panelView !== null) this.#built.push(panelView);
      });
      observer.observe(section);
    }
  }

  #build(section: Element): void {
    this.#builders.get(section)?.();
    this.#builders.delete(section);
  }

  #buildPanel(section: HTMLElement, panel: Panel, view: TimeView, runs: RunChoice): PanelView | null {
    section.classList.add('built');
    if (isEmpty(panel)) {
      section.append(element('p', { class: 'empty' }, 'No data.'));
      return null;
    }
    try {
      if (panel.kind === 'time') return new TimePanelView(section, panel, view, runs, this.#lookOf(panel.id), (unit) => this.#sizeOf(unit));
      return panel.kind === 'modes' ? new ModesPanelView(section, panel, view) : new PhasePanelView(section, panel, view, this.#report!.impacts, this.#phaseLook);
    } catch (error) {
      section.append(element('p', { class: 'empty' }, `This panel cannot be shown: ${(error as Error).message}`));
      return null;
    }
  }

  #sizeOf(unit: string): number {
    let size = this.#sizes.get(unit);
    if (size !== undefined) return size;
    size = 0;
    for (const panel of this.#report!.panels) {
      if (panel.kind !== 'time' || !MEASURED.includes(panel.id)) continue;
      for (const series of panel.series) {
        const range = series.unit === unit ? finiteRange(series.column.values) : null;
        if (range !== null) size = Math.max(size, Math.abs(range.min), Math.abs(range.max));
      }
    }
    this.#sizes.set(unit, size);
    return size;
  }

  #lookOf(id: string): PanelLook {
    const look = this.#looks.get(id) ?? { arrangement: null, hidden: new Set<number>() };
    this.#looks.set(id, look);
    return look;
  }
}

/** Whether the first plot has all that a panel has. */
function shows(first: TimePanel, panel: Panel): boolean {
  return panel.kind === 'time' && (panel.id === 'q' || panel.id === 'quantity') && panel.series.length === first.series.length && panel.series.every((series, k) => series.column === first.series[k].column);
}

function panelSection(panel: Panel): HTMLElement {
  const unit = panel.kind === 'time' && panel.unit !== '' ? [' ', element('span', { class: 'unit' }, `[${unitText(panel.unit)}]`)] : [];
  const note = panel.kind !== 'phase' && panel.note !== '' ? [element('p', { class: 'panel-note' }, panel.note)] : [];
  return element('section', { class: `panel panel-${panel.kind}`, 'data-id': panel.id }, element('h2', {}, panel.title, ...unit), ...note);
}

function isEmpty(panel: Panel): boolean {
  if (panel.kind === 'phase') return panel.columns.length === 0 || panel.times === null || panel.times.length === 0;
  return panel.times.length === 0 || (panel.kind === 'time' ? panel.series : panel.bands).length === 0;
}
