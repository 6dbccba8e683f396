/** The page of a report. A running computation replaces the report by longer ones; what the reader set up stays. */
import { ModesPanelView } from './bands';
import type { Panel, Report } from './data';
import { element } from './dom';
import { eventSection, impactTable } from './events';
import { header, sceneSection, summary } from './header';
import { TimePanelView, type PanelLook } from './panels';
import { PhasePanelView } from './phase';
import { fitForPrinting } from './print';
import { timeExtent } from './ranges';
import { ReplayView } from './replay_view';
import { RunChoice } from './runs';
import { watchTheme } from './theme';
import { toolbar } from './toolbar';
import { TimeView } from './view';

/** How far below the window a panel is built, so that scrolling does not show it empty. */
const BUILD_AHEAD = '800px';

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
  readonly #looks = new Map<string, PanelLook>();
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
    const events = report.events ?? impactTable(report.impacts);
    this.#content.replaceChildren(
      ...summary(report, runs),
      toolbar(view, report.runs.length === 0),
      element('div', { class: 'panels-host' }, panels),
      ...(events === null ? [] : [eventSection(report.events === null ? 'Impacts' : 'Events', events, view)]),
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
    for (const panel of report.panels) {
      const section = panelSection(panel);
      panels.append(section);
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
      if (panel.kind === 'time') return new TimePanelView(section, panel, view, runs, this.#lookOf(panel.id));
      return panel.kind === 'modes' ? new ModesPanelView(section, panel, view) : new PhasePanelView(section, panel, view);
    } catch (error) {
      section.append(element('p', { class: 'empty' }, `This panel cannot be shown: ${(error as Error).message}`));
      return null;
    }
  }

  #lookOf(id: string): PanelLook {
    const look = this.#looks.get(id) ?? { arrangement: null, hidden: new Set<number>() };
    this.#looks.set(id, look);
    return look;
  }
}

function panelSection(panel: Panel): HTMLElement {
  const unit = panel.kind === 'time' && panel.unit !== '' ? [' ', element('span', { class: 'unit' }, `[${panel.unit}]`)] : [];
  const note = panel.kind === 'time' && panel.note !== '' ? [element('p', { class: 'panel-note' }, panel.note)] : [];
  return element('section', { class: `panel panel-${panel.kind}`, 'data-id': panel.id }, element('h2', {}, panel.title, ...unit), ...note);
}

function isEmpty(panel: Panel): boolean {
  if (panel.kind === 'phase') return panel.pairs.every((pair) => pair.times.length === 0);
  return panel.times.length === 0 || (panel.kind === 'time' ? panel.series : panel.bands).length === 0;
}
