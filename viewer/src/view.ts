/**
 * What all plots share: the visible span of time, the cursor, and whether impacts are drawn.
 *
 * The cursor is where the mouse points, while it points somewhere, and otherwise the position: the
 * time that was clicked, stepped to or is being played. The replay stands at the position.
 */
import type { Impacts } from './data';
import { indexAt, type Range } from './ranges';
import { Signal } from './signal';

/** The narrowest zoom, relative to the times shown: below it neighbouring doubles merge. */
const NARROWEST = 1e-12;

/** A long step with the arrow keys, as a part of the visible span. */
export const LONG_STEP = 0.02;

/** A sample in time. Before and after an impact there are two at one time: `rank` counts them. */
export interface Position {
  readonly time: number;
  readonly rank: number;
}

export class TimeView {
  readonly rangeChanged = new Signal();
  /** Also when only the position changed. */
  readonly cursorChanged = new Signal();
  readonly positionChanged = new Signal();
  readonly impactsToggled = new Signal();

  readonly full: Range;
  readonly impacts: Impacts;
  range: Range;
  position: Position | null = null;
  impactsShown = true;
  /** Moves the position by samples of the replay; null where there is none. `far`: by a part of the visible span. */
  stepper: ((direction: 1 | -1, far: boolean) => void) | null = null;
  #pointer: number | null = null;

  constructor(full: Range, impacts: Impacts) {
    this.full = full;
    this.range = full;
    this.impacts = impacts;
  }

  get cursor(): number | null {
    return this.#pointer ?? this.position?.time ?? null;
  }

  /** The sample at the cursor among these times; -1 when there is none. */
  sampleAt(times: ArrayLike<number>): number {
    const { cursor } = this;
    return cursor === null ? -1 : indexAt(times, cursor, this.#pointer === null ? this.position!.rank : 0);
  }

  get isZoomed(): boolean {
    return this.range.min !== this.full.min || this.range.max !== this.full.max;
  }

  /** Ignores what cannot be shown: empty, reversed or too narrow spans, and those beyond the run. */
  zoomTo(from: number, to: number): void {
    const min = Math.max(from, this.full.min);
    const max = Math.min(to, this.full.max);
    const narrowest = NARROWEST * Math.max(Math.abs(this.full.min), Math.abs(this.full.max));
    if (!(max - min > narrowest)) return;
    this.range = { min, max };
    this.rangeChanged.emit();
  }

  /** Zooms by a factor about the cursor where it is in view, else about the middle. */
  zoomBy(factor: number): void {
    const { min, max } = this.range;
    const inView = this.cursor !== null && this.cursor >= min && this.cursor <= max;
    const centre = inView ? this.cursor! : (min + max) / 2;
    this.zoomTo(centre - (centre - min) * factor, centre + (max - centre) * factor);
  }

  reset(): void {
    this.range = this.full;
    this.rangeChanged.emit();
  }

  /** Where the mouse points; null when it does not. */
  pointAt(time: number | null): void {
    if (time === this.#pointer) return;
    this.#pointer = time;
    this.cursorChanged.emit();
  }

  /** Goes to a time and shows its values, wherever the mouse is. */
  goTo(time: number, rank = 0): void {
    this.#pointer = null;
    this.#moveTo({ time, rank });
  }

  /** Takes a step back that `goTo` made; null where there was no position. */
  returnTo(position: Position | null): void {
    if (position === null) this.clear();
    else this.goTo(position.time, position.rank);
  }

  /** Moves the position while the mouse may point elsewhere. */
  follow(position: Position): void {
    this.#moveTo(position);
  }

  /** Forgets the pointer, and the position too unless a replay stands there. */
  clear(): void {
    this.#pointer = null;
    if (this.stepper === null) this.position = null;
    this.cursorChanged.emit();
  }

  #moveTo(position: Position): void {
    const moved = position.time !== this.position?.time || position.rank !== this.position.rank;
    this.position = position;
    if (moved) this.positionChanged.emit();
    this.cursorChanged.emit();
  }

  showImpacts(shown: boolean): void {
    this.impactsShown = shown;
    this.impactsToggled.emit();
  }
}
