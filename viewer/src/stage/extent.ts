/** What a motion covers. */
import type { Axes, Shape, Vector } from '../drawing_types';
import { BoundsBuilder } from './bounds_builder';
import { castOf, surveySamples } from './cast';
import { Moment } from './moment';
import type { Picture } from './types';

export interface Bounds {
  min: [number, number, number];
  max: [number, number, number];
}

/** How many shapes and points, over all samples, are measured. */
const BUDGET = 400_000;

/** The diagonal: a length by which marks of a scene are scaled. */
export function sizeOf({ min, max }: Bounds): number {
  return Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
}

export function centreOf({ min, max }: Bounds): [number, number, number] {
  return [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
}

/** Of all that the pictures show over their whole motion, except planes, which have no end, and what is lost far outside. */
export function motionBounds(pictures: readonly Picture[]): Bounds {
  const builder = new BoundsBuilder(pictures[0]?.drawing.space ?? 'plane');
  for (const picture of pictures) addMotion(builder, picture);
  return builder.bounds();
}

function addMotion(builder: BoundsBuilder, picture: Picture): void {
  const cast = castOf(picture.drawing);
  const moment = new Moment(picture);
  const place = new Float64Array(3);
  const r = new Float64Array(9);
  const bodies = cast.body.map((body) => ({ body, reach: body.shapes.flatMap(reachOf) }));
  const points = [
    ...cast.line.flatMap((line) => line.points),
    ...cast.spring.flatMap((spring) => spring.points),
    ...cast.text.map((text) => text.at),
    ...cast.joint.map((joint) => joint.at),
  ];
  const cost = points.length + cast.circle.length + bodies.reduce((sum, { reach }) => sum + 1 + reach.length, 0);

  for (const sample of surveySamples(picture.times.length, cost, BUDGET)) {
    moment.set(sample, 0);
    for (const { body, reach } of bodies) {
      moment.pose(body, place, r);
      builder.add(place[0], place[1], place[2]);
      for (const { point: [x, y, z], radius } of reach) {
        builder.add(
          place[0] + r[0] * x + r[3] * y + r[6] * z,
          place[1] + r[1] * x + r[4] * y + r[7] * z,
          place[2] + r[2] * x + r[5] * y + r[8] * z,
          radius,
        );
      }
    }
    for (const circle of cast.circle) {
      moment.point(circle.center, place);
      builder.add(place[0], place[1], place[2], Math.abs(moment.value(circle.radius)));
    }
    for (const point of points) {
      moment.point(point, place);
      builder.add(place[0], place[1], place[2]);
    }
  }
}

/** Balls in the frame of the body whose bounds are those of the shape, however it is turned. */
function reachOf(shape: Shape): { point: Vector; radius: number }[] {
  if (shape.kind === 'sphere') return [{ point: shape.center, radius: shape.radius }];
  if (shape.kind === 'hull') return shape.points.map((point) => ({ point, radius: 0 }));
  if (shape.kind === 'capsule' || shape.kind === 'cylinder') return [shape.from, shape.to].map((point) => ({ point, radius: shape.radius }));
  if (shape.kind === 'mass') return [];
  return corners(shape.kind === 'box' ? shape.center : [0, 0, 0], shape.size, shape.axes).map((point) => ({ point, radius: 0 }));
}

/** The eight corners of a box, in the order of their signs along its axes. */
export function corners(center: Vector, size: Vector, axes: Axes): [number, number, number][] {
  const result: [number, number, number][] = [];
  for (let corner = 0; corner < 8; corner++) {
    const half = [0, 1, 2].map((i) => ((corner >> i) & 1 ? 0.5 : -0.5) * size[i]);
    result.push([0, 1, 2].map((i) => center[i] + axes[i] * half[0] + axes[3 + i] * half[1] + axes[6 + i] * half[2]) as [number, number, number]);
  }
  return result;
}
