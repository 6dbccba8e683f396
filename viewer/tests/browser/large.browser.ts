/** A recording of 100 MB opens in reasonable time, and a click far into it is answered at once. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pendulumDocument } from '../pendulum';
import { openBrowser, WatchedPage } from './browser';
import { Folder } from './program';

const SAMPLES = 650_000;
const LONGEST_LOAD = 60_000; // ms
const LONGEST_SEEK = 2000;

let browser: Browser;
const folder = new Folder();

beforeAll(async () => {
  browser = await openBrowser();
  const page = readFileSync(new URL('../../dist/report.html', import.meta.url), 'utf8');
  const data = JSON.stringify(pendulumDocument(SAMPLES));
  writeFileSync(folder.at('large.html'), page.replace('/*TIPPE-DATA*/null', () => data));
});
afterAll(async () => {
  await browser.close();
  folder.remove();
});

test('a large recording loads and seeks', { timeout: 2 * LONGEST_LOAD }, async () => {
  expect(statSync(folder.at('large.html')).size).toBeGreaterThan(100e6);
  const begin = performance.now();
  const watched = await WatchedPage.report(browser, folder.at('large.html'));
  await watched.settled();
  expect(await watched.inside((handle) => handle.player.times.length, 0)).toBe(SAMPLES);
  expect(performance.now() - begin, 'ms until it is drawn').toBeLessThan(LONGEST_LOAD);

  const before = await watched.stagePicture();
  const clicked = performance.now();
  await watched.scrubTo(0.37);
  await watched.settled();
  expect(performance.now() - clicked, 'ms until it is there').toBeLessThan(LONGEST_SEEK);
  const sample = await watched.inside((handle) => handle.player.sample, 0);
  expect(Math.abs(sample / SAMPLES - 0.37)).toBeLessThan(0.03);
  expect((await watched.stagePicture()).equals(before)).toBe(false);
  expect(watched.troubles).toEqual([]);
  await watched.close();
});
