/** Numbers of the sample that the replay shows: time, energies, and what each contact does. */
import type { Report } from './data';
import { carries, carryingFirst, contactState, type ContactState } from './contact_state';
import { contactsOf } from './drawing';
import { element } from './dom';
import type { ContactPrimitive } from './drawing_types';
import { energyRows, type EnergyRow } from './energies';
import { formatValue } from './format';
import { modeSwatch } from './mode_swatch';
import type { Band } from './modes';
import { rankOf } from './ranges';
import type { Replay } from './replay';

const ENERGY_DIGITS = 5;
const CONTACT_DIGITS = 4;
const TIME_DIGITS = 9;
/** Of contacts in a table; more cannot be read at one glance. */
const MOST_ROWS = 150;

interface ContactColumn {
  heading: string;
  title: string;
  text(state: ContactState): string;
}

const CONTACT_COLUMNS: readonly ContactColumn[] = [
  { heading: 'gap [m]', title: 'Gap', text: (state) => formatValue(state.gap, CONTACT_DIGITS) },
  { heading: 'fₙ [N]', title: 'Normal force, mean since the sample before; after an impact its impulse Λ, in N s', text: (state) => forceText(state, state.normal) },
  { heading: '|fₜ| [N]', title: 'Tangential force, mean since the sample before; after an impact its impulse Λ, in N s', text: (state) => forceText(state, state.tangential) },
  { heading: '|fₜ|/µfₙ', title: 'Part of the friction that is used: 1 on the friction cone', text: (state) => formatValue(state.use, 3) },
];

export class Readout {
  readonly node = element('div', { class: 'readout', tabindex: '0', role: 'region', 'aria-label': 'Values at the time of the replay' });
  readonly #replays: readonly Replay[];
  readonly #time = element('p', { class: 'readout-time' });
  readonly #energies: EnergyRow[];
  readonly #energyCells: HTMLElement[][];
  readonly #contacts: ContactTable[];

  /** One column of energies and one table of contacts for each of the replays. */
  constructor(report: Report, replays: readonly Replay[], colours: readonly (string | null)[]) {
    this.#replays = replays;
    this.#energies = energyRows(report.panels, replays[0].times, replays.map((replay) => replay.run));
    this.#energyCells = this.#energies.map((row) => row.columns.map(() => element(replays.length > 1 ? 'td' : 'dd')));
    this.node.append(this.#time);
    if (this.#energies.length > 0) this.node.append(replays.length > 1 ? this.#energyTable(colours) : this.#energyList());
    const bands = report.runs.length > 0 ? null : (report.panels.find((panel) => panel.kind === 'modes')?.bands ?? null);
    this.#contacts = replays.map((replay) => new ContactTable(replay, bands)).filter((table) => table.isUseful);
    const tables = this.#contacts.map((table, i) => element('div', {}, ...(replays.length > 1 ? [runName(replays[i], colours[i])] : []), table.node));
    this.node.append(element('div', { class: 'readout-runs' }, ...tables));
  }

  show(sample: number): void {
    const { times } = this.#replays[0];
    this.#time.replaceChildren(
      element('span', {}, `t = ${formatValue(times[sample], TIME_DIGITS)} s `),
      element('span', { class: 'muted' }, `sample ${(sample + 1).toLocaleString('en')} of ${times.length.toLocaleString('en')}${sideOfJump(times, sample)}`),
    );
    this.#energies.forEach((row, i) => row.columns.forEach((column, r) => (this.#energyCells[i][r].textContent = column === null ? '–' : `${formatValue(column.values[sample], ENERGY_DIGITS)} J`)));
    for (const table of this.#contacts) table.show(sample);
  }

  #energyList(): HTMLElement {
    return element('dl', { class: 'readout-energies' }, ...this.#energies.map((row, i) => element('div', {}, element('dt', {}, row.label), ...this.#energyCells[i])));
  }

  #energyTable(colours: readonly (string | null)[]): HTMLElement {
    const head = this.#replays.map((replay, i) => element('th', { scope: 'col' }, runName(replay, colours[i])));
    const rows = this.#energies.map((row, i) => element('tr', {}, element('th', { scope: 'row' }, row.label), ...this.#energyCells[i]));
    return element('table', { class: 'readout-comparison' }, element('thead', {}, element('tr', {}, element('td'), ...head)), element('tbody', {}, ...rows));
  }
}

/** One row for each contact; those that carry come first. Rows are kept, their texts change. */
class ContactTable {
  readonly node: HTMLElement;
  readonly isUseful: boolean;
  readonly #replay: Replay;
  readonly #listed: readonly ContactPrimitive[];
  readonly #bands: readonly Band[] | null;
  readonly #columns: readonly ContactColumn[];
  readonly #knowsForces: boolean;
  readonly #rows: { row: HTMLElement; name: HTMLElement; mode: HTMLElement; cells: HTMLElement[]; shownMode: string | null }[];
  readonly #count = element('span', { class: 'muted' });

