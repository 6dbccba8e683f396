/** Puts the page together. */
import 'uplot/dist/uPlot.min.css';
import './style.css';
import { ModesPanelView } from './bands';
import { readReport, type Panel, type Report } from './data';
import { element } from './dom';
import { eventSection } from './events';
import { header, notice, sceneSection } from './header';
import { TimePanelView } from './panels';
import { PhasePanelView } from './phase';
import { fitForPrinting } from './print';
import { timeExtent } from './ranges';
import { RunChoice } from './runs';
import { watchTheme } from './theme';
import { toolbar } from './toolbar';
import { TimeView } from './view';

/** How far below the window a panel is built, so that scrolling does not show it empty. */
const BUILD_AHEAD = '800px';

function main(): void {
  const root = document.getElementById('report')!;
  root.replaceChildren();
  try {
    const report = readReport(document.getElementById('tippe-data')?.textContent ?? '');
    if (report === null) {
      root.append(notice('This page holds no run.', 'Tippe fills it with the results when it writes a report. Open that report to see the plots.'));
    } else {
      showReport(root, report);
    }
  } catch (error) {
    root.append(notice('This report cannot be shown.', (error as Error).message));
  }
}

function showReport(root: HTMLElement, report: Report): void {
  document.title = `${report.title} – Tippe`;
  const view = new TimeView(timeExtent(report.axes.map((axis) => axis.values)), report.impacts);
  const runs = new RunChoice(report.runs);
  const panels = element('div', { class: 'panels' });
  root.append(header(report, runs), toolbar(view, report.runs.length === 0), panels);
  if (report.events !== null) root.append(eventSection(report.events, view));
  root.append(sceneSection(report));

  const builders = new Map<Element, () => void>();
  const built: { fit(): void }[] = [];
  const build = (section: Element) => {
    builders.get(section)?.();
    builders.delete(section);
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer.unobserve(entry.target);
        build(entry.target);
      }
    },
    { rootMargin: BUILD_AHEAD },
  );
  for (const panel of report.panels) {
    const section = panelSection(panel);
    panels.append(section);
    builders.set(section, () => {
      const panelView = buildPanel(section, panel, view, runs);
      if (panelView !== null) built.push(panelView);
    });
    observer.observe(section);
  }

  watchTheme();
  fitForPrinting(
    () => [...builders.keys()].forEach(build),
    () => built.forEach((panelView) => panelView.fit()),
  );
}

function panelSection(panel: Panel): HTMLElement {
  const unit = panel.kind === 'time' && panel.unit !== '' ? [' ', element('span', { class: 'unit' }, `[${panel.unit}]`)] : [];
  const note = panel.kind === 'time' && panel.note !== '' ? [element('p', { class: 'panel-note' }, panel.note)] : [];
  return element('section', { class: `panel panel-${panel.kind}` }, element('h2', {}, panel.title, ...unit), ...note);
}

function isEmpty(panel: Panel): boolean {
  if (panel.kind === 'phase') return panel.pairs.every((pair) => pair.times.length === 0);
  return panel.times.length === 0 || (panel.kind === 'time' ? panel.series : panel.bands).length === 0;
}

function buildPanel(section: HTMLElement, panel: Panel, view: TimeView, runs: RunChoice): { fit(): void } | null {
  section.classList.add('built');
  if (isEmpty(panel)) {
    section.append(element('p', { class: 'empty' }, 'No data.'));
    return null;
  }
  try {
    if (panel.kind === 'time') return new TimePanelView(section, panel, view, runs);
    return panel.kind === 'modes' ? new ModesPanelView(section, panel, view) : new PhasePanelView(section, panel, view);
  } catch (error) {
    section.append(element('p', { class: 'empty' }, `This panel cannot be shown: ${(error as Error).message}`));
    return null;
  }
}

main();
