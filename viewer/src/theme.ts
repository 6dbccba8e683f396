/**
 * Colours for the canvases. They are defined in the style sheet, together with those of the page,
 * and read again whenever the theme changes.
 */
import { MODES, type Mode } from './modes';
import { Signal } from './signal';

export interface Theme {
  text: string;
  grid: string;
  axis: string;
  impact: string;
  surface: string;
  force: string;
  impulse: string;
  series: string[];
  modes: Record<Mode, string>;
}

/** Where the style sheet has the colour of a mode. */
export function modeVariable(mode: Mode): string {
  return `--mode-${mode.replace('+', '-forward').replace(/-$/, '-backward')}`;
}

export const PALETTE_SIZE = 8;

/** Of curves, in CSS pixels. */
export const LINE_WIDTH = 1.4;

/** With more series than colours, the pattern of the line tells them apart. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 2], [9, 3, 2, 3], [12, 4]];

export const themeChanged = new Signal();
export const FONT_FAMILY = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

let current: Theme | null = null;

export function theme(): Theme {
  current ??= readTheme();
  return current;
}

export function seriesColour(index: number): string {
  return theme().series[index % PALETTE_SIZE];
}

/** The same colour for the style sheet, which follows the theme by itself. */
export function seriesColourVariable(index: number): string {
  return `var(--series-${index % PALETTE_SIZE})`;
}

export function seriesDash(index: number): readonly number[] {
  return DASHES[Math.floor(index / PALETTE_SIZE) % DASHES.length];
}

export function watchTheme(): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', refreshTheme);
}

export function refreshTheme(): void {
  current = null;
  themeChanged.emit();
}

function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: read('--text-muted'),
    grid: read('--grid'),
    axis: read('--axis'),
    impact: read('--impact'),
    surface: read('--surface'),
    force: read('--force'),
    impulse: read('--series-4'),
    modes: Object.fromEntries(MODES.map((mode) => [mode, read(modeVariable(mode))])) as Record<Mode, string>,
    series: Array.from({ length: PALETTE_SIZE }, (_, i) => read(`--series-${i}`)),
  };
}
