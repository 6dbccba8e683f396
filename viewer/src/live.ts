/**
 * A page that `tippe view` serves asks the program for the report, and while the computation runs
 * for longer ones.
 */
import { checkReport, type Report } from './data';
import { object, ReportError, show, text } from './fields';

export const SERVED_FORMAT = 'tippe-served';
export const SERVED_VERSION = 1;

const POLL_INTERVAL = 1000;
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
  /** The connection is lost, or what came cannot be shown. */
  complain(sentence: string): void;
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

/** Shows the report, then follows it until the computation ends, or the program or its recording is gone. */
export async function followLive(host: LiveHost): Promise<void> {
  let stamp: string | null = null;
  let loadedAt = -Infinity;
  let duration = 0;
  const load = async (): Promise<Report> => {
    const begin = host.now();
    const report = checkReport(await host.fetchJson('data.json'));
    host.show(report);
    loadedAt = host.now();
    duration = loadedAt - begin;
    return report;
  };

  try {
    stamp = readState(await host.fetchJson('state.json')).stamp; // before the data, so that nothing is missed
    let { status } = await load();
    while (status === 'running') {
      await host.wait(POLL_INTERVAL);
      const state = readState(await host.fetchJson('state.json'));
      if (state.status === 'gone') {
        host.complain(state.message || 'The recording cannot be read any more. The page shows what it has received.');
        return;
      }
      const isDue = host.now() - loadedAt >= REST_PER_LOAD * duration;
      if (state.stamp === stamp) status = state.status;
      else if (isDue && host.isCalm()) {
        stamp = state.stamp;
        status = (await load()).status;
      }
    }
  } catch (error) {
    host.complain(error instanceof ReportError ? error.message : 'The program that served this page does not answer any more. The page shows what it has received.');
  }
}

export function readState(document: unknown): LiveState {
  const fields = object(document, 'state.json');
  return { status: text(fields.status, 'state.json: status'), stamp: text(fields.stamp, 'state.json: stamp'), message: text(fields.message, 'state.json: message') };
}
