/** The camera over the plane: x to the right, y up. */
import type { Bounds } from './extent';

/** Room around the motion, of the size of the window. */
const MARGIN = 0.12;

/** How far one can zoom, relative to the fitted view. */
const ZOOM_RANGE = 1e5;

export class PlanarCamera {
  width = 1;
  height = 1;
  x = 0;
  y = 0;
  scale = 1; // CSS pixels per metre
  #fitted = 1;

  fit({ min, max }: Bounds): void {
    this.x = (min[0] + max[0]) / 2;
    this.y = (min[1] + max[1]) / 2;
    const room = 1 - 2 * MARGIN;
    this.scale = Math.min((room * this.width) / (max[0] - min[0]), (room * this.height) / (max[1] - min[1]));
    this.#fitted = this.scale;
  }

  toScreenX(x: number): number {
    return this.width / 2 + (x - this.x) * this.scale;
  }

  toScreenY(y: number): number {
    return this.height / 2 - (y - this.y) * this.scale;
  }

  /** By CSS pixels: what was under the pointer stays under it. */
  pan(dx: number, dy: number): void {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
  }

  /** By a factor about a point of the screen, which keeps its place. */
  zoom(factor: number, screenX: number, screenY: number): void {
    const scale = Math.min(Math.max(this.scale * factor, this.#fitted / ZOOM_RANGE), this.#fitted * ZOOM_RANGE);
    this.x += (screenX - this.width / 2) * (1 / this.scale - 1 / scale);
    this.y -= (screenY - this.height / 2) * (1 / this.scale - 1 / scale);
    this.scale = scale;
  }
}
