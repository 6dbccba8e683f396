/** Plots, the table of events and the replay move together; a comparison draws the two runs that are chosen. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, WatchedPage } from './browser';
import { PixelReader } from './pixels';
import { Folder, Recording, sceneFile } from './program';

let browser: Browser;
const folder = new Folder();

beforeAll(async () => {
  browser = await openBrowser();
  folder.run('bouncing_ball', '--integrator', 'event-driven');
  folder.compare(sceneFile('bouncing_ball'), '--integrators', 'moreau,event-driven', '--dt', '1e-2', '--output', 'compare.html');
});
afterAll(async () => {
  await browser.close();
  folder.remove();
});

const timeOf = (watched: WatchedPage) => watched.inside((handle) => handle.player.time, 0);

test('a click in a plot takes the replay there', async () => {
  const recording = await Recording.open(folder.at('bouncing_ball.h5'));
  const times = recording.column('samples/time');
  const end = times[times.length - 1];
  const watched = await WatchedPage.report(browser, folder.at('bouncing_ball.html'));
  const plot = watched.page.locator('.panel-time .u-over').first();
  await plot.scrollIntoViewIfNeeded();
  const box = (await plot.boundingBox())!;
  for (const share of [0.6, 0.2]) {
    await plot.click({ position: { x: share * box.width, y: box.height / 2 } });
    const time = await timeOf(watched);
    expect(times).toContain(time);
    expect(Math.abs(time / end - share)).toBeLessThan(0.01);
  }
  expect(watched.troubles).toEqual([]);
  recording.close();
  await watched.close();
});

test('a click on an event takes the replay there', async () => {
  const recording = await Recording.open(folder.at('bouncing_ball.h5'));
  const events = recording.column('events/time');
  const watched = await WatchedPage.report(browser, folder.at('bouncing_ball.html'));
  const rows = watched.page.locator('details.events:not(.impacts) tbody tr');
  expect(await rows.count()).toBe(events.length);
  if (!(await rows.first().isVisible())) await watched.page.locator('details.events:not(.impacts) > summary').click();
  for (const k of [2, 0]) {
    await rows.nth(k).locator('td').first().click();
    expect(Math.abs((await timeOf(watched)) - events[k])).toBeLessThan(1e-11); // the table has 12 decimals
    await rows.nth(k + 1).locator('button').click();
    expect(Math.abs((await timeOf(watched)) - events[k + 1])).toBeLessThan(1e-11);
  }
  expect(watched.troubles).toEqual([]);
  recording.close();
  await watched.close();
});

test('a comparison draws the runs that are chosen', async () => {
  const watched = await WatchedPage.report(browser, folder.at('compare.html'));
  const pixels = await PixelReader.open(browser);
  const solid = watched.page.getByLabel('Run that is drawn', { exact: true });
  const ghost = watched.page.getByLabel('Run that is drawn over it as a ghost');
  const labels = await solid.locator('option').allTextContents();
  expect(labels.length).toBe(2);
  const names = () => watched.page.locator('.readout thead .run-name').allTextContents();
  expect(await names()).toEqual(labels);

  await watched.inside((handle) => handle.player.show(Math.round(0.3 * handle.player.times.length)), 0);
  const both = await watched.stagePicture();
  await watched.screenshot('compare');
  await ghost.selectOption({ label: 'none' });
  const first = await watched.stagePicture();
  await solid.selectOption({ label: labels[1] });
  const second = await watched.stagePicture();
  const changed = async (a: Buffer, b: Buffer) => (await pixels.compare(a, b, [], [])).total;
  expect(await changed(both, first), 'pixels of the ghost').toBeGreaterThan(100);
  expect(await changed(first, second), 'pixels of one run and the other').toBeGreaterThan(100);

  await ghost.selectOption({ label: labels[0] });
  expect(await names()).toEqual([labels[1], labels[0]]);
  await solid.selectOption({ label: labels[0] });
  expect(await names()).toEqual(labels);
  expect(await changed(await watched.stagePicture(), both), 'the first choice again').toBe(0);
  expect(watched.troubles).toEqual([]);
  await watched.close();
});
