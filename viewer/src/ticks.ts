/** Where an axis has its ticks. */

/** Fewer labels than this do not tell a scale. */
export const FEWEST_TICKS = 3;

/**
 * Multiples of 1, 2, 2.5 or 5 times a power of ten, `space` CSS pixels apart or more. Where fewer than three would be left they come closer,
 * as far as `least` allows.
 */
export function niceTicks(min: number, max: number, length: number, space: number, least: number): number[] {
  const span = max - min;
  if (!(span > 0) || !Number.isFinite(span)) return [min];
  let best: number[] = [];
  for (const increment of increments(span)) {
    const ticks = multiples(increment, min, max);
    const distance = (increment / span) * length;
    if (distance < space && best.length >= FEWEST_TICKS) break;
    if (distance < least && best.length > 0) break;
    best = ticks;
  }
  return best;
}

/** From large to small. */
function* increments(span: number): Generator<number> {
  const top = Math.floor(Math.log10(span)) + 1;
  for (let exponent = top; exponent > top - 5; exponent--) {
    for (const rung of [5, 2.5, 2, 1]) yield exponent < 0 ? rung / 10 ** -exponent : rung * 10 ** exponent;
  }
}

function multiples(increment: number, min: number, max: number): number[] {
  const first = Math.ceil(min / increment - 1e-9);
  const last = Math.floor(max / increment + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, k) => {
    const tick = (first + k) * increment;
    return Number(tick.toPrecision(15));
  });
}
