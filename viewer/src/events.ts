/** The table of events; a click on a time puts the cursor there. */
import type { EventTable } from './data';
import { element } from './dom';
import type { TimeView } from './view';

/** Longer tables are closed until the reader opens them. */
const SHORT = 60;

export function eventSection(table: EventTable, view: TimeView): HTMLElement {
  const headings = element('tr', {}, ...table.headings.map((heading) => element('th', { scope: 'col' }, heading)));
  const rows = table.rows.map((cells) => {
    const time = element('button', { type: 'button', title: 'Put the cursor here' }, cells[0]);
    time.addEventListener('click', () => view.setCursor(Number(cells[0])));
    return element('tr', {}, element('th', { scope: 'row' }, time), ...cells.slice(1).map((cell) => element('td', {}, cell)));
  });
  const body = element('table', {}, element('thead', {}, headings), element('tbody', {}, ...rows));
  const count = `${table.rows.length}${table.note === '' ? '' : `, ${table.note}`}`;
  const node = element(
    'details',
    { class: 'scene events' },
    element('summary', {}, element('h2', {}, 'Events'), ` ${count}`),
    element('div', { class: 'events-table', tabindex: '0', role: 'region', 'aria-label': 'Table of the events' }, body),
  );
  node.open = table.rows.length <= SHORT;
  return node;
}
