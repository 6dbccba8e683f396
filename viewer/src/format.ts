/** Numbers as text. */

const MINUS = '\u2212';
const SUPERSCRIPT_DIGITS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function superscript(exponent: number): string {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPT_DIGITS[Number(digit)]).join('');
  return exponent < 0 ? `⁻${digits}` : digits;
}

export function powerOfTen(exponent: number): string {
  return `10${superscript(exponent)}`;
}

/** A value to read off: six significant digits, an exponent where zeros would pile up. */
export function formatValue(value: number, significant = 6): string {
  if (Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${MINUS}∞`;
  if (value === 0) return '0';
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-4 && magnitude < 10 ** significant) return withMinus(trimZeros(value.toPrecision(significant)));
  const [mantissa, exponent] = value.toExponential(significant - 1).split('e');
  return withMinus(`${trimZeros(mantissa)}e${Number(exponent)}`);
}

/** Decimals that tell values of this spacing apart. */
export function decimalsFor(resolution: number): number {
  return resolution > 0 ? Math.min(15, Math.max(0, -decade(resolution))) : 6;
}

/** Always as long as its neighbours, for numbers that run. */
export function formatFixed(value: number, decimals: number): string {
  return withMinus(positiveZero(value.toFixed(decimals)));
}

/** A number to be typed again into a field: plain ASCII. */
export function formatForInput(value: number, resolution: number): string {
  const decimals = resolution > 0 ? Math.min(15, Math.max(0, 1 - decade(resolution))) : 6;
  return String(Number(value.toFixed(decimals)));
}

export interface TickText {
  labels: string[];
  /** What the labels leave out, written once beside the axis: "×10⁻⁶", "+ 0.081". */
  note: string;
}

/**
 * Labels for evenly spaced ticks. A common power of ten, and a common offset where the digits would
 * not fit, go to the note, as scientists know it from their plotting programs.
 */
export function tickLabels(ticks: readonly number[], mostDigits = 5): TickText {
  const largest = Math.max(...ticks.map(Math.abs));
  if (ticks.length === 0 || largest === 0) return { labels: ticks.map(() => '0'), note: '' };
  const step = ticks.length > 1 ? (ticks[ticks.length - 1] - ticks[0]) / (ticks.length - 1) : largest;

  let offset = 0;
  if (decade(largest) - decade(step) + 1 > mostDigits) {
    const unit = 10 ** (decade(step * ticks.length) + 1);
    offset = Math.round(ticks[0] / unit) * unit;
  }

  const shifted = ticks.map((tick) => tick - offset);
  const exponent = commonExponent(Math.max(...shifted.map(Math.abs)));
  const scale = 10 ** exponent;
  const decimals = decimalsOf(step / scale);
  const labels = shifted.map((tick) => withMinus(positiveZero((tick / scale).toFixed(decimals))));

  const notes: string[] = [];
  if (exponent !== 0) notes.push(`×${powerOfTen(exponent)}`);
  if (offset !== 0) notes.push(`${offset < 0 ? MINUS : '+'} ${formatValue(Math.abs(offset), 15)}`);
  return { labels, note: notes.join(' ') };
}

/** Zero for numbers that read well as they are, otherwise a multiple of three. */
function commonExponent(largest: number): number {
  const exponent = decade(largest);
  return exponent >= -3 && exponent < 5 ? 0 : 3 * Math.floor(exponent / 3);
}

/** Decimals that tell ticks of this spacing apart: 0.2 needs one, 0.25 two. */
function decimalsOf(step: number): number {
  const exponent = decade(step);
  const leading = step / 10 ** exponent;
  const isWhole = Math.abs(leading - Math.round(leading)) < 1e-3;
  return Math.min(15, Math.max(0, (isWhole ? 0 : 1) - exponent));
}

function decade(value: number): number {
  return Math.floor(Math.log10(Math.abs(value)) + 1e-9);
}

function trimZeros(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}

function positiveZero(digits: string): string {
  return /^-0(\.0*)?$/.test(digits) ? digits.slice(1) : digits;
}

function withMinus(digits: string): string {
  return digits.replaceAll('-', MINUS);
}
