/**
 * Bodies are drawn where the recording has them. Positions are read from the HDF5 file, projected by the stage, and looked for in
 * screenshots: between two samples a picture changes where bodies were and are, and nowhere else.
 */
import type { Browser } from 'playwright-core';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBrowser, WatchedPage } from './browser';
import { PixelReader, type Disc } from './pixels';
import { Folder, Recording } from './program';

/** Where a body is at a sample, in m, and how far it reaches from there. */
interface Body {
  at(recording: Recording): (sample: number) => [number, number, number];
  radius: number;
  /** All of this around its centre is filled, however it is turned. */
  core: number;
}

const NAMED = (name: string, radius: number, core: number, axes = ['x', 'y', 'z']): Body => ({
  radius,
  core,
  at(recording) {
    const columns = axes.map((axis) => recording.named('samples/q', `${name}.${axis}`));
    return (sample) => [columns[0][sample], columns[1][sample], columns[2]?.[sample] ?? 0];
  },
});

const BALLS = ['cue', 'ball11', 'ball21', 'ball22', 'ball31', 'ball32', 'ball33'];

const PENDULUM = `tippe = 1
title = "Pendulum"
[parameters]
l = 0.8
[lagrangian]
coordinates = ["phi"]
kinetic = "0.5*l^2*phi'^2"
potential = "-9.81*l*cos(phi)"
[initial]
phi = 1.2
[[draw]]
line = ["0", "0", "l*sin(phi)", "-l*cos(phi)"]
[[draw]]
circle = ["l*sin(phi)", "-l*cos(phi)", "0.06"]
part = "bob"
[run]
integrator = "moreau"
dt = 1e-3
until = 2
`;

interface Case {
  scene: string;
  /** Bodies whose places are looked at, among all that move. */
  bodies: Body[];
  /** A disc of its radius, drawn in the plane: its centre is known to a pixel. */
  isRound: boolean;
  /** Room for what moves with the bodies beyond their radius, as a share of it. */
  margin: number;
}

const CASES: Case[] = [
  { scene: 'billiards', bodies: BALLS.map((name) => NAMED(name, 0.0286, 0.0286, ['x', 'y'])), isRound: true, margin: 0.1 },
  { scene: 'tippe_top', bodies: [NAMED('top', 0.021, 0.01)], isRound: false, margin: 0.2 }, // with its shadow
  { scene: 'chain_drop', bodies: Array.from({ length: 4 }, (_, k) => NAMED(`link${k + 1}`, 0.05, 0.008)), isRound: false, margin: 0.1 },
];

let browser: Browser;
let pixels: PixelReader;
const folder = new Folder();

beforeAll(async () => {
  browser = await openBrowser();
  pixels = await PixelReader.open(browser);
});
afterAll(async () => {
  await browser.close();
  folder.remove();
});

/** The picture at a sample, without what is not a body, and where the given points are on it. */
async function picture(watched: WatchedPage, sample: number, points: [number, number, number][]) {
  await watched.inside((handle, k) => handle.player.show(k), sample);
  const png = await watched.stagePicture();
  const places = await watched.inside((handle, list) => list.map((point) => handle.stage.project(point as [number, number, number])), points);
  return { png, places };
}

/** Discs on the screen around places in space. */
async function discsOf(watched: WatchedPage, points: [number, number, number][], radius: number): Promise<Disc[]> {
  return watched.inside(
    (handle, { list, reach }) =>
      list.map(([x, y, z]) => {
        const at = handle.stage.project([x, y, z]);
        const ends = [handle.stage.project([x + reach, y, z]), handle.stage.project([x, y + reach, z]), handle.stage.project([x, y, z + reach])];
        return { ...at, radius: Math.max(...ends.map((end) => Math.hypot(end.x - at.x, end.y - at.y))) };
      }),
    { list: points, reach: radius },
  );
}

type Point = [number, number, number];

function betweenAll(points: Point[]): Point[] {
  return points.flatMap((a, i) => points.slice(i + 1).map((b): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2]));
}

async function plain(watched: WatchedPage): Promise<void> {
  await watched.inside((handle) => handle.stage.setOptions({ forces: false, cones: false, normals: false, trails: false, names: false, forceScale: 1 }), 0);
}

/** From wherever it stands: plays from the start, pauses, and goes where the slider is clicked. */
async function playAndScrub(watched: WatchedPage, times: Float64Array): Promise<void> {
  const end = times[times.length - 1];
  const [sample, time] = [() => watched.inside((handle) => handle.player.sample, 0), () => watched.inside((handle) => handle.player.time, 0)];
  await watched.page.keyboard.press('Home');
  await watched.page.keyboard.press('Space');
  await watched.until((handle) => handle.player.sample >= 3, 0);
  await watched.page.keyboard.press('Space');
  const rest = await sample();
  expect(rest).toBeLessThan(times.length - 1);
  await watched.settled();
  expect(await sample()).toBe(rest);
  for (const share of [0.25, 0.8, 0.5]) {
    await watched.scrubTo(share);
    expect(times[await sample()]).toBe(await time());
    expect(Math.abs((await time()) / end - share)).toBeLessThan(0.03); // the thumb has a width
  }
}

