/** Outlines of marks, as flat lists of coordinates. */
import type { Numbers } from './rotation';

/** Turns of a spring, and the part of it at each end that is straight. */
export const SPRING_TURNS = 8;
const STRAIGHT = 0.12;

/** Points of a zigzag from a to b, `2 SPRING_TURNS + 4` of two coordinates each. */
export function zigzag(ax: number, ay: number, bx: number, by: number, width: number, out: Numbers): number {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const nx = (-(by - ay) / length) * (width / 2);
  const ny = ((bx - ax) / length) * (width / 2);
  const teeth = 2 * SPRING_TURNS;
  let n = 0;
  const put = (along: number, side: number) => {
    out[n++] = ax + (bx - ax) * along + nx * side;
    out[n++] = ay + (by - ay) * along + ny * side;
  };
  put(0, 0);
  put(STRAIGHT, 0);
  for (let i = 0; i < teeth; i++) put(STRAIGHT + ((1 - 2 * STRAIGHT) * (i + 0.5)) / teeth, i % 2 === 0 ? 1 : -1);
  put(1 - STRAIGHT, 0);
  put(1, 0);
  return n / 2;
}

/** Steps of one turn of a coil. */
const COIL_STEPS = 12;

/** Points of `coil`. */
export const COIL_POINTS = SPRING_TURNS * COIL_STEPS + 3;

/** Points of a coil from a to b: `COIL_POINTS` of three coordinates each. `side` and `other` are unit vectors across. */
export function coil(a: Numbers, b: Numbers, side: Numbers, other: Numbers, radius: number, out: Numbers): void {
  const steps = SPRING_TURNS * COIL_STEPS;
  for (let i = 0; i < COIL_POINTS; i++) {
    const turn = (2 * Math.PI * (i - 1)) / COIL_STEPS;
    const along = i === 0 ? 0 : i === COIL_POINTS - 1 ? 1 : STRAIGHT + ((1 - 2 * STRAIGHT) * (i - 1)) / steps;
    const off = i === 0 || i === COIL_POINTS - 1 ? 0 : radius;
    for (let k = 0; k < 3; k++) out[3 * i + k] = a[k] + (b[k] - a[k]) * along + off * (Math.cos(turn) * side[k] + Math.sin(turn) * other[k]);
  }
}

/**
 * Writes two unit vectors that form a right-handed frame with a unit vector; the first is at right angles
 * to `reference` too, which is a coordinate axis away from the direction if none is given.
 */
export function acrossOf(direction: Numbers, side: Numbers, other: Numbers, reference?: readonly number[]): void {
  const [x, y, z] = direction;
  const [ux, uy, uz] = reference ?? (Math.abs(z) < 0.9 ? [0, 0, 1] : [1, 0, 0]);
  const [cx, cy, cz] = [uy * z - uz * y, uz * x - ux * z, ux * y - uy * x];
  const length = Math.hypot(cx, cy, cz);
  side[0] = cx / length;
  side[1] = cy / length;
  side[2] = cz / length;
  other[0] = y * side[2] - z * side[1];
  other[1] = z * side[0] - x * side[2];
  other[2] = x * side[1] - y * side[0];
}

/** The part of the line p + s d that lies in a rectangle, as a span of s; null where it passes by. */
export function clipLine(px: number, py: number, dx: number, dy: number, left: number, top: number, right: number, bottom: number): [number, number] | null {
  let from = -Infinity;
  let to = Infinity;
  for (const [p, d, low, high] of [
    [px, dx, left, right],
    [py, dy, top, bottom],
  ]) {
    if (d === 0) {
      if (p < low || p > high) return null;
      continue;
    }
    const [enter, leave] = d > 0 ? [(low - p) / d, (high - p) / d] : [(high - p) / d, (low - p) / d];
    from = Math.max(from, enter);
    to = Math.min(to, leave);
  }
  return from < to ? [from, to] : null;
}

/** The multiples of `spacing` within a span. */
export function marksAlong(from: number, to: number, spacing: number): number[] {
  const marks: number[] = [];
  for (let i = Math.ceil(from / spacing); i * spacing <= to; i++) marks.push(i * spacing);
  return marks;
}

/** The corners of a friction cone in the plane besides its tip, for a unit normal: two points, half angle atan(mu). */
export function wedge(normal: Numbers, tangent: Numbers, mu: number, length: number): [number, number, number, number] {
  const scale = length / Math.hypot(1, mu);
  return [
    (normal[0] + mu * tangent[0]) * scale,
    (normal[1] + mu * tangent[1]) * scale,
    (normal[0] - mu * tangent[0]) * scale,
    (normal[1] - mu * tangent[1]) * scale,
  ];
}

/** A round number (1, 2 or 5 times a power of ten) near and not above a positive one. */
export function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const digit = value / power;
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power;
}
