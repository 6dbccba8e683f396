// node gallery.mjs PAGES IMAGES: takes pictures of the replays in the folder PAGES, one page per scene. Stills go to IMAGES/NAME.png, the
// frames of animations to PAGES/NAME.plane or, for those with light and shadow, to PAGES/NAME.space, and the page of one scene as a whole
// to IMAGES/page.png.
import { mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';

const { chromium } = createRequire(new URL('../viewer/package.json', import.meta.url))('playwright-core');

/** When a scene is worth a look, in s; by default at a third of its run. */
const STILLS = {
  arch: 0.8,
  ball_cube: 0.4,
  belt: 0.45,
  billiards: 0.9,
  bouncing_ball: 0.3,
  chain: 0.06,
  cosine_hill: 0.45,
  cradle: 0.44,
  cradle_matrix: 0.5,
  dominoes: 0.35,
  double_four_bar: 0.1,
  double_pendulum: 2,
  free_top: 2,
  heavy_top: 1.3,
  ladder: 2.5,
  oscillator: 0.05,
  painleve_rod: 0.2,
  pendulum_cartesian: 0.1,
  pour: 0.8,
  rolling_ball: 0.5,
  rope: 0.8,
  shaken_block: 0.25,
  skate: 2.4,
  solids: 0.4,
  three_fingers: 0.5,
  two_fingers: 0.8,
  velocity_oscillation: 0.1,
  vibrating_table: 2.95,
  wheel_hill: 0.25,
};
/** Stills that also show the paths until then. */
const WITH_TRAILS = ['billiards', 'double_pendulum', 'free_top', 'heavy_top'];
/** Stills without forces, of which there are too many. */
const WITHOUT_FORCES = ['kapla', 'pour'];
/** Beginning, end, and time between two frames, which follow each other after 0.04 s; height of the window in pixels. */
const ANIMATIONS = {
  chain_drop: { from: 0, to: 0.5, step: 0.005, height: 400 },
  double_pendulum_wall: { from: 0, to: 5, step: 0.04, height: 440 },
  rocking_block: { from: 0, to: 3.2, step: 0.04, height: 400 },
  tippe_top: { from: 0, to: 2, step: 0.02, height: 400 },
  wheel: { from: 0, to: 3.15, step: 0.05, height: 400 },
  woodpecker: { from: 0, to: 0.438, step: 0.004, height: 560 },
};
const WHOLE_PAGE = { name: 'woodpecker', time: 0.05, width: 1440, height: 860 };

const STILL_SIZE = { width: 900, height: 560 };
const FRAME_WIDTH = 560;
const MARGIN = 20;

const [pages, images] = process.argv.slice(2).map((path) => resolve(path));
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
});
const page = await browser.newPage({ colorScheme: 'light' });

for (const name of readdirSync(pages).filter((file) => file.endsWith('.html')).map((file) => basename(file, '.html'))) {
  const motion = ANIMATIONS[name];
  await open(name, motion ? { width: FRAME_WIDTH, height: motion.height } : STILL_SIZE);
  await page.addStyleTag({ content: '.stage-host { position: fixed !important; inset: 0; z-index: 1000; height: 100vh !important; border-radius: 0; background: var(--surface); }' });
  if (WITH_TRAILS.includes(name)) await toggle('Trails');
  if (WITHOUT_FORCES.includes(name)) await toggle('Forces');
  if (motion) await animate(join(pages, `${name}.${await isPlanar() ? 'plane' : 'space'}`), motion);
  else await still(join(images, `${name}.png`), STILLS[name]);
}
await open(WHOLE_PAGE.name, WHOLE_PAGE);
await goTo(WHOLE_PAGE.time);
await page.screenshot({ path: join(images, 'page.png') });
await browser.close();

async function open(name, { width, height }) {
  await page.setViewportSize({ width, height });
  await page.goto(`file://${join(pages, name)}.html`);
}

function toggle(option) {
  return page.evaluate((option) => [...document.querySelectorAll('.replay-options label')].find((label) => label.textContent === option)?.click(), option);
}

function isPlanar() {
  return page.evaluate(() => document.querySelector('.stage-host canvas').getContext('2d') !== null);
}

async function still(path, time) {
  await goTo(time ?? (await page.evaluate(() => window.tippe.player.times.at(-1) / 3)));
  await page.screenshot({ path, clip: around([await drawnBox()]) });
}

/** All frames show what the whole motion covers. */
async function animate(folder, { from, to, step }) {
  mkdirSync(folder);
  const times = Array.from({ length: Math.floor((to - from) / step + 1.5) }, (_, i) => from + i * step);
  const boxes = [];
  for (const time of times) {
    await goTo(time);
    boxes.push(await drawnBox());
  }
  const clip = around(boxes);
  for (const [i, time] of times.entries()) {
    await goTo(time);
    await page.screenshot({ path: join(folder, `${String(i).padStart(4, '0')}.png`), clip });
  }
}

async function goTo(time) {
  await page.evaluate(async (time) => {
    window.tippe.player.seek(time);
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  }, time);
}

/** What is not background, in CSS pixels. */
async function drawnBox() {
  const picture = (await page.screenshot()).toString('base64');
  return page.evaluate(async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext('2d');
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    const box = { left: width, top: height, right: 0, bottom: 0 };
    pixels.forEach((pixel, i) => {
      if (pixel === pixels[0]) return;
      const [x, y] = [i % width, Math.floor(i / width)];
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x + 1);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y + 1);
    });
    return box;
  }, picture);
}

/** The clip of the window that holds all boxes and a margin. */
function around(boxes) {
  const { width, height } = page.viewportSize();
  const x = Math.max(0, Math.min(...boxes.map((box) => box.left)) - MARGIN);
  const y = Math.max(0, Math.min(...boxes.map((box) => box.top)) - MARGIN);
  const right = Math.min(width, Math.max(...boxes.map((box) => box.right)) + MARGIN);
  const bottom = Math.min(height, Math.max(...boxes.map((box) => box.bottom)) + MARGIN);
  return { x, y, width: right - x, height: bottom - y };
}
