/** The table of events or impacts; a click on a row goes there, to what is after the jump. */
import type { EventTable, Impacts } from './data';
import { element } from './dom';
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
  const rows = impacts.contacts.slice(0, MOST_IMPACTS).map((contact, i) => [String(Number(impacts.times[i].toPrecision(TIME_DIGITS))), contact]);
  return { headings: ['time', 'contact'], rows, note: count > MOST_IMPACTS ? `the first ${MOST_IMPACTS} of ${count.toLocaleString('en')}` : '' };
}

export function eventSection(title: string, table: EventTable, view: TimeView): HTMLElement {
  const headings = element('tr', {}, ...table.headings.map((heading) => element('th', { scope: 'col' }, heading)));
  const rows = table.rows.map((cells) => {
    const time = element('button', { type: 'button', title: 'Go there' }, cells[0]);
    return element('tr', { 'data-time': cells[0] }, element('th', { scope: 'row' }, time), ...cells.slice(1).map((cell) => element('td', {}, cell)));
  });
  const body = element('table', {}, element('thead', {}, headings), element('tbody', {}, ...rows));
  body.addEventListener('click', (event) => {
    const time = Number((event.target as Element).closest('tr')?.dataset.time ?? NaN);
    const isSelecting = getSelection()?.isCollapsed === false; // text to be copied
    if (Number.isFinite(time) && !isSelecting) view.goTo(time, LAST_RANK);
  });
  const count = `${table.rows.length.toLocaleString('en')}${table.note === '' ? '' : `, ${table.note}`}`;
  const name = title.toLowerCase();
  const node = element(
    'details',
    { class: 'scene events' },
    element('summary', {}, element('h2', {}, title), ` ${count}`),
    element('div', { class: 'events-table', tabindex: '0', role: 'region', 'aria-label': `Table of the ${name}` }, body),
  );
  node.open = table.rows.length <= SHORT;
  return node;
}