  constructor(replay: Replay, bands: readonly Band[] | null) {
    this.#replay = replay;
    this.#bands = bands;
    const contacts = contactsOf(replay.drawing);
    this.#listed = contacts;
    const knowsForces = contacts.some((contact) => replay.hasForces(contact));
    this.#knowsForces = knowsForces;
    const knowsGaps = contacts.some((contact) => replay.hasGap(contact));
    const hasTangents = contacts.some((contact) => contact.tangents.length > 0);
    const hasFriction = hasTangents && contacts.some((contact) => contact.friction.length > 0);
    const useful = [knowsGaps, knowsForces, knowsForces && hasTangents, knowsForces && hasFriction];
    this.#columns = CONTACT_COLUMNS.filter((_, i) => useful[i]);
    this.isUseful = contacts.length > 0 && (this.#columns.length > 0 || bands !== null);
    const row = () => {
      const name = element('th', { scope: 'row' });
      const mode = element('td', { class: 'readout-mode' });
      const cells = this.#columns.map(() => element('td'));
      return { row: element('tr', {}, name, mode, ...cells), name, mode, cells, shownMode: null };
    };
    this.#rows = this.isUseful ? Array.from({ length: Math.min(contacts.length, MOST_ROWS) }, row) : [];
    const headings = [element('th', { scope: 'col' }, 'contact'), element('th', { scope: 'col' }, 'mode')];
    for (const { heading, title } of this.#columns) headings.push(element('th', { scope: 'col', title }, heading));
    this.node = element(
      'table',
      { class: 'readout-contacts' },
      element('caption', {}, 'Contacts ', this.#count),
      element('thead', {}, element('tr', {}, ...headings)),
      element('tbody', {}, ...this.#rows.map((entry) => entry.row)),
    );
  }

  show(sample: number): void {
    const states = carryingFirst(this.#listed.map((contact) => contactState(this.#replay, contact, this.#bands, sample)));
    this.#count.textContent = `${states.filter((state) => this.#carries(state)).length} of ${states.length} carrying${states.length > MOST_ROWS ? `, ${MOST_ROWS} listed` : ''}`;
    this.#rows.forEach((entry, i) => {
      const state = states[i];
      entry.row.classList.toggle('carries', this.#carries(state));
      setText(entry.name, state.contact.name);
      entry.name.title = state.contact.name; // where there is no room for it
      if (entry.shownMode !== state.mode) {
        entry.shownMode = state.mode;
        entry.mode.title = state.mode ?? ''; // where there is no room for the word
        entry.mode.replaceChildren(...(state.mode === null ? ['–'] : [modeSwatch(state.mode), element('span', { class: 'mode-word' }, state.mode)]));
      }
      this.#columns.forEach((column, k) => setText(entry.cells[k], column.text(state)));
    });
  }

  /** Where forces are recorded, one that is not known at this sample does not count. */
  #carries(state: ContactState): boolean {
    return carries(state) && !(this.#knowsForces && Number.isNaN(state.normal));
  }
}

function forceText(state: ContactState, value: number): string {
  return state.isImpulse && !Number.isNaN(value) ? `Λ ${formatValue(value, CONTACT_DIGITS)}` : formatValue(value, CONTACT_DIGITS);
}

function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Where several samples have one time, which of them this is. */
function sideOfJump(times: Float64Array, sample: number): string {
  if (times[sample + 1] === times[sample]) return ', before the impact';
  return rankOf(times, sample) > 0 ? ', after the impact' : '';
}

function runName(replay: Replay, colour: string | null): HTMLElement {
  const dot = element('span', { class: 'run-dot', 'aria-hidden': 'true' });
  if (colour !== null) dot.style.background = colour;
  return element('span', { class: 'run-name' }, dot, replay.label);
}
