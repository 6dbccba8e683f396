/** The drawings of the runs of a report, each with its numbers at hand. */
import type { Column } from './column';
import type { Impacts, Series, TimePanel } from './data';
import { readDrawing } from './drawing';
import type { ContactPrimitive, Drawing, Value } from './drawing_types';
import { array, column, index, object, ReportError, show, text, type Fields } from './fields';
import { upperBound } from './ranges';
import type { FoundContacts, Picture } from './stage/types';

/** Columns over the samples of a run; lists are empty where a quantity was not recorded. */
interface Numbers {
  times: Column;
  coordinates: Column[];
  columns: Column[];
  gaps: Column[];
  forces: Column[];
  /** Summed from the start. */
  impulses: Column[];
  found: FoundColumns | null;
}

/** Contacts that were found: those of sample k from start[k] to start[k + 1] - 1, three numbers of each in the others. */
interface FoundColumns {
  start: Column;
  at: Column;
  normal: Column;
  impulse: Column;
}

const NOTHING = new Float64Array(0);
/** An impact is seen for this part of a run. */
const AFTERGLOW = 150;

/** One run's drawing. Columns are decoded when a value of them is first asked for. */
export class Replay implements Picture {
  /** The number of the run; 0 on the page of a single run. */
  readonly run: number;
  readonly label: string;
  readonly drawing: Drawing;
  #numbers: Numbers;
  #impacts: Impacts | null = null;
  #afterglow = 0;

  constructor(run: number, label: string, drawing: Drawing, numbers: Numbers) {
    this.run = run;
    this.label = label;
    this.drawing = drawing;
    this.#numbers = numbers;
  }

  get times(): Float64Array {
    return this.#numbers.times.values;
  }

