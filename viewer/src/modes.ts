/** What contacts do over time: open, closed, sticking, sliding. */
import type { Column } from './column';
import { array, column, object, ReportError, show, text } from './fields';
import { lowerBound } from './ranges';

/** In the order of the legend. */
export const MODES = ['open', 'closed', 'stick', 'slide+', 'slide-', 'slide'] as const;
export type Mode = (typeof MODES)[number];

/** One law: from times[k] on it is in modes[k], until the next of these times or the end of the run. */
export interface Band {
  label: string;
  /** Ascending. */
  times: Float64Array;
  modes: Mode[];
}

export interface ModesPanel {
  kind: 'modes';
  id: string;
  title: string;
  /** Empty if nothing. */
  note: string;
  times: Column;
  bands: Band[];
}

/** A time in one mode. */
export interface Span {
  mode: Mode;
  from: number;
  to: number;
}

export function readBands(entries: unknown, at: string): Band[] {
  return array(entries, at).map((entry, i) => {
    const where = `${at}[${i}]`;
    const fields = object(entry, where);
    const times = column(fields.times, `${where}.times`).values;
    const modes = array(fields.modes, `${where}.modes`).map((mode, k) => {
      if (!MODES.includes(mode as Mode)) throw new ReportError(`${where}.modes[${k}] is ${show(mode)}, expected one of ${MODES.join(', ')}.`);
      return mode as Mode;
    });
    if (modes.length !== times.length) throw new ReportError(`${where} has ${modes.length} modes, but ${times.length} times.`);
    for (let k = 1; k < times.length; k++) {
      if (!(times[k] > times[k - 1])) throw new ReportError(`${where}.times does not ascend at index ${k}.`);
    }
    return { label: text(fields.label, `${where}.label`), times, modes };
  });
}

/** The span that holds a time; at a change the one that begins there. Null before the first. */
export function spanAt(band: Band, time: number, end: number): Span | null {
  let k = lowerBound(band.times, time);
  if (k === band.times.length || band.times[k] > time) k--;
  return k < 0 ? null : span(band, k, end);
}

/** The spans that are seen within a piece of time, cut to it. */
export function spansWithin(band: Band, from: number, to: number, end: number): Span[] {
  const spans: Span[] = [];
  for (let k = Math.max(0, lowerBound(band.times, from) - 1); k < band.times.length && band.times[k] <= to; k++) {
    const whole = span(band, k, end);
    if (whole.to < from) continue;
    spans.push({ mode: whole.mode, from: Math.max(from, whole.from), to: Math.min(to, whole.to) });
  }
  return spans;
}

/** Those that occur, in the order of the legend. */
export function modesOf(bands: Band[]): Mode[] {
  return MODES.filter((mode) => bands.some((band) => band.modes.includes(mode)));
}

function span(band: Band, k: number, end: number): Span {
  return { mode: band.modes[k], from: band.times[k], to: k + 1 < band.times.length ? band.times[k + 1] : end };
}
