import { describe, expect, it } from 'vitest';
import type { Report } from '../src/data';
import { followLive, isServed, type LiveHost } from '../src/live';
import { pendulumDocument } from './pendulum';

/** A server whose clock moves only when it is asked: every load takes `loadTime` ms. */
class Server implements LiveHost {
  loadTime = 10;
  calm = true;
  clock = 0;
  /** When the page is closed. */
  end = 200_000;
  readonly shown: { at: number; report: Report }[] = [];
  readonly complaints: (string | null)[] = [];
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
    if (this.clock > this.end) throw new Error('closed');
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
  complain(sentence: string | null): void {
    this.complaints.push(sentence);
  }
  count(name: string): number {
    return this.requests.filter((request) => request === name).length;
  }
}

/** Until the page is closed. */
async function follow(server: Server): Promise<void> {
  await expect(followLive(server)).rejects.toThrow('closed');
}

describe('isServed', () => {
  it('tells a served page from a report', () => {
    expect(isServed({ format: 'tippe-served', version: 1 })).toBe(true);
    expect(isServed({ format: 'tippe-report', version: 1 })).toBe(false);
    expect(() => isServed({ format: 'tippe-served', version: 7 })).toThrow('version 7');
  });
});

describe('a live page', () => {
  it('shows a finished run once and asks every five seconds for another', async () => {
    const server = new Server();
    server.end = 100_000;
    await follow(server);
    expect(server.requests.slice(0, 3)).toEqual(['state.json', 'data.json', 'state.json']);
    expect(server.count('state.json')).toBe(20);
    expect(server.shown.length).toBe(1);
    expect(server.complaints).toEqual([]);
  });

  it('loads anew when the stamp changes, until the run ends', async () => {
    const server = new Server();
    server.state = (now) => ({ status: now < 5000 ? 'running' : 'ok', stamp: String(Math.min(5, Math.floor(now / 1000))) });
    await follow(server);
    expect(server.shown.length).toBe(6);
    expect(server.shown[5].report.status).toBe('ok');
  });

  it('does not load what has not changed', async () => {
    const server = new Server();
    server.state = (now) => ({ status: now < 60000 ? 'running' : 'ok', stamp: now < 60000 ? 'a' : 'b' });
    await follow(server);
    expect(server.shown.length).toBe(2);
    expect(server.count('state.json')).toBeGreaterThan(50);
  });

  it('rests five times as long as a load took', async () => {
    const server = new Server();
    server.loadTime = 2000;
    server.state = (now) => ({ status: now < 100000 ? 'running' : 'ok', stamp: String(now) });
    await follow(server);
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
    await follow(server);
    expect(server.shown[1].at).toBeGreaterThan(30000);
  });

  it.each(['ok', 'failed', 'interrupted'])('follows a new run that takes the name of one that ended: %s', async (status) => {
    const server = new Server();
    server.state = (now) => (now < 60_000 ? { status, stamp: 'a' } : { status: now < 90_000 ? 'running' : 'ok', stamp: String(Math.floor(now / 1000)) });
    server.end = 90_000;
    await follow(server);
    expect(server.shown[1].at).toBeGreaterThan(60_000);
    expect(server.shown[1].at).toBeLessThan(66_000);
    expect(server.shown[1].report.status).toBe('running');
    expect(server.shown.length).toBeGreaterThan(24); // once a second
    expect(server.complaints).toEqual([]);
  });

  it('says once that the program does not answer, keeps what it has, and goes on when it does', async () => {
    const server = new Server();
    server.state = (now) => {
      if (now > 3000 && now < 60_000) throw new TypeError('Failed to fetch');
      return { status: 'running', stamp: now < 80_000 ? 'a' : 'b' };
    };
    await follow(server);
    expect(server.complaints).toEqual([expect.stringMatching(/does not answer/), null]);
    expect(server.shown.length).toBe(2);
    expect(server.shown[1].at).toBeLessThan(82_000);
    expect(server.shown[1].at).toBeGreaterThan(80_000);
  });

  it('asks again for data that were lost on the way', async () => {
    const server = new Server();
    const document = server.document;
    server.document = () => {
      if (server.clock < 7000) throw new TypeError('Failed to fetch');
      return document();
    };
    await follow(server);
    expect(server.complaints).toEqual([expect.stringMatching(/does not answer/), null]);
    expect(server.shown.length).toBe(1);
  });

  it('says why the recording is gone, and shows the run that takes its name', async () => {
    const server = new Server();
    server.state = (now) => {
      if (now < 3000) return { status: 'running', stamp: 'a' };
      return now < 50_000 ? { status: 'gone', stamp: 'a', message: 'run.h5 was deleted.' } : { status: 'ok', stamp: 'b' };
    };
    server.end = 60_000;
    await follow(server);
    expect(server.complaints).toEqual(['run.h5 was deleted.', null]);
    expect(server.shown.map(({ report }) => report.status)).toEqual(['running', 'ok']);
    expect(server.count('state.json')).toBeLessThan(3 + 57 / 5 + 2);
  });

  it('says what is wrong with the data, and asks for them again when they change', async () => {
    const server = new Server();
    const document = server.document;
    server.document = () => (server.clock < 50_000 ? { format: 'vtk' } : document());
    server.state = (now) => ({ status: 'ok', stamp: now < 50_000 ? 'a' : 'b' });
    await follow(server);
    expect(server.complaints).toEqual([expect.stringMatching(/not a Tippe report/), null]);
    expect(server.count('data.json')).toBe(2);
    expect(server.shown.length).toBe(1);
  });
});
