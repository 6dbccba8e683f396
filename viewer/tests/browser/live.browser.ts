/** `tippe view` in the browser while a run goes on: the page grows, keeps what the reader set up, and says when the run is over or its recording gone. */
import type { ChildProcess } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, WatchedPage } from './browser';
import { Folder, sceneFile } from './program';

let browser: Browser;
const folder = new Folder();
const children: ChildProcess[] = [];

beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await browser.close();
  folder.remove();
});

function start(...args: string[]): ChildProcess {
  const child = folder.start(...args);
  children.push(child);
  return child;
}

async function fileAppears(path: string): Promise<void> {
  for (let k = 0; k < 500 && !existsSync(path); ++k) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(existsSync(path)).toBe(true);
}

function addressOf(view: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    view.stdout!.on('data', (piece: Buffer) => {
      output += piece.toString();
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output);
      if (found !== null) resolve(found[0]);
    });
    view.on('exit', (code) => reject(new Error(`tippe view ended with ${code}: ${output}`)));
  });
}

test('the page grows with the run, and shows the one that takes its place', { timeout: 90_000 }, async () => {
  const run = start('run', sceneFile('tippe_top'), '--until', '1000', '--no-report', '--quiet', '--flush', '0.2');
  await fileAppears(folder.at('tippe_top.h5'));
  const view = start('view', 'tippe_top.h5', '--no-browser');
  const watched = await WatchedPage.open(browser, await addressOf(view));
  await watched.until((handle) => handle?.player?.times.length > 0, 0);
  const samples = () => watched.inside((handle) => handle.player.times.length, 0);
  const first = await samples();
  // Who looks at the newest sample goes on looking at the newest.
  await watched.inside((handle) => handle.player.toEnd(), 0);
  await watched.until((handle, length) => handle.player.times.length > length, first);
  expect(await watched.inside((handle) => handle.player.atEnd, 0)).toBe(true);
  // Who looks at another one stays there.
  await watched.inside((handle) => handle.player.show(5), 0);
  const second = await samples();
  await watched.until((handle, length) => handle.player.times.length > length, second);
  expect(await watched.inside((handle) => handle.player.sample, 0)).toBe(5);
  await watched.screenshot('live');

  run.kill('SIGINT');
  await watched.until(() => document.getElementById('report')!.textContent!.includes('interrupted'), 0);

  // The recording goes away, and a shorter one takes its name.
  rmSync(folder.at('tippe_top.h5'));
  await watched.until(() => document.querySelector('.banner.lost') !== null, 0);
  expect(await watched.inside((handle) => handle.player.sample, 0)).toBe(5);
  folder.run('tippe_top', '--until', '0.1', '--no-report');
  await watched.until(() => document.querySelector('.banner.lost') === null, 0);
  expect(await watched.inside((handle) => handle.player.times[handle.player.times.length - 1], 0)).toBeCloseTo(0.1, 12);
  expect(watched.troubles).toEqual([]);
  await watched.close();
});
