/** What all plots share: the visible span of time, the cursor, and whether impacts are drawn. */
import type { Impacts } from './data';
import type { Range } from './ranges';
import { Signal } from './signal';

/** The narrowest zoom, relative to the times shown: below it neighbouring doubles merge. */
const NARROWEST = 1e-12;

export class TimeView {
  readonly rangeChanged = new Signal();
  readonly cursorChanged = new Signal();
  readonly impactsToggled = new Signal();

  readonly full: Range;
  readonly impacts: Impacts;
  range: Range;
  cursor: number | null = null;
  impactsShown = true;

  constructor(full: Range, impacts: Impacts) {
    this.full = full;
    this.range = full;
    this.impacts = impacts;
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

  setCursor(time: number | null): void {
    if (time === this.cursor) return;
    this.cursor = time;
    this.cursorChanged.emit();
  }

  showImpacts(shown: boolean): void {
    this.impactsShown = shown;
    this.impactsToggled.emit();
  }
}
