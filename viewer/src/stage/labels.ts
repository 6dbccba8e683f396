/** Words beside points of the screen, kept apart from each other. */
import { FONT_FAMILY, theme } from '../theme';

const HEIGHT = 14;

/** A label that finds no room within so many lines below its place is written there all the same. */
const LINES = 6;

interface Box {
  x: number;
  y: number;
  width: number;
}

/** The first place at or below `box` that no other box covers. Adds it to them. */
export function placeLabel(box: Box, taken: Box[]): Box {
  for (let line = 0; line < LINES; line++) {
    const tried = { ...box, y: box.y + line * HEIGHT };
    const covers = (other: Box) =>
      Math.abs(other.y - tried.y) < HEIGHT && tried.x < other.x + other.width && other.x < tried.x + tried.width;
    if (taken.some(covers)) continue;
    taken.push(tried);
    return tried;
  }
  return box;
}

export class Labels {
  #context: CanvasRenderingContext2D;
  #taken: Box[] = [];

  constructor(context: CanvasRenderingContext2D) {
    this.#context = context;
  }

  begin(): void {
    this.#taken.length = 0;
  }

  /** Starts at the given place, in CSS pixels, with a rim that makes it legible on anything. */
  write(words: string, x: number, y: number, colour: string): void {
    if (words === '' || !Number.isFinite(x + y)) return;
    const context = this.#context;
    context.font = `12px ${FONT_FAMILY}`;
    context.textBaseline = 'middle';
    context.lineJoin = 'round';
    context.lineWidth = 4;
    context.strokeStyle = theme().surface;
    const place = placeLabel({ x, y, width: context.measureText(words).width }, this.#taken);
    context.strokeText(words, place.x, place.y);
    context.fillStyle = colour;
    context.fillText(words, place.x, place.y);
  }
}
