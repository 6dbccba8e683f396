/** Debian's Chromium, and pages that are watched for what they should not do. */
import { execSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Player } from '../../src/player';
import type { Stage } from '../../src/stage/types';
import { SCREENSHOTS } from './program';

/** The handle that the page offers. */
export interface Handle {
  player: Player;
  stage: Stage;
}

/** A word on a canvas, where it is on that canvas. */
export interface Word {
  canvas: number;
  text: string;
  align: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** In the page: remembers the words of each canvas since it was cleared. */
const WATCH_WORDS = `{
  const prototype = CanvasRenderingContext2D.prototype;
  const canvases = [];
  window.wordsOnCanvases = () => canvases.flatMap(({ canvas, words }, k) => (canvas.isConnected && !canvas.closest('.stage') ? words.map((word) => ({ ...word, canvas: k })) : []));
  const of = (canvas) => {
    let entry = canvases.find((one) => one.canvas === canvas);
    if (entry === undefined) canvases.push((entry = { canvas, words: [] }));
    return entry;
  };
  const { clearRect, fillText } = prototype;
  prototype.clearRect = function (...box) {
    if (box[2] >= this.canvas.width) of(this.canvas).words = [];
    return clearRect.apply(this, box);
  };
  prototype.fillText = function (text, x, y, ...rest) {
    const size = this.measureText(text);
    const map = this.getTransform();
    const corners = [[-size.actualBoundingBoxLeft, -size.actualBoundingBoxAscent], [size.actualBoundingBoxRight, size.actualBoundingBoxDescent]].map(([dx, dy]) => map.transformPoint(new DOMPoint(x + dx, y + dy)));
    const [xs, ys] = [corners.map((p) => p.x), corners.map((p) => p.y)];
    if (String(text).trim() !== '') of(this.canvas).words.push({ text: String(text), align: this.textAlign, left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) });
    return fillText.call(this, text, x, y, ...rest);
  };
}`;

export interface Look {
  /** Whether words() shall tell what is written on canvases. */
  words?: boolean;
  size?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = execSync('command -v chromium || command -v google-chrome', { encoding: 'utf8', shell: '/bin/sh' }).trim();
  const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return chromium.launch({ executablePath, args });
}

export class WatchedPage {
  /** Errors of the page, and requests beyond the page itself. */
  readonly troubles: string[] = [];
  readonly page: Page;

  private constructor(page: Page, allowed: string) {
    this.page = page;
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.troubles.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.troubles.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(allowed) && !/^(data|blob):/.test(request.url())) this.troubles.push(`request: ${request.url()}`);
    });
  }

  /** A report, from disk: the file is all that it may ask for. */
  static async report(browser: Browser, path: string, look: Look = {}): Promise<WatchedPage> {
    return WatchedPage.open(browser, pathToFileURL(path).href, look);
  }

  static async open(browser: Browser, address: string, { size = { width: 1280, height: 900 }, colorScheme = 'light', words = false }: Look = {}): Promise<WatchedPage> {
    const watched = new WatchedPage(await browser.newPage({ viewport: size, colorScheme }), address);
    if (words) await watched.page.addInitScript(WATCH_WORDS);
    await watched.page.goto(address);
    await watched.until((handle) => handle !== undefined, 0);
    return watched;
  }

  /** Labels of all plots that were drawn. */
  words(): Promise<Word[]> {
    return this.page.evaluate('window.wordsOnCanvases()') as Promise<Word[]>;
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await this.page.screenshot({ path: join(SCREENSHOTS, `${name}.png`) });
  }

  /** Calls a function in the page with its handle. */
  inside<Argument, Result>(work: (handle: Handle, argument: Argument) => Result, argument: Argument): Promise<Result> {
    const source = `(argument) => (${work.toString()})(window.tippe, argument)`;
    return this.page.evaluate(`(${source})(${JSON.stringify(argument) ?? 'undefined'})`) as Promise<Result>;
  }

  /** Waits until something holds in the page. (Not waitForFunction, which the policy of a served page forbids.) */
  async until<Argument>(holds: (handle: Handle, argument: Argument) => boolean, argument: Argument): Promise<void> {
    for (let k = 0; k < 400; ++k) {
      if (await this.inside(holds, argument)) return;
      await this.page.waitForTimeout(50);
    }
    throw new Error(`in vain: ${holds.toString()}`);
  }

  /** A picture of the stage alone, with what is drawn for the sample that is shown. */
  async stagePicture(): Promise<Buffer> {
    await this.settled();
    const stage = await this.page.evaluateHandle(() => (window as unknown as { tippe: Handle }).tippe.stage.element);
    return stage.screenshot();
  }

  /** Clicks on the slider of the replay at a share of its length. */
  async scrubTo(share: number): Promise<void> {
    const slider = this.page.locator('input.scrubber');
    const box = (await slider.boundingBox())!;
    await slider.click({ position: { x: share * box.width, y: box.height / 2 } });
  }

  /** Two frames later everything is drawn. */
  async settled(): Promise<void> {
    await this.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
