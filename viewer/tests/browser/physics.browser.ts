/** The page shows the physics first: motion, one plot, the outcome; units and labels on every axis; forces apart from impacts; a camera that follows. */
import { writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBrowser, WatchedPage, type Word } from './browser';
import { Folder, Recording, sceneFile } from './program';

let browser: Browser;
const folder = new Folder();

/** It rolls fifty times its own size away. */
const TRAVELLER = `tippe = 1
title = "Traveller"
[lagrangian]
coordinates = ["x", "phi"]
kinetic = "0.5*x'^2 + 0.1*phi'^2"
[initial]
"x'" = 5
"phi'" = -5
[run]
integrator = "rk4"
dt = 0.01
until = 10
[[draw]]
circle = ["x", 0.5, 0.5]
angle = "phi"
part = "wheel"
[[plane]]
name = "ground"
normal = [0, 1]
point = [0, 0]
`;

beforeAll(async () => {
  browser = await openBrowser();
  for (const scene of ['woodpecker', 'chain_drop']) folder.run(scene);
  writeFileSync(folder.at('traveller.toml'), TRAVELLER);
  folder.runFile('traveller.toml');
  folder.compare(sceneFile('bouncing_ball'), '--integrators', 'moreau,moreau-jean,event-driven', '--dt', '1e-2,5e-3', '--output', 'compare.html');
});
afterAll(async () => {
  await browser.close();
  folder.remove();
});

/** Labels of one canvas that cover each other, by more than a hair. */
function overlaps(words: readonly Word[]): string[] {
  const found: string[] = [];
  words.forEach((a, i) => {
    for (const b of words.slice(i + 1)) {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (a.canvas === b.canvas && across > 1 && down > 1) found.push(`${a.text} / ${b.text}`);
    }
  });
  return found;
}

/** Labels at the ticks of the plots: those to the left are right-aligned. */
function ticksOf(words: readonly Word[]): Map<number, { left: Word[]; below: Word[]; units: string[] }> {
  const plots = new Map<number, { left: Word[]; below: Word[]; units: string[] }>();
  for (const word of words) {
    if (!plots.has(word.canvas)) plots.set(word.canvas, { left: [], below: [], units: [] });
    const plot = plots.get(word.canvas)!;
    const isNumber = /^[\u2212]?\d/.test(word.text) || /^10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]/.test(word.text);
    if (isNumber && word.align === 'right') plot.left.push(word);
    else if (isNumber && word.align === 'center') plot.below.push(word);
    else plot.units.push(word.text);
  }
  return plots;
}

test('the motion, one plot and the outcome come first; numbers are folded', async () => {
  const watched = await WatchedPage.report(browser, folder.at('chain_drop.html'));
  await watched.settled();
  const inWindow = async (selector: string) => {
    const box = (await watched.page.locator(selector).first().boundingBox())!;
    return box.y >= 0 && box.y + box.height <= 900;
  };
  for (const selector of ['.stage-host', '.panels.first .panel', '.outcome']) expect(await inWindow(selector), selector).toBe(true);
  expect(await watched.page.locator('.panels.first .legend-entry').count()).toBeLessThanOrEqual(8);
  expect(await watched.page.locator('.outcome p').allTextContents()).toHaveLength(3);
  expect((await watched.page.locator('.outcome').textContent())!).toMatch(/Energy booked to .*J at the start.*impacts, deepest penetration [\d.]+ .?m/);
  expect(await watched.page.locator('details.numbers').getAttribute('open')).toBeNull();
  // Of four links none shows a quaternion.
  const labels = await watched.page.locator('.legend-label').allTextContents();
  expect(labels.filter((label) => label.endsWith('.qw'))).toEqual([]);
  await watched.screenshot('physics-first');
  expect(watched.troubles).toEqual([]);
  await watched.close();
});

