/** Where the camera stands to see a whole motion in space. */
import { acrossOf } from './outlines';
import type { Bounds } from './extent';
import type { Side } from './types';

type Triple = [number, number, number];

/** Seen from the front, from the right and from above: shares of the axes across, away and up. */
const VIEW = [0.42, -1, 0.42];

/** Room around the motion. */
const MARGIN = 1.15;

/** Shares of the axes across, away and up, for each side. From above not quite, as up would have no direction. */
const SIDES: Record<Side, readonly number[]> = { free: VIEW, front: [0, -1, 0], side: [1, 0, 0], top: [0, -1e-4, 1] };

/** The unit vector from what is looked at to the camera. With z up, x points to the right and y away. */
export function viewDirection(up: readonly number[]): Triple {
  return sideDirection(up, 'free');
}

export function sideDirection(up: readonly number[], side: Side): Triple {
  const view = SIDES[side];
  const right = [0, 0, 0];
  const away = [0, 0, 0];
  if (Math.abs(up[0]) < 0.9) {
    // What is left of the x axis across the vertical.
    for (let i = 0; i < 3; i++) right[i] = (i === 0 ? 1 : 0) - up[0] * up[i];
    const length = Math.hypot(...right);
    for (let i = 0; i < 3; i++) right[i] /= length;
    away[0] = up[1] * right[2] - up[2] * right[1];
    away[1] = up[2] * right[0] - up[0] * right[2];
    away[2] = up[0] * right[1] - up[1] * right[0];
  } else {
    acrossOf([...up], right, away);
  }
  const direction = [0, 1, 2].map((i) => view[0] * right[i] + view[1] * away[i] + view[2] * up[i]);
  const length = Math.hypot(...direction);
  return direction.map((value) => value / length) as Triple;
}

/**
 * How far from the centre of the bounds the camera must be to see all corners, for a vertical opening
 * `fov` in radians: a corner at depth z behind the centre and y above it is seen if |y| <= (d + z) tan(fov / 2).
 */
export function fitDistance({ min, max }: Bounds, direction: readonly number[], up: readonly number[], fov: number, aspect: number): number {
  const centre = [0, 1, 2].map((i) => (min[i] + max[i]) / 2);
  const right = cross(up, direction);
  const rightLength = Math.hypot(...right);
  for (let i = 0; i < 3; i++) right[i] /= rightLength;
  const above = cross(direction, right);
  const slope = Math.tan(fov / 2);
  let distance = 0;
  for (let corner = 0; corner < 8; corner++) {
    const r = [0, 1, 2].map((i) => ((corner >> i) & 1 ? max[i] : min[i]) - centre[i]);
    const depth = -dot(r, direction);
    const needed = Math.max(Math.abs(dot(r, above)) / slope, Math.abs(dot(r, right)) / (slope * aspect));
    distance = Math.max(distance, needed * MARGIN - depth);
  }
  return distance;
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
