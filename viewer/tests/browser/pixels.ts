/** What changed between two pictures, and where. */
import type { Browser, Page } from 'playwright-core';

export interface Disc {
  x: number;
  y: number;
  radius: number;
}

export interface Change {
  /** Of each disc: the share of its pixels that changed, and their centre. */
  discs: { share: number; x: number; y: number }[];
  /** Pixels that changed outside of all discs and of those to be passed over. */
  elsewhere: number;
  /** All pixels that changed. */
  total: number;
}

/** Looks at pictures in a page of its own: the browser can read PNG. */
export class PixelReader {
  readonly #page: Page;

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(browser: Browser): Promise<PixelReader> {
    return new PixelReader(await browser.newPage());
  }

  compare(first: Buffer, second: Buffer, discs: Disc[], others: Disc[]): Promise<Change> {
    return this.#page.evaluate(comparePictures, { pictures: [first.toString('base64'), second.toString('base64')], discs, others });
  }

  /** The share of the pixels that are brighter than the middle between black and white. */
  bright(picture: Buffer): Promise<number> {
    return this.#page.evaluate(async (base64: string): Promise<number> => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
      canvas.drawImage(image, 0, 0);
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      let bright = 0;
      for (let k = 0; k < data.length; k += 4) if (data[k] + data[k + 1] + data[k + 2] > 384) ++bright;
      return bright / (data.length / 4);
    }, picture.toString('base64'));
  }
}

/** Runs in the page. */
async function comparePictures({ pictures, discs, others }: { pictures: string[]; discs: Disc[]; others: Disc[] }): Promise<Change> {
  const read = async (base64: string): Promise<ImageData> => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height);
  };
  const [a, b] = [await read(pictures[0]), await read(pictures[1])];
  const inside = (disc: Disc, x: number, y: number) => Math.hypot(x + 0.5 - disc.x, y + 0.5 - disc.y) <= disc.radius;
  const sums = discs.map(() => ({ pixels: 0, changed: 0, x: 0, y: 0 }));
  let elsewhere = 0;
  let total = 0;
  for (let y = 0; y < a.height; ++y) {
    for (let x = 0; x < a.width; ++x) {
      const k = 4 * (y * a.width + x);
      const changed = Math.abs(a.data[k] - b.data[k]) + Math.abs(a.data[k + 1] - b.data[k + 1]) + Math.abs(a.data[k + 2] - b.data[k + 2]) > 24;
      if (changed) ++total;
      let isCovered = false;
      discs.forEach((disc, i) => {
        if (!inside(disc, x, y)) return;
        isCovered = true;
        ++sums[i].pixels;
        if (!changed) return;
        ++sums[i].changed;
        sums[i].x += x + 0.5;
        sums[i].y += y + 0.5;
      });
      if (changed && !isCovered && !others.some((disc) => inside(disc, x, y))) ++elsewhere;
    }
  }
  return {
    discs: sums.map((sum) => ({ share: sum.changed / Math.max(1, sum.pixels), x: sum.x / sum.changed, y: sum.y / sum.changed })),
    elsewhere,
    total,
  };
}