test.each([
  ['light', 400],
  ['dark', 1280],
  ['light', 2560],
] as const)('every axis has its unit and three labels at least that do not overlap, %s, %i px', async (colorScheme, width) => {
  const watched = await WatchedPage.report(browser, folder.at('woodpecker.html'), { size: { width, height: 1000 }, colorScheme, words: true });
  const panels = watched.page.locator('.panel-time');
  for (let k = 0; k < (await panels.count()); k++) {
    await panels.nth(k).scrollIntoViewIfNeeded();
    await watched.settled();
  }
  const words = await watched.words();
  expect(overlaps(words)).toEqual([]);
  const plots = [...ticksOf(words).values()].filter(({ left }) => left.length > 0);
  expect(plots.length).toBeGreaterThan(8);
  for (const { left, below, units } of plots) {
    expect(left.length, left.map(({ text }) => text).join(' ')).toBeGreaterThanOrEqual(3);
    if (below.length > 0) expect(below.length).toBeGreaterThanOrEqual(3);
    expect(units.some((unit) => /(^|[ \u2009[])(m|rad|m\/s|rad\/s|J|N|N[ \u2009]s|1)\]?$/.test(unit)), units.join(', ')).toBe(true);
  }
  expect(await watched.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  expect(watched.troubles).toEqual([]);
  await watched.close();
});

test('forces are those without impacts, which have a table of their own that is sorted by a click', async () => {
  const recording = await Recording.open(folder.at('woodpecker.h5'));
  const [speeds, lost] = [recording.column('impacts/closing_speed'), recording.column('impacts/energy_lost')];
  const watched = await WatchedPage.report(browser, folder.at('woodpecker.html'));
  const rows = watched.page.locator('details.impacts tbody tr');
  expect(await rows.count()).toBe(speeds.length);
  const column = async (k: number) => (await rows.locator(`td:nth-child(${k})`).allTextContents()).map((text) => Number(text.replace('\u2212', '-')));
  const head = watched.page.locator('details.impacts thead button');
  for (const [k, values] of [[2, speeds], [4, lost]] as const) {
    await head.nth(k).click();
    const sorted = [...values].sort((a, b) => a - b);
    (await column(k + 1)).forEach((value, row) => expect(Math.abs(value - sorted[row])).toBeLessThan(1e-4 * Math.abs(sorted[row])));
    await head.nth(k).click();
    expect((await column(k + 1))[0] / sorted[sorted.length - 1]).toBeCloseTo(1, 3);
  }
  // The time of the row is still the one that a click goes to.
  const time = Number(await rows.first().locator('button').textContent());
  await rows.first().locator('button').click();
  expect(Math.abs((await watched.inside((handle) => handle.player.time, 0)) - time)).toBeLessThan(2e-4);
  expect(watched.troubles).toEqual([]);
  recording.close();
  await watched.close();
});

test('what travels stays in view, and the readout tells the time of the picture while it plays', async () => {
  const watched = await WatchedPage.report(browser, folder.at('traveller.html'));
  await watched.settled();
  const box = (await watched.page.locator('.stage-host').boundingBox())!;
  const wheel = () => watched.inside((handle) => handle.stage.project([5 * handle.player.times[handle.player.sample], 0.5, 0]), 0);
  for (const sample of [0, 400, 1000]) {
    await watched.inside((handle, k) => handle.player.show(k), sample);
    await watched.settled();
    const { x, y } = await wheel();
    expect(x > 0 && x < box.width && y > 0 && y < box.height, `${x}, ${y} at sample ${sample}`).toBe(true);
  }
  // Without following it is out of sight soon; a double click on it, or the list, follows it again.
  await watched.inside((handle) => handle.player.show(0), 0);
  await watched.settled();
  await watched.page.getByLabel('What the camera follows').selectOption('nothing');
  const before = await wheel();
  await watched.page.mouse.dblclick(box.x + before.x, box.y + before.y);
  await watched.settled();
  expect(await watched.page.getByLabel('What the camera follows').inputValue()).toBe('0');
  await watched.inside((handle) => handle.player.show(900), 0);
  await watched.settled();
  const after = await wheel();
  expect(Math.hypot(after.x - box.width / 2, after.y - box.height / 2), 'from the middle, in pixels').toBeLessThan(2);

  await watched.inside((handle) => handle.player.show(0), 0);
  await watched.inside((handle) => handle.player.play(), 0);
  const lags = await watched.page.evaluate(
    `new Promise((resolve) => {
      const lags = [];
      const look = () => {
        const player = window.tippe.player;
        const shown = Number(/t = ([\\d.e−]+) s/.exec(document.querySelector('.readout-time').textContent)[1].replace('−', '-'));
        lags.push(Math.abs(shown - player.times[player.sample]));
        if (lags.length < 30) requestAnimationFrame(() => setTimeout(look)); else resolve(lags);
      };
      requestAnimationFrame(() => setTimeout(look));
    })`,
  );
  expect(Math.max(...(lags as number[])), 's behind the picture').toBeLessThan(0.021); // two samples: a frame may come in between
  expect(watched.troubles).toEqual([]);
  await watched.close();
});

test('any column is drawn over any other, or at a section', async () => {
  const recording = await Recording.open(folder.at('woodpecker.h5'));
  const phi = recording.named('samples/q', 'phi');
  const rises = [...phi].filter((value, k) => k > 0 && phi[k - 1] < 0 && value >= 0).length;
  const struck = [...recording.column('impacts/law')].filter((law) => law === 0).length;
  const watched = await WatchedPage.report(browser, folder.at('woodpecker.html'), { words: true });
  const panel = watched.page.locator('.panel-phase');
  await panel.scrollIntoViewIfNeeded();
  await panel.getByLabel('Column to the right').selectOption('phi');
  await panel.getByLabel('Column upwards').selectOption("phi'");
  await watched.settled();
  expect((await watched.words()).map(({ text }) => text)).toEqual(expect.arrayContaining(['phi [rad]', "phi' [rad/s]"]));
  const section = panel.getByLabel('Section', { exact: true });
  await section.selectOption('+phi');
  expect(await panel.locator('.muted').textContent()).toBe(`${rises} points`);
  await section.selectOption('!beak');
  expect(await panel.locator('.muted').textContent()).toBe(`${struck} points`);
  await watched.screenshot('section');
  expect(watched.troubles).toEqual([]);
  recording.close();
  await watched.close();
});

test('a comparison begins with errors and orders, and nothing is cut off at 1280 px', async () => {
  const watched = await WatchedPage.report(browser, folder.at('compare.html'));
  const headings = await watched.page.locator('.runs').first().locator('thead th').allTextContents();
  expect(headings.slice(0, 6)).toEqual(['integrator', 'dt', 'error positions', 'order positions', 'error velocities', 'order velocities']);
  expect(await watched.page.locator('.panel h2').first().textContent()).toContain('Deviation');
  await watched.page.locator('.more-numbers > summary').click();
  for (const table of await watched.page.locator('.runs').all()) {
    expect(await table.evaluate((node) => node.scrollWidth - node.clientWidth), 'pixels cut off').toBeLessThanOrEqual(0);
  }
  expect(await watched.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1280);
  await watched.screenshot('compare-first');
  expect(watched.troubles).toEqual([]);
  await watched.close();
});
