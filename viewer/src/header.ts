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

/** What to know of the run before its numbers. */
export function outcomeLines(report: Report): HTMLElement[] {
  if (report.outcome === null) return [];
  const { tone, sentences } = report.outcome;
  const marks = { good: ['\u2713', 'Nothing to complain about'], look: ['!', 'Worth a look'], bad: ['\u2717', 'Not sound'] } as const;
  const mark = element('span', { class: 'outcome-mark', role: 'img', 'aria-label': marks[tone][1], title: marks[tone][1] }, marks[tone][0]);
  const lines = element('div', {}, ...sentences.map((sentence) => element('p', {}, sentence)));
  return [element('section', { class: `outcome outcome-${tone}`, 'aria-label': 'Outcome' }, mark, lines)];
}

/** The table of the runs, and what else there is to say in words and numbers. */
export function summary(report: Report, runs: RunChoice): HTMLElement[] {
  const nodes: HTMLElement[] = [];
  if (report.table !== null) nodes.push(...runTables(report.table, runs));
  if (report.summary.length === 0) return nodes;
  if (report.outcome === null) return [...nodes, summaryList(report.summary)];
  // What was said is folded; warnings are not.
  const loud = report.summary.filter(({ label }) => label === 'warning');
  if (loud.length > 0) nodes.push(summaryList(loud));
  const quiet = report.summary.filter(({ label }) => label !== 'warning');
  nodes.push(element('details', { class: 'scene numbers' }, element('summary', {}, element('h2', {}, 'All numbers'), ` ${quiet.length}`), summaryList(quiet)));
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

/** What is compared comes first, and fits a window; all else is folded. */
function runTables(table: Table, runs: RunChoice): HTMLElement[] {
  const columns = table.headings.map((_, k) => k);
  const [names, others] = [columns.filter((k) => /^(run|integrator|dt)$/.test(table.headings[k])), columns.filter((k) => !/^(run|integrator|dt)$/.test(table.headings[k]))];
  const allWell = (k: number) => table.headings[k] === 'outcome' && table.rows.every((cells) => cells[k] === 'ok');
  const first = others.filter((k) => /^(error|order|largest deviation|steps|outcome)/.test(table.headings[k]) && !allWell(k));
  const rank = (k: number) => (/^(error|order|largest deviation)/.test(table.headings[k]) ? 0 : table.headings[k] === 'outcome' ? 2 : 1);
  first.sort((a, b) => rank(a) - rank(b) || a - b);
  const rest = others.filter((k) => !first.includes(k) && !allWell(k));
  const tables = [runTable(select(table, [...names, ...first]), runs, 'Table of the runs')];
  if (rest.length === 0) return tables;
  const more = runTable(select(table, [...names, ...rest]), runs, 'More numbers of the runs');
  return [...tables, element('details', { class: 'scene more-numbers' }, element('summary', {}, element('h2', {}, 'More numbers of the runs')), more)];
}

function select({ headings, rows }: Table, columns: readonly number[]): Table {
  return { headings: columns.map((k) => headings[k]), rows: rows.map((cells) => columns.map((k) => cells[k])) };
}

/** One row for each run; its first cell is the entry of the run in the common legend. */
function runTable(table: Table, runs: RunChoice, name: string): HTMLElement {
  const headings = element('tr', {}, ...table.headings.map((heading) => element('th', { scope: 'col' }, heading)));
  const rows = table.rows.map((cells, i) => {
    const entry = new LegendEntry(cells[0], runs.styles[i], runs.shown[i], () => runs.show(i, !runs.shown[i]));
    runs.changed.listen(() => entry.setShown(runs.shown[i]));
    return element('tr', {}, element('th', { scope: 'row' }, entry.node), ...cells.slice(1).map((cell) => element('td', {}, cell)));
  });
  const body = element('table', {}, element('thead', {}, headings), element('tbody', {}, ...rows));
  return element('div', { class: 'runs', tabindex: '0', role: 'region', 'aria-label': name }, body);
}

function summaryList(rows: Report['summary']): HTMLElement {
  const list = element('dl', { class: 'summary' });
  for (const { label, value } of rows) {
    const kind = label === 'note' || label === 'warning' ? { class: 'sentence' } : {};
    list.append(element('div', kind, element('dt', {}, label), element('dd', {}, value)));
  }
  return list;
}
