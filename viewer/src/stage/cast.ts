/** Who appears in a drawing, sorted by kind. */
import type { Drawing, Point, Primitive } from '../drawing_types';

export type Cast = { [Kind in Primitive['kind']]: Extract<Primitive, { kind: Kind }>[] };

export function castOf(drawing: Drawing): Cast {
  const cast: Cast = { body: [], plane: [], line: [], circle: [], spring: [], text: [], joint: [], contact: [] };
  for (const primitive of drawing.primitives) (cast[primitive.kind] as Primitive[]).push(primitive);
  return cast;
}

export interface Tracked {
  point: Point;
  part: number;
}

/** The points whose paths are of interest: centres, and ends of lines where nothing else is. */
export function trackedPoints(cast: Cast): Tracked[] {
  const tracked = new Map<string, Tracked>();
  const track = (point: Point, part: number) => {
    const key = JSON.stringify(point);
    const moves = point.some((value) => typeof value !== 'number');
    if (moves && !tracked.has(key)) tracked.set(key, { point, part });
  };
  for (const body of cast.body) track(body.at, body.part);
  for (const circle of cast.circle) track(circle.center, circle.part);
  for (const line of cast.line) if (!line.closed && line.points.length > 0) track(line.points[line.points.length - 1], line.part);
  return [...tracked.values()];
}

/** At most this many samples are looked at to learn something about the whole motion. */
const SURVEY = 2000;

/** Samples spread evenly over a run of `count`, the last one included; fewer where each costs more. */
export function surveySamples(count: number, costPerSample = 1, budget = Infinity): number[] {
  const wanted = Math.max(2, Math.min(SURVEY, Math.floor(budget / Math.max(1, costPerSample)), count));
  if (count <= wanted) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: wanted }, (_, i) => Math.round((i * (count - 1)) / (wanted - 1)));
}
