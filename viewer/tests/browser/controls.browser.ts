/** The page as a reader uses it: play, scrub, step, keys; in a wide window and on a phone; without a word to the network. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, WatchedPage } from './browser';
import { Folder, Recording } from './program';

let browser: Browser;
const folder = new Folder();

beforeAll(async () => {
  browser = await openBrowser();
  for (const scene of ['tippe_top', 'woodpecker']) folder.run(scene);
});
afterAll(async () => {
  await browser.close();
  folder.remove();
});

const sampleOf = (watched: WatchedPage) => watched.inside((handle) => handle.player.sample, 0);
const timeOf = (watched: WatchedPage) => watched.inside((handle) => handle.player.time, 0);

test('keys play, pause, step and return', async () => {
  const watched = await WatchedPage.report(browser, folder.at('tippe_top.html'));
  const { keyboard } = watched.page;
  expect(await sampleOf(watched)).toBe(0);
  for (const [key, sample] of [['.', 1], ['.', 2], ['ArrowRight', 3], [',', 2], ['ArrowLeft', 1], ['Backspace', 0], [',', 0]] as const) {
    await keyboard.press(key);
    expect(await sampleOf(watched), key).toBe(sample);
  }
  await keyboard.press('End');
  const last = await watched.inside((handle) => handle.player.times.length - 1, 0);
  expect(await sampleOf(watched)).toBe(last);
  await keyboard.press('Home');
  expect(await sampleOf(watched)).toBe(0);

  await keyboard.press('Space');
  await watched.until((handle) => handle.player.time > 0.02, 0);
  await keyboard.press('Space');
  const rest = await timeOf(watched);
  await watched.settled();
  expect(await timeOf(watched)).toBe(rest);
  expect(rest).toBeLessThan(2);
  const speed = await watched.inside((handle) => handle.player.speed, 0);
  await keyboard.press('+');
  expect(await watched.inside((handle) => handle.player.speed, 0)).toBeGreaterThan(speed);
  await keyboard.press('-');
  expect(await watched.inside((handle) => handle.player.speed, 0)).toBe(speed);
  await watched.screenshot('tippe_top');
  expect(watched.troubles).toEqual([]);
  await watched.close();
});

test('the slider scrubs, and the recording is shown at its own times', async () => {
  const recording = await Recording.open(folder.at('tippe_top.h5'));
  const times = recording.column('samples/time');
  const watched = await WatchedPage.report(browser, folder.at('tippe_top.html'));
  const slider = watched.page.locator('input.scrubber');
  const box = (await slider.boundingBox())!;
  for (const share of [0.25, 0.5, 0.8]) {
    await slider.click({ position: { x: share * box.width, y: box.height / 2 } });
    const time = await timeOf(watched);
    expect(times).toContain(time);
    expect(Math.abs(time / times[times.length - 1] - share)).toBeLessThan(0.03); // the thumb has a width
    expect(times[await sampleOf(watched)]).toBe(time);
  }
  recording.close();
  expect(watched.troubles).toEqual([]);
  await watched.close();
});

// The stage looks at the motion from elsewhere after a drag, and at all of it again after F.
test('the camera turns, and F frames the motion again', async () => {
  const watched = await WatchedPage.report(browser, folder.at('tippe_top.html'));
  await watched.settled();
  const project = () => watched.inside((handle) => handle.stage.project([0.01, 0, 0.02]), 0);
  const before = await project();
  const box = (await watched.page.locator('.stage-host').boundingBox())!;
  await watched.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await watched.page.mouse.down();
  await watched.page.mouse.move(box.x + box.width / 2 + 90, box.y + box.height / 2 + 20, { steps: 4 });
  await watched.page.mouse.up();
  await watched.settled();
  const turned = await project();
  expect(Math.hypot(turned.x - before.x, turned.y - before.y)).toBeGreaterThan(2);
  await watched.page.keyboard.press('f');
  await watched.settled();
  const framed = await project();
  expect(framed.x).toBeGreaterThan(0);
  expect(framed.x).toBeLessThan(box.width);
  expect(framed.y).toBeGreaterThan(0);
  expect(framed.y).toBeLessThan(box.height);
  expect(watched.troubles).toEqual([]);
  await watched.close();
});

test.each([
  ['phone', { width: 390, height: 844 }],
  ['window', { width: 1280, height: 900 }],
  ['large', { width: 2560, height: 1440 }],
])('the page fits a %s', async (name, size) => {
  const watched = await WatchedPage.report(browser, folder.at('woodpecker.html'), size);
  await watched.settled();
  const width = await watched.page.evaluate('document.documentElement.scrollWidth');
  expect(width).toBeLessThanOrEqual(size.width);
  await watched.screenshot(`woodpecker-${name}`);
  expect(watched.troubles).toEqual([]);
  await watched.close();
});
