/** What the panels of a comparison share: how each run is drawn, and which runs are shown. */
import type { Run } from './data';
import { Signal } from './signal';
import { LINE_WIDTH, PALETTE_SIZE } from './theme';

/**
 * The style of each run, as a number for `seriesColour` and `seriesDash`. Where integrators and steps
 * both vary, the colour tells the integrator and the dash the step, the finest one solid; otherwise
 * every run has a colour of its own, as have runs that other things than these tell apart.
 */
export function runStyles(runs: readonly Run[]): number[] {
  const integrators = [...new Set(runs.map((run) => run.integrator))];
  const steps = [...new Set(runs.flatMap((run) => (run.dt === null ? [] : [run.dt])))].sort((a, b) => a - b);
  const distinct = new Set(runs.map((run) => `${run.integrator} ${run.dt}`)).size === runs.length;
  if (!distinct || integrators.length < 2 || steps.length < 2) return runs.map((_, i) => i);
  return runs.map((run) => {
    const integrator = integrators.indexOf(run.integrator);
    const dash = (run.dt === null ? 0 : steps.indexOf(run.dt)) + steps.length * Math.floor(integrator / PALETTE_SIZE);
    return (integrator % PALETTE_SIZE) + PALETTE_SIZE * dash;
  });
}

const THICKEST = 3.2;
const WIDER_BY = 0.9;

/**
 * Widths of the lines, in CSS pixels: later runs are drawn thinner over earlier ones, so that curves
 * that agree are all seen.
 */
export function runWidths(runs: readonly Run[]): number[] {
  const integrators = [...new Set(runs.map((run) => run.integrator))];
  const layers = integrators.length > 1 ? integrators.length : runs.length;
  const step = layers > 1 ? Math.min(WIDER_BY, (THICKEST - LINE_WIDTH) / (layers - 1)) : 0;
  return runs.map((run, i) => LINE_WIDTH + step * (layers - 1 - (integrators.length > 1 ? integrators.indexOf(run.integrator) : i)));
}

/** Which runs are shown, in all panels alike. */
export class RunChoice {
  readonly changed = new Signal();
  readonly styles: number[];
  readonly widths: number[];
  readonly shown: boolean[];

  constructor(runs: readonly Run[]) {
    this.styles = runStyles(runs);
    this.widths = runWidths(runs);
    this.shown = runs.map((run) => run.shown);
  }

  show(index: number, shown: boolean): void {
    if (this.shown[index] === shown) return;
    this.shown[index] = shown;
    this.changed.emit();
  }
}
