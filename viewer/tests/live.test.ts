import { describe, expect, it } from 'vitest';
import type { Report } from '../src/data';
import { followLive, isServed, type LiveHost } from '../src/live';
import { pendulumDocument } from './pendulum';

/** A server whose clock moves only when it is asked: every load takes `loadTime` ms. */
class Server implements LiveHost {
  loadTime = 10;
  calm = true;
  clock = 0;
  readonly shown: { at: number; report: Report }[] = [];
  readonly complaints: string[] = [];
  readonly requests: string[] = [];
  /** The state at a time; throws when the server is gone. */
  state: (now: number) => { status: string; stamp: string; message?: string } = () => ({ status: 'ok', stamp: 'a' });
  document = (): unknown => ({ ...pendulumDocument(20), status: this.state(this.clock).status });

  async fetchJson(name: string): Promise<unknown> {
    this.requests.push(name);
    const state = this.state(this.clock);
    if (name === 'state.json') return state;
    this.clock += this.loadTime;
    return this.document();
  }
  async wait(ms: number): Promise<void> {
    this.clock += ms;
    if (this.clock > 1e6) throw new Error('the page polls for ever');
  }
  now(): number {
    return this.clock;
  }
  isCalm(): boolean {
    return this.calm;
  }
  show(report: Report): void {
    this.shown.push({ at: this.clock, report });
  }
  complain(sentence: string): void {
    this.complaints.push(sentence);
  }
}

describe('isServed', () => {
  it('tells a served page from a report', () => {
    expect(isServed({ format: 'tippe-served', version: 1 })).toBe(true);
    expect(isServed({ format: 'tippe-report', version: 1 })).toBe(false);
    expect(() => isServed({ format: 'tippe-served', version: 7 })).toThrow('version 7');
  });
});

describe('a live page', () => {
  it('shows a finished run once and asks no more', async () => {
    const server = new Server();
    await followLive(server);
    expect(server.requests).toEqual(['state.json', 'data.json']);
    expect(server.shown.length).toBe(1);
    expect(server.complaints).toEqual([]);
  });

  it('loads anew when the stamp changes, until the run ends', async () => {
    const server = new Server();
    server.state = (now) => ({ status: now < 5000 ? 'running' : 'ok', stamp: String(Math.min(5, Math.floor(now / 1000))) });
    await followLive(server);
    expect(server.shown.length).toBe(6);
    expect(server.shown[5].report.status).toBe('ok');
  });

  it('does not load what has not changed', async () => {
    const server = new Server();
    server.state = (now) => ({ status: now < 60000 ? 'running' : 'ok', stamp: now < 60000 ? 'a' : 'b' });
    await followLive(server);
    expect(server.shown.length).toBe(2);
    expect(server.requests.filter((name) => name === 'state.json').length).toBeGreaterThan(50);
  });

  it('rests five times as long as a load took', async () => {
    const server = new Server();
    server.loadTime = 2000;
    server.state = (now) => ({ status: now < 100000 ? 'running' : 'ok', stamp: String(now) });
    await followLive(server);
    const begins = server.shown.map((shown) => shown.at - server.loadTime);
    for (let k = 1; k < begins.length; k++) expect(begins[k] - server.shown[k - 1].at).toBeGreaterThanOrEqual(5 * server.loadTime);
    expect(server.shown.length).toBeGreaterThan(5);
  });

  it('waits while the reader is busy', async () => {
    const server = new Server();
    server.state = (now) => {
      server.calm = now > 30000;
      return { status: now < 40000 ? 'running' : 'ok', stamp: String(now) };
    };
    await followLive(server);
    expect(server.shown[1].at).toBeGreaterThan(30000);
  });

  it('says once that the program is gone, and keeps what it has', async () => {
    const server = new Server();
    server.state = (now) => {
      if (now > 3000) throw new TypeError('Failed to fetch');
      return { status: 'running', stamp: 'a' };
    };
    await followLive(server);
    expect(server.complaints.length).toBe(1);
    expect(server.complaints[0]).toMatch(/does not answer/);
    expect(server.shown.length).toBe(1);
  });

  it('says why the recording is gone, and asks no more', async () => {
    const server = new Server();
    server.state = (now) => (now < 3000 ? { status: 'running', stamp: 'a' } : { status: 'gone', stamp: 'a', message: 'run.h5 was deleted.' });
    await followLive(server);
    expect(server.complaints).toEqual(['run.h5 was deleted.']);
    expect(server.shown.length).toBe(1);
  });

  it('says what is wrong with the data', async () => {
    const server = new Server();
    server.document = () => ({ format: 'vtk' });
    await followLive(server);
    expect(server.complaints[0]).toMatch(/not a Tippe report/);
  });
});
