/** Parts of a JSON document, each checked: a complaint names the place and what was expected there. */
import { Column } from './column';

/** The data do not follow the format; the message is meant for the reader of the page. */
export class ReportError extends Error {}

export type Fields = Record<string, unknown>;

export function object(value: unknown, at: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw expected('an object', value, at);
  return value as Fields;
}

export function array(value: unknown, at: string): unknown[] {
  if (!Array.isArray(value)) throw expected('a list', value, at);
  return value;
}

/** Texts may be left out: none of them is needed to draw the plots. */
export function text(value: unknown, at: string): string {
  if (value == null) return '';
  if (typeof value !== 'string') throw expected('a text', value, at);
  return value;
}

export function number(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw expected('a finite number', value, at);
  return value;
}

/** A whole number that counts one of `count` things, named for the complaint. */
export function index(value: unknown, count: number, things: string, at: string): number {
  if (!Number.isInteger(value) || (value as number) < 0) throw expected('a whole number, 0 or more', value, at);
  if ((value as number) >= count) throw new ReportError(`${at} is ${value as number}, but there are ${count} ${things}.`);
  return value as number;
}

export function column(value: unknown, at: string): Column {
  if (value instanceof Column) return value;
  if (typeof value !== 'string') throw expected('a base64 text', value, at);
  return explained(() => new Column(value), at);
}

/** Puts the place before what a column complains about. */
export function explained<Result>(read: () => Result, at: string): Result {
  try {
    return read();
  } catch (error) {
    throw new ReportError(`${at} ${(error as Error).message}.`);
  }
}

function expected(what: string, value: unknown, at: string): ReportError {
  return new ReportError(`${at} is ${show(value)}, expected ${what}.`);
}

export function show(value: unknown): string {
  if (value === undefined) return 'missing';
  const shown = JSON.stringify(value);
  return shown.length > 40 ? `${shown.slice(0, 40)}…` : shown;
}
