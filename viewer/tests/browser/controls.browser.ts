/** The page as a reader uses it: keys, camera; in a wide window and on a phone; dark; without a word to the network. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, WatchedPage } from './browser';
import { PixelReader } from './pixels';
import { Folder } from './program';

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
const widthOf = (watched: WatchedPage) => watched.page.evaluate('document.documentElement.scrollWidth');
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

// Two points stay where they were only if direction, distance and centre of the view are the same again.
test('the camera turns, comes closer and shifts, and F frames the motion as at first', async () => {
  const watched = await WatchedPage.report(browser, folder.at('tippe_top.html'));
  await watched.settled();
  const project = () => watched.inside((handle) => [handle.stage.project([0.01, 0, 0.02]), handle.stage.project([-0.03, 0.02, 0])], 0);
  const before = await project();
  const distance = (now: typeof before) => Math.max(...now.map((p, i) => Math.hypot(p.x - before[i].x, p.y - before[i].y)));
  const { mouse, keyboard } = watched.page;
  const box = (await watched.page.locator('.stage-host').boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const drag = async (button: 'left' | 'right') => {
    await mouse.move(x, y);
    await mouse.down({ button });
    await mouse.move(x + 90, y + 20, { steps: 4 });
    await mouse.up({ button });
  };
  for (const [name, leave] of [['turned', () => drag('left')], ['shifted', () => drag('right')], ['closer', () => mouse.wheel(0, -600)]] as const) {
    await mouse.move(x, y);
    await leave();
    await watched.page.waitForTimeout(100); // the wheel is told later than it is turned
    await watched.settled();
    expect(distance(await project()), name).toBeGreaterThan(5);
    await keyboard.press('f');
    await watched.settled();
    expect(distance(await project()), `${name} and framed, in pixels`).toBeLessThan(0.5);
  }
  expect(watched.troubles).toEqual([]);
  await watched.close();
});

test.each(['tippe_top', 'woodpecker'])('%s is dark where the reader wants it so, and fits a window', async (scene) => {
  const watched = await WatchedPage.report(browser, folder.at(`${scene}.html`), { size: { width: 1280, height: 900 }, colorScheme: 'dark' });
  await watched.settled();
  expect(await widthOf(watched)).toBeLessThanOrEqual(1280);
  const pixels = await PixelReader.open(browser);
  expect(await pixels.bright(await watched.page.screenshot()), 'share of the page').toBeLessThan(0.1);
  expect(await pixels.bright(await watched.stagePicture()), 'share of the stage').toBeLessThan(0.3);
  await watched.screenshot(`${scene}-dark`);
  await watched.page.emulateMedia({ colorScheme: 'light' });
  expect(await pixels.bright(await watched.stagePicture()), 'share of the stage in the light').toBeGreaterThan(0.5);
  expect(watched.troubles).toEqual([]);
  await watched.close();
});

test.each([
  ['phone', { width: 390, height: 844 }],
  ['large', { width: 2560, height: 1440 }],
])('the page fits a %s', async (name, size) => {
  const watched = await WatchedPage.report(browser, folder.at('woodpecker.html'), { size });
  await watched.settled();
  expect(await widthOf(watched)).toBeLessThanOrEqual(size.width);
  await watched.screenshot(`woodpecker-${name}`);
  expect(watched.troubles).toEqual([]);
  await watched.close();
});
