/** The force laws of a run, its impacts, and what follows from both: finite forces, and what contacts do over time. */
import { Column } from './column';
import type { Series, TimePanel } from './data';
import { array, column, index, number, object, ReportError, text } from './fields';
import type { Band, Mode, ModesPanel } from './modes';

export interface Law {
  name: string;
  /** The first of its rows among the impulses, and how many. */
  row: number;
  rows: number;
  /** Its number among the gaps; null for a law without one. */
  gap: number | null;
  /** |f_t|/f_n along its directions while it slides; null where that is not one number. */
  friction: readonly [number, number] | null;
  /** The force of dry friction against one velocity while it slides forwards, and backwards. */
  limit: readonly [number, number] | null;
}

export interface Impacts {
  /** Ascending. */
  times: Float64Array;
  /** The name of the law of each. */
  contacts: string[];
  /** None in reports that name times and contacts only. */
  details?: ImpactDetails;
}

/** One number for each impact, unless it says otherwise. */
export interface ImpactDetails {
  laws: Float64Array;
  speeds: Float64Array;
  lost: Float64Array;
  /** Four for each: normal, tangents, drilling. */
  impulses: Float64Array;
}

const ROWS = 4;

export function readLaws(entries: unknown): Law[] {
  return array(entries ?? [], 'laws').map((entry, i) => {
    const at = `laws[${i}]`;
    const law = object(entry, at);
    const pair = (key: string): [number, number] | null => {
      if (law[key] == null) return null;
      const numbers = array(law[key], `${at}.${key}`).map((value) => number(value, `${at}.${key}`));
      return [numbers[0] ?? NaN, numbers[1] ?? NaN];
    };
    return {
      name: text(law.name, `${at}.name`),
      row: number(law.row, `${at}.row`),
      rows: number(law.rows, `${at}.rows`),
      gap: law.gap == null ? null : number(law.gap, `${at}.gap`),
      friction: pair('friction'),
      limit: pair('limit'),
    };
  });
}

/** Columns, or in older reports a list of times and names. */
export function readImpacts(value: unknown, laws: readonly Law[]): Impacts {
  if (value == null || Array.isArray(value)) return readImpactList(array(value ?? [], 'impacts'));
  const fields = object(value, 'impacts');
  const read = (key: string) => column(fields[key], `impacts.${key}`).values;
  const times = read('time');
  const numbers = read('law');
  const details = { laws: numbers, speeds: read('speed'), lost: read('lost'), impulses: read('impulse') };
  if (numbers.length !== times.length || details.speeds.length !== times.length || details.lost.length !== times.length || details.impulses.length !== ROWS * times.length) {
    throw new ReportError('The columns of impacts differ in length.');
  }
  numbers.forEach((law, i) => index(law, laws.length, 'laws', `impacts.law[${i}]`));
  return { times, contacts: Array.from(numbers, (law) => laws[law].name), details };
}

function readImpactList(entries: unknown[]): Impacts {
  const impacts = entries.map((entry, i) => {
    const impact = object(entry, `impacts[${i}]`);
    return { time: number(impact.time, `impacts[${i}].time`), contact: text(impact.contact, `impacts[${i}].contact`) };
  });
  impacts.sort((a, b) => a.time - b.time);
  const times = Float64Array.from(impacts, (impact) => impact.time);
  return { times, contacts: impacts.map((impact) => impact.contact) };
}

/**
 * Forces without impacts: of the impulse since the sample before what impacts have not transmitted, over the time. Where no time has passed,
 * and at the first sample, there is no force.
 */
export function forcePanel(impulse: TimePanel, impacts: Impacts, laws: readonly Law[]): TimePanel {
  const times = impulse.times;
  const series = impulse.series.map(({ label, unit, column: sums }, row): Series => {
    const law = laws.findIndex((one) => row >= one.row && row < one.row + one.rows);
    const values = () => finiteForces(times.values, sums.values, impacts, law, row - (laws[law]?.row ?? 0));
    return { label, unit: unit.replace(/ s(?=\/|$)/, ''), column: Column.lazy(sums.length, values) };
  });
  const note = impacts.details === undefined ? 'mean since the sample before' : 'mean since the sample before, without impacts, which have impulses of their own';
  return { ...impulse, id: 'force', title: 'Contact forces', note, unit: '', robust: true, series };
}

