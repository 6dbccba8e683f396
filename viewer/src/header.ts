/** What the run was: title, source, program, outcome; its summary; and the scene file at the end. */
import type { Report, Table } from './data';
import { element } from './dom';
import { formatValue } from './format';
import { LegendEntry } from './legend';
import type { RunChoice } from './runs';

export function header(report: Report): HTMLElement {
  const facts = [
    report.sceneFile,
    report.integrator && `integrator ${report.integrator}`,
    report.dt === null ? '' : `dt = ${formatValue(report.dt)} s`,
    report.runs.length === 0 ? '' : `${report.runs.length} runs`,
    report.program,
  ].filter((fact) => fact !== '');
  const node = element('header', {}, element('h1', {}, report.title));
  if (report.source !== '') node.append(element('p', { class: 'source' }, report.source));
  node.append(element('p', { class: 'facts' }, ...facts.flatMap((fact, i) => [...(i === 0 ? [] : [' · ']), element('bdi', {}, fact)])));
  if (report.status === 'running') node.append(element('p', { class: 'running', role: 'status' }, 'Running. The page shows what has been computed so far.'));
  else if (report.status !== 'ok') node.append(failureBanner(report));
  return node;
}

/** The table of the runs, and what else there is to say in words and numbers. */
export function summary(report: Report, runs: RunChoice): HTMLElement[] {
  const nodes: HTMLElement[] = [];
  if (report.table !== null) nodes.push(runTable(report.table, runs));
  if (report.summary.length > 0) nodes.push(summaryList(report.summary));
  return nodes;
}

export function sceneSection(report: Report): HTMLElement {
  return element(
    'details',
    { class: 'scene' },
    element('summary', {}, element('h2', {}, 'Scene file'), ' ', element('bdi', {}, report.sceneFile)),
    element('pre', { tabindex: '0', 'aria-label': 'Text of the scene file' }, report.sceneText),
  );
}

export function notice(text: string, detail = ''): HTMLElement {
  const node = element('section', { class: 'notice' }, element('h1', {}, text));
  if (detail !== '') node.append(element('p', {}, detail));
  return node;
}

function failureBanner(report: Report): HTMLElement {
  const headlines: Record<string, string> =
    report.runs.length > 0
      ? { failed: 'Not all runs reached their end.', interrupted: 'The runs were interrupted.' }
      : { failed: 'This run failed.', interrupted: 'This run was interrupted.' };
  const headline = headlines[report.status] ?? `This run ended with status "${report.status}".`;
  const detail = report.message || 'The plots show what was computed until then.';
  return element('div', { class: 'banner', role: 'alert' }, element('strong', {}, headline), ` ${detail}`);
}

/** One row for each run; its first cell is the entry of the run in the common legend. */
function runTable(table: Table, runs: RunChoice): HTMLElement {
  const headings = element('tr', {}, ...table.headings.map((heading) => element('th', { scope: 'col' }, heading)));
  const rows = table.rows.map((cells, i) => {
    const entry = new LegendEntry(cells[0], runs.styles[i], runs.shown[i], () => runs.show(i, !runs.shown[i]));
    runs.changed.listen(() => entry.setShown(runs.shown[i]));
    return element('tr', {}, element('th', { scope: 'row' }, entry.node), ...cells.slice(1).map((cell) => element('td', {}, cell)));
  });
  const body = element('table', {}, element('thead', {}, headings), element('tbody', {}, ...rows));
  return element('div', { class: 'runs', tabindex: '0', role: 'region', 'aria-label': 'Table of the runs' }, body);
}

function summaryList(rows: Report['summary']): HTMLElement {
  const list = element('dl', { class: 'summary' });
  for (const { label, value } of rows) {
    const kind = label === 'note' || label === 'warning' ? { class: 'sentence' } : {};
    list.append(element('div', kind, element('dt', {}, label), element('dd', {}, value)));
  }
  return list;
}