  value(value: Value, sample: number): number {
    if (typeof value === 'number') return value;
    return 'q' in value ? at(this.#numbers.coordinates[value.q], sample) : this.#numbers.columns[value.c].values[sample];
  }

  forces(contact: ContactPrimitive, sample: number): number[] {
    return contact.rows.map((row) => at(this.#numbers.forces[row], sample));
  }

  gap(contact: ContactPrimitive, sample: number): number {
    return contact.gap === null ? NaN : at(this.#numbers.gaps[contact.gap], sample);
  }

  /** Impulses of impacts are shown for a while after them. */
  watchImpacts(impacts: Impacts): void {
    this.#impacts = impacts;
    const { values } = this.#numbers.times;
    this.#afterglow = (values[values.length - 1] - values[0]) / AFTERGLOW;
  }

  impact(contact: ContactPrimitive, sample: number): number[] | null {
    const impacts = this.#impacts;
    if (impacts?.details === undefined) return null;
    const { details, times } = impacts;
    const now = this.times[sample];
    for (let k = upperBound(times, now) - 1; k >= 0 && times[k] >= now - this.#afterglow; k--) {
      if (details.laws[k] !== contact.law) continue;
      // The state before the jump has nothing of it yet.
      if (times[k] === now && this.times[sample + 1] === now) continue;
      return Array.from(details.impulses.subarray(4 * k, 4 * k + 1 + contact.tangents.length));
    }
    return null;
  }

  /** What the contact transmitted between the sample before and this one, normal first; NaN where unknown. */
  impulses(contact: ContactPrimitive, sample: number): number[] {
    return contact.rows.map((row) => at(this.#numbers.impulses[row], sample) - at(this.#numbers.impulses[row], sample - 1));
  }

  get mostFound(): number {
    const start = this.#numbers.found?.start.values;
    return start?.reduce((most, row, k) => (k === 0 ? 0 : Math.max(most, row - start[k - 1])), 0) ?? 0;
  }

  found(sample: number): FoundContacts {
    const { found, times } = this.#numbers;
    if (found === null) return { count: 0, at: NOTHING, normal: NOTHING, force: NOTHING };
    const [from, to] = [found.start.values[sample], found.start.values[sample + 1]];
    const part = ({ values }: Column) => values.subarray(3 * from, 3 * to);
    const dt = sample > 0 ? times.values[sample] - times.values[sample - 1] : 0;
    return { count: to - from, at: part(found.at), normal: part(found.normal), force: part(found.impulse).map((p) => (dt > 0 ? p / dt : NaN)) };
  }

  hasForces(contact: ContactPrimitive): boolean {
    return contact.rows.some((row) => this.#numbers.forces[row] !== undefined);
  }

  hasGap(contact: ContactPrimitive): boolean {
    return contact.gap !== null && this.#numbers.gaps[contact.gap] !== undefined;
  }

  /** Takes over the numbers of a longer recording of the same run; false if that is drawn otherwise. */
  adopt(longer: Replay): boolean {
    if (longer.run !== this.run || JSON.stringify(longer.drawing) !== JSON.stringify(this.drawing)) return false;
    this.#numbers = longer.#numbers;
    this.#impacts = longer.#impacts;
    this.#afterglow = longer.#afterglow;
    return true;
  }
}

/** The panels that a replay takes its numbers from are found by their ids. */
export function readReplays(entries: unknown, axes: Map<string, Column>, timePanels: Map<string, TimePanel>, runs: number): Replay[] {
  const replays = array(entries ?? [], 'replays').map((entry, i) => readReplay(object(entry, `replays[${i}]`), axes, timePanels, runs, `replays[${i}]`));
  for (let i = 1; i < replays.length; i++) {
    if (replays[i].times !== replays[0].times) throw new ReportError(`replays[${i}].axis differs from that of the first replay, but all move by one clock.`);
  }
  if (replays.length > 0 && replays[0].times.length === 0) return [];
  return replays;
}

function readReplay(fields: Fields, axes: Map<string, Column>, timePanels: Map<string, TimePanel>, runs: number, at: string): Replay {
  const axisName = fields.axis == null ? 'samples' : text(fields.axis, `${at}.axis`);
  const times = axes.get(axisName);
  if (times === undefined) throw new ReportError(`${at}.axis names "${axisName}", which is not among the axes.`);
  const columns = array(fields.columns ?? [], `${at}.columns`).map((encoded, i) => {
    const values = column(encoded, `${at}.columns[${i}]`);
    if (values.length !== times.length) {
      throw new ReportError(`${at}.columns[${i}] holds ${values.length} numbers, but the axis "${axisName}" has ${times.length}.`);
    }
    return values;
  });
  const recorded = (panel: string) => readSeriesList(fields[panel], panel, timePanels, times, `${at}.${panel}`);
  const coordinates = recorded('q');
  const gaps = recorded('gap');
  const forces = recorded('force');
  const impulses = recorded('impulse');
  const sizes = {
    coordinates: coordinates.length,
    columns: columns.length,
    gaps: gaps.length || Infinity, // a comparison need not have gaps or forces
    forces: forces.length || Infinity,
  };
  return new Replay(
    fields.run == null ? 0 : index(fields.run, Math.max(1, runs), 'runs', `${at}.run`),
    text(fields.label, `${at}.label`),
    readDrawing(fields.drawing, sizes, `${at}.drawing`),
    { times, coordinates, columns, gaps, forces, impulses, found: fields.contacts == null ? null : readFound(object(fields.contacts, `${at}.contacts`), times, `${at}.contacts`) },
  );
}

function readFound(fields: Fields, times: Column, at: string): FoundColumns {
  const read = (name: string) => column(fields[name], `${at}.${name}`);
  const found = { start: read('start'), at: read('at'), normal: read('normal'), impulse: read('impulse') };
  const { values: start } = found.start;
  if (start.length !== times.length + 1) throw new ReportError(`${at}.start holds ${start.length} numbers, expected one more than there are samples.`);
  const ascending = start.every((row, k) => Number.isInteger(row) && row >= (k === 0 ? 0 : start[k - 1]));
  if (!ascending || start[0] !== 0) throw new ReportError(`${at}.start does not count contacts.`);
  for (const name of ['at', 'normal', 'impulse'] as const) {
    const expected = 3 * start[start.length - 1];
    if (found[name].length !== expected) throw new ReportError(`${at}.${name} holds ${found[name].length} numbers, expected ${expected}.`);
  }
  return found;
}

/** Without a list these are the series of the panel in their order; none where there is no panel either. */
function readSeriesList(entry: unknown, panel: string, timePanels: Map<string, TimePanel>, times: Column, at: string): Column[] {
  const references = entry == null ? (timePanels.get(panel)?.series.map((_, series) => ({ panel, series })) ?? []) : array(entry, at);
  return references.map((reference, i) => {
    const where = `${at}[${i}]`;
    const named = object(reference, where);
    const { series, times: axis } = findSeries(named, timePanels, where);
    if (axis !== times) throw new ReportError(`${where} refers to panel ${show(named.panel)}, which has another axis than the replay.`);
    return series.column;
  });
}

function findSeries(reference: Fields, timePanels: Map<string, TimePanel>, at: string): { series: Series; times: Column } {
  const panel = timePanels.get(text(reference.panel, `${at}.panel`));
  if (panel === undefined) throw new ReportError(`${at} names panel ${show(reference.panel)}, which is not a time panel.`);
  return { series: panel.series[index(reference.series, panel.series.length, `series in panel "${panel.id}"`, at)], times: panel.times };
}

function at(values: Column | undefined, sample: number): number {
  return values?.values[sample] ?? NaN;
}