describe.each(CASES)('$scene', ({ scene, bodies, isRound, margin }) => {
  test('is drawn where the recording has it, plays and is scrubbed', async () => {
    folder.run(scene);
    const recording = await Recording.open(folder.at(`${scene}.h5`));
    const watched = await WatchedPage.report(browser, folder.at(`${scene}.html`));
    const times = recording.column('samples/time');
    expect(await watched.inside((handle) => Array.from(handle.player.times), 0)).toEqual(Array.from(times));
    await plain(watched);
    const places = bodies.map((body) => body.at(recording));
    const last = times.length - 1;
    let looked = 0;
    for (const [a, b] of [[0, Math.round(0.45 * last)], [Math.round(0.3 * last), last], [Math.round(0.6 * last), 0]]) {
      const [then, now] = [places.map((at) => at(a)), places.map((at) => at(b))];
      const first = await picture(watched, a, then);
      const second = await picture(watched, b, now);
      const radius = bodies[0].radius;
      const [before, after] = [await discsOf(watched, then, radius), await discsOf(watched, now, radius)];
      const wide = (discs: Disc[]) => discs.map((disc) => ({ ...disc, radius: disc.radius * (1 + margin) + 3 }));
      const small = await discsOf(watched, then, bodies[0].core);
      // Between two balls that are not far apart a mark shows where they would touch.
      const marks = await discsOf(watched, [...betweenAll(then), ...betweenAll(now)], 0);
      const others = [...wide(before), ...wide(after), ...marks.map((mark) => ({ ...mark, radius: 7 }))];
      const change = await pixels.compare(first.png, second.png, isRound ? wide(before) : small, others);
      expect(change.elsewhere, `pixels of ${change.total} that changed far from all bodies`).toBeLessThan(0.01 * change.total + 20);
      for (const [i, disc] of before.entries()) {
        const far = (other: Disc) => Math.hypot(other.x - disc.x, other.y - disc.y) > (disc.radius + other.radius) * (1 + margin) + 4;
        if (!after.every(far)) continue; // something else is there now, or it did not move
        const isAlone = before.every((other, j) => j === i || far(other));
        ++looked;
        if (!isRound) {
          expect(change.discs[i].share, `body ${i} at sample ${a}`).toBeGreaterThan(0.7);
        } else if (isAlone) {
          expect(Math.hypot(change.discs[i].x - disc.x, change.discs[i].y - disc.y), `body ${i} at sample ${a}, in pixels`).toBeLessThan(1.5);
          expect(change.discs[i].share * wide(before)[i].radius ** 2, 'its size').toBeGreaterThan(0.7 * disc.radius ** 2);
        }
      }
    }
    expect(looked).toBeGreaterThan(0);
    await playAndScrub(watched, times);
    await watched.screenshot(`${scene}-places`);
    expect(watched.troubles).toEqual([]);
    recording.close();
    await watched.close();
  });
});

// A drawing by expressions: the bob is at (l sin phi, -l cos phi).
test('a pendulum is drawn by its expressions', async () => {
  writeFileSync(folder.at('pendulum.toml'), PENDULUM);
  folder.runFile('pendulum.toml');
  const recording = await Recording.open(folder.at('pendulum.h5'));
  const phi = recording.named('samples/q', 'phi');
  const watched = await WatchedPage.report(browser, folder.at('pendulum.html'));
  await plain(watched);
  const bob = (k: number): [number, number, number] => [0.8 * Math.sin(phi[k]), -0.8 * Math.cos(phi[k]), 0];
  const middle = (k: number): [number, number, number] => [0.4 * Math.sin(phi[k]), -0.4 * Math.cos(phi[k]), 0];
  for (const [a, b] of [[0, 900], [900, 1400], [1999, 0]]) {
    const first = await picture(watched, a, [bob(a)]);
    const second = await picture(watched, b, [bob(b)]);
    const [disc] = await discsOf(watched, [bob(a)], 0.06);
    const [rod] = await discsOf(watched, [middle(a)], 0.01);
    const change = await pixels.compare(first.png, second.png, [{ ...disc, radius: disc.radius + 3 }, { ...rod, radius: 2 }], []);
    expect(Math.hypot(change.discs[0].x - disc.x, change.discs[0].y - disc.y), `bob at sample ${a}, in pixels`).toBeLessThan(1.5);
    expect(change.discs[0].share).toBeGreaterThan(0.1); // at least its outline
    expect(change.discs[1].share, `rod at sample ${a}`).toBeGreaterThan(0);
  }
  await watched.screenshot('pendulum-places');
  expect(watched.troubles).toEqual([]);
  recording.close();
  await watched.close();
});