function finiteForces(times: Float64Array, sums: Float64Array, impacts: Impacts, law: number, row: number): Float64Array {
  const forces = new Float64Array(times.length).fill(NaN);
  const { details } = impacts;
  let next = 0;
  for (let k = 1; k < times.length; k++) {
    let impulse = sums[k] - sums[k - 1];
    const before = Math.abs(impulse);
    for (; details !== undefined && next < impacts.times.length && impacts.times[next] <= times[k]; next++) {
      if (details.laws[next] === law && row < ROWS && times[k] > times[k - 1]) impulse -= details.impulses[ROWS * next + row];
    }
    if (!(times[k] > times[k - 1])) continue;
    forces[k] = Math.abs(impulse) <= 1e-6 * before ? 0 : impulse / (times[k] - times[k - 1]);
  }
  return forces;
}

/** The impulses of all impacts, one series for each law that has some: the normal one where it has one. */
export function impactPanel(impacts: Impacts, laws: readonly Law[], units: readonly string[]): TimePanel | null {
  const { details } = impacts;
  if (details === undefined || impacts.times.length === 0) return null;
  const struck = [...new Set(details.laws)].sort((a, b) => a - b);
  const series = struck.map((law): Series => {
    const values = () => details.laws.map((one, k) => (one === law ? details.impulses[ROWS * k] : NaN));
    return { label: laws[law].name, unit: units[laws[law].row] ?? 'N s', column: Column.lazy(impacts.times.length, values) };
  });
  const times = Column.lazy(impacts.times.length, () => impacts.times);
  return { kind: 'time', id: 'impact', title: 'Impacts', note: 'normal impulse of each', unit: '', log: false, ofRuns: false, stems: true, times, series };
}

/** This part of the friction cone, or more, is its surface. */
const ON_CONE = 1 - 1e-3;
/** Of the largest force of a law: less than this is none. */
const NOTHING = 1e-9;

/** What each law did between samples. An integrator that finds events knows it better: this is for all others. */
export function modesPanel(impulse: TimePanel, laws: readonly Law[]): ModesPanel | null {
  if (laws.length === 0) return null;
  const times = impulse.times.values;
  const bands = laws.map((law) => bandOf(law, times, Array.from({ length: law.rows }, (_, k) => impulse.series[law.row + k]?.column.values ?? new Float64Array(times.length))));
  return { kind: 'modes', id: 'modes', title: 'Modes', note: 'from the impulses between samples', times: impulse.times, bands };
}

function bandOf(law: Law, times: Float64Array, rows: Float64Array[]): Band {
  const band = { label: law.name, times: [] as number[], modes: [] as Mode[] };
  let largest = 0;
  for (let k = 1; k < times.length; k++) largest = Math.max(largest, Math.abs(rows[0][k] - rows[0][k - 1]));
  for (let k = 1; k < times.length; k++) {
    if (!(times[k] > times[k - 1])) continue;
    const mode = modeOf(law, rows.map((row) => row[k] - row[k - 1]), times[k] - times[k - 1], NOTHING * largest);
    if (mode === band.modes[band.modes.length - 1]) continue;
    band.times.push(times[k - 1]);
    band.modes.push(mode);
  }
  return { ...band, times: Float64Array.from(band.times) };
}

function modeOf(law: Law, impulse: number[], dt: number, nothing: number): Mode {
  if (law.gap === null) {
    if (law.limit === null) return Math.abs(impulse[0]) > nothing ? 'closed' : 'open';
    if (impulse[0] <= -law.limit[0] * dt * ON_CONE) return 'slide+';
    return impulse[0] >= law.limit[1] * dt * ON_CONE ? 'slide-' : 'stick';
  }
  if (!(impulse[0] > nothing)) return 'open';
  const slips = impulse.slice(1, 3);
  if (slips.length === 0 || law.friction === null) return 'closed';
  const use = Math.hypot(...slips.map((part, i) => (law.friction![i] > 0 ? part / law.friction![i] : 0))) / impulse[0];
  if (!slips.some((_, i) => law.friction![i] > 0)) return 'closed';
  if (use < ON_CONE) return 'stick';
  return slips.length === 2 ? 'slide' : slips[0] < 0 ? 'slide+' : 'slide-';
}
