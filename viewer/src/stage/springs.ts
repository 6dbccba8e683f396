/** How wide a spring is drawn. */
import type { SpringPrimitive } from '../drawing_types';
import { surveySamples } from './cast';
import { Moment } from './moment';
import type { Picture } from './types';

/** Of its mean length, and at most of the size of the scene. */
const OF_LENGTH = 0.2;
const OF_SCENE = 0.05;

/** Values read to find the mean length. */
const BUDGET = 600;

/** A width that stays the same while the spring stretches. */
export function springWidth(picture: Picture, spring: SpringPrimitive, size: number): number {
  const moment = new Moment(picture);
  const a = new Float64Array(3);
  const b = new Float64Array(3);
  let sum = 0;
  let count = 0;
  for (const sample of surveySamples(picture.times.length, 6, BUDGET)) {
    moment.set(sample, 0).point(spring.points[0], a);
    moment.point(spring.points[1], b);
    const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    if (!Number.isFinite(length)) continue;
    sum += length;
    count++;
  }
  return count === 0 ? 0 : Math.min((OF_LENGTH * sum) / count, OF_SCENE * size);
}
