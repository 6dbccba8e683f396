/** The colours of a stage: parts from the palette of the plots, marks of contacts in one colour of their own. */
import { NO_PART } from '../drawing_types';
import { seriesColour, theme, type Theme } from '../theme';

/** The palette without its vermilion first, which is closest to the colour of forces. */
const ORDER = [0, 2, 4, 5, 3, 6, 7, 1];

export interface PartColour {
  line: string;
  fill: string; // a light tone of it, opaque
  shade: string; // a stronger tone, for marks on the fill
}

let cached: PartColour[] = [];
let neutral: PartColour | null = null;
let cachedFor: Theme | null = null;

export function partColour(part: number): PartColour {
  const current = theme();
  if (cachedFor !== current) {
    cachedFor = current;
    cached = ORDER.map((index) => tones(seriesColour(index), current.surface));
    neutral = tones(current.text, current.surface);
  }
  if (part === NO_PART) return neutral!;
  return cached[Math.abs(Math.trunc(part)) % ORDER.length];
}

function tones(line: string, surface: string): PartColour {
  return { line, fill: mix(line, surface, 0.28), shade: mix(line, surface, 0.55) };
}

/** `amount` of the first colour and the rest of the second, both written as #rrggbb. */
export function mix(first: string, second: string, amount: number): string {
  const a = channels(first);
  const b = channels(second);
  return `#${a.map((value, i) => Math.round(value * amount + b[i] * (1 - amount)).toString(16).padStart(2, '0')).join('')}`;
}

export function withAlpha(colour: string, alpha: number): string {
  return `rgba(${channels(colour).join(', ')}, ${alpha})`;
}

export function isDark(colour: string): boolean {
  return channels(colour).reduce((sum, value) => sum + value, 0) < 3 * 128;
}

function channels(colour: string): number[] {
  return [1, 3, 5].map((i) => Number.parseInt(colour.slice(i, i + 2), 16));
}
