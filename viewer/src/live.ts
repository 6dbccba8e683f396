/**
 * A page that `tippe view` serves asks the program for the report, while the computation runs for
 * longer ones, and afterwards, less often, for another run in its place.
 */
import { checkReport, type Report } from './data';
import { object, ReportError, show, text } from './fields';

export const SERVED_FORMAT = 'tippe-served';
export const SERVED_VERSION = 1;

const POLL_INTERVAL = 1000;
/** While nothing is computed, or nothing answers. */
const SLOW_POLL_INTERVAL = 5000;
/** A load that takes long is repeated the more rarely: this many times its duration apart. */
const REST_PER_LOAD = 5;

export interface LiveState {
  status: string;
  /** Changes when the report would. */
  stamp: string;
  /** Why the recording is "gone". */
  message: string;
}

/** What the live page does to the world; replaced in tests. */
export interface LiveHost {
  fetchJson(name: string): Promise<unknown>;
  wait(ms: number): Promise<void>;
  now(): number;
  /** False while a new report would disturb the reader, who is typing or dragging. */
  isCalm(): boolean;
  show(report: Report): void;
  /** The connection is lost, or what came cannot be shown; null when all is well again. */
  complain(sentence: string | null): void;
}

/** Whether the data in the page say that the report is to be fetched. */
export function isServed(document: unknown): boolean {
  const fields = typeof document === 'object' && document !== null ? (document as { format?: unknown; version?: unknown }) : {};
  if (fields.format !== SERVED_FORMAT) return false;
  if (fields.version !== SERVED_VERSION) {
    throw new ReportError(`This page is served as version ${show(fields.version)}, but it knows version ${SERVED_VERSION}.`);
  }
  return true;
}

/** Shows the report and goes on asking for newer ones; ends only when waiting fails. */
export async function followLive(host: LiveHost): Promise<never> {
  const follower = new Follower(host);
  let complaint: string | null = null;
  for (;;) {
    const before: string | null = complaint;
    let interval = SLOW_POLL_INTERVAL;
    try {
      const isAwaiting = await follower.poll();
      if (isAwaiting) interval = POLL_INTERVAL;
      complaint = follower.trouble;
    } catch {
      complaint = 'The program that served this page does not answer. The page shows what it has received.';
    }
    if (complaint !== before) host.complain(complaint);
    await host.wait(interval);
  }
}

class Follower {
  /** What is wrong with what the program answered last. */
  trouble: string | null = null;

  readonly #host: LiveHost;
  #stamp: string | null = null;
  #documentTrouble: string | null = null;
  #loadedAt = -Infinity;
  #duration = 0;

  constructor(host: LiveHost) {
    this.#host = host;
  }

  /** Whether something newer is expected soon. Throws where the program does not answer. */
  async poll(): Promise<boolean> {
    const state = await this.#readState(); // before the data, so that nothing is missed
    if (state === null) return false;
    if (state.stamp !== this.#stamp && this.#mayLoad()) await this.#load(state.stamp);
    const isGone = state.status === 'gone';
    this.trouble = isGone ? state.message || 'The recording cannot be read any more. The page shows what it has received.' : this.#documentTrouble;
    return state.status === 'running' || state.stamp !== this.#stamp;
  }

  async #readState(): Promise<LiveState | null> {
    const document = await this.#host.fetchJson('state.json');
    try {
      return readState(document);
    } catch (error) {
      this.trouble = (error as Error).message;
      return null;
    }
  }

  #mayLoad(): boolean {
    if (this.#stamp === null) return true;
    return this.#host.now() - this.#loadedAt >= REST_PER_LOAD * this.#duration && this.#host.isCalm();
  }

  /** What cannot be shown is not asked for again until it changes. */
  async #load(stamp: string): Promise<void> {
    const begin = this.#host.now();
    const document = await this.#host.fetchJson('data.json');
    this.#documentTrouble = null;
    try {
      this.#host.show(checkReport(document));
    } catch (error) {
      this.#documentTrouble = (error as Error).message;
    }
    this.#stamp = stamp;
    this.#loadedAt = this.#host.now();
    this.#duration = this.#loadedAt - begin;
  }
}

export function readState(document: unknown): LiveState {
  const fields = object(document, 'state.json');
  return { status: text(fields.status, 'state.json: status'), stamp: text(fields.stamp, 'state.json: stamp'), message: text(fields.message, 'state.json: message') };
}
