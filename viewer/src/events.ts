/** The table of events or impacts; a click on a row goes there, to what is after the jump. */
import type { EventTable, Impacts } from './data';
import { element } from './dom';
import { formatValue } from './format';
import { LAST_RANK } from './ranges';
import type { TimeView } from './view';

/** Longer tables are closed until the reader opens them. */
const SHORT = 60;
/** Rows of impacts; a run may have a million. */
const MOST_IMPACTS = 2000;
const TIME_DIGITS = 12;

/** Where an integrator does not look for events, its impacts are what one can jump to. Null if there are none. */
export function impactTable(impacts: Impacts): EventTable | null {
  const count = impacts.times.length;
  if (count === 0) return null;
  const { details } = impacts;
  const rows = impacts.contacts.slice(0, MOST_IMPACTS).map((contact, i) => {
    const row = [String(Number(impacts.times[i].toPrecision(TIME_DIGITS))), contact];
    if (details !== undefined) row.push(formatValue(details.speeds[i], 5), formatValue(details.impulses[4 * i], 5), formatValue(details.lost[i], 5));
    return row;
  });
  const headings = ['time [s]', 'contact', ...(details === undefined ? [] : ['closing speed [m/s]', 'normal impulse [N s]', 'energy lost [J]'])];
  return { headings, rows, note: count > MOST_IMPACTS ? `the first ${MOST_IMPACTS} of ${count.toLocaleString('en')}` : '' };
}

export function eventSection(title: string, table: EventTable, view: TimeView): HTMLElement {
  const sorters = table.headings.map((heading) => element('button', { type: 'button', title: 'Sort by this column' }, heading));
  const heads = sorters.map((sorter) => element('th', { scope: 'col', 'aria-sort': 'none' }, sorter));
  heads[0]?.setAttribute('aria-sort', 'ascending');
  const headings = element('tr', {}, ...heads);
  const rows = table.rows.map((cells) => {
    const time = element('button', { type: 'button', title: 'Go there' }, cells[0]);
    return element('tr', { 'data-time': cells[0] }, element('th', { scope: 'row' }, time), ...cells.slice(1).map((cell) => element('td', {}, cell)));
  });
  const tbody = element('tbody', {}, ...rows);
  const body = element('table', {}, element('thead', {}, headings), tbody);
  sorters.forEach((sorter, column) => {
    sorter.addEventListener('click', (event) => {
      event.stopPropagation();
      const descending = heads[column].getAttribute('aria-sort') === 'ascending';
      heads.forEach((head, k) => head.setAttribute('aria-sort', k !== column ? 'none' : descending ? 'descending' : 'ascending'));
      const order = sortedRows(table.rows, column, descending);
      tbody.append(...order.map((k) => rows[k]));
    });
  });
  body.addEventListener('click', (event) => {
    const time = Number((event.target as Element).closest('tr')?.dataset.time ?? NaN);
    const isSelecting = getSelection()?.isCollapsed === false; // text to be copied
    if (Number.isFinite(time) && !isSelecting) view.goTo(time, LAST_RANK);
  });
  const count = `${table.rows.length.toLocaleString('en')}${table.note === '' ? '' : `, ${table.note}`}`;
  const name = title.toLowerCase();
  const node = element(
    'details',
    { class: name === 'impacts' ? 'scene events impacts' : 'scene events' },
    element('summary', {}, element('h2', {}, title), ` ${count}`),
    element('div', { class: 'events-table', tabindex: '0', role: 'region', 'aria-label': `Table of the ${name}` }, body),
  );
  node.open = table.rows.length <= SHORT;
  return node;
}

/** Numbers of the rows in the order of a column: by value where its cells are numbers, else by text; equal ones as they stand. */
export function sortedRows(rows: readonly (readonly string[])[], column: number, descending: boolean): number[] {
  const numbers = rows.map((cells) => Number(cells[column].replace('\u2212', '-')));
  const areNumbers = numbers.every((value) => Number.isFinite(value));
  const compare = (a: number, b: number) => (areNumbers ? numbers[a] - numbers[b] : rows[a][column].localeCompare(rows[b][column]));
  return rows.map((_, k) => k).sort((a, b) => (descending ? compare(b, a) : compare(a, b)) || a - b);
}
