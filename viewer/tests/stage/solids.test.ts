import { Vector3 } from 'three';
import { expect, test } from 'vitest';
import { mix, withAlpha } from '../../src/stage/colours';
import { triangulate } from '../../src/stage/fills';
import { shadowMatrix } from '../../src/stage/ground';
import { ballGeometry, roundness, solidOf } from '../../src/stage/solid_shapes';
import { IDENTITY } from './pictures';

/** x and z exchanged, y turned round: a rotation. */
const AXES = [0, 0, 1, 0, -1, 0, 1, 0, 0];

test('the corner of a unit box comes to the corner of the shape', () => {
  const box = solidOf({ kind: 'box', center: [1, 2, 3], size: [2, 4, 6], axes: AXES })!;
  const corner = new Vector3(0.5, 0.5, 0.5).applyMatrix4(box.local);
  expect(corner.toArray()).toEqual([1 + 3, 2 - 2, 3 + 1]);
});

test('a box without thickness is drawn thin', () => {
  const flat = solidOf({ kind: 'inertia', size: [2, 4, 0], axes: IDENTITY })!;
  expect(flat.local.determinant()).toBeCloseTo(2 * 4 * 0.004, 14);
});

test('the tips of a capsule are a radius beyond its ends', () => {
  const capsule = solidOf({ kind: 'capsule', from: [1, 0, 0], to: [1, 0, 4], radius: 0.5 })!;
  const geometry = capsule.make(1).applyMatrix4(capsule.local);
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox!;
  [0.5, -0.5, -0.5].forEach((value, i) => expect(min.toArray()[i]).toBeCloseTo(value, 6));
  [1.5, 0.5, 4.5].forEach((value, i) => expect(max.toArray()[i]).toBeCloseTo(value, 6));
});

test('a cylinder ends at its flat ends, and a hull has its corners', () => {
  const cylinder = solidOf({ kind: 'cylinder', from: [1, 0, 0], to: [1, 0, 4], radius: 0.5 })!;
  const round = cylinder.make(1).applyMatrix4(cylinder.local);
  round.computeBoundingBox();
  expect(round.boundingBox!.min.z).toBeCloseTo(0, 6);
  expect(round.boundingBox!.max.z).toBeCloseTo(4, 6);
  expect(round.boundingBox!.max.x).toBeCloseTo(1.5, 2);
  const points = [[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]] as const;
  const faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
  const hull = solidOf({ kind: 'hull', points, faces })!.make(1);
  hull.computeBoundingBox();
  expect(hull.boundingBox!.max.toArray()).toEqual([1, 2, 3]);
});

test('capsules of one slenderness share a geometry; a body without a shape is of glass; a mass has no solid', () => {
  const key = (length: number, radius: number) => solidOf({ kind: 'capsule', from: [0, 0, 0], to: [length, 0, 0], radius })!.key;
  expect(key(2, 0.5)).toBe(key(4, 1));
  expect(key(2, 0.5)).not.toBe(key(2, 1));
  expect(solidOf({ kind: 'inertia', size: [1, 1, 1], axes: IDENTITY })!.glass).toBe(true);
  expect(solidOf({ kind: 'mass' })).toBeNull();
});

test('half of a ball is dark: turned by a quarter about any axis it looks different', () => {
  const geometry = ballGeometry(1);
  const colour = geometry.getAttribute('color');
  const position = geometry.getAttribute('position');
  const index = geometry.getIndex()!;
  let dark = 0;
  for (let i = 0; i < index.count; i += 3) {
    const corners = [0, 1, 2].map((k) => new Vector3().fromBufferAttribute(position, index.getX(i + k)));
    const middle = corners[0].clone().add(corners[1]).add(corners[2]);
    const isDark = colour.getX(index.getX(i)) < 1;
    expect(isDark).toBe(middle.x * middle.y * middle.z > 0);
    if (isDark) dark++;
  }
  expect(dark).toBe(index.count / 6);
});

test('many balls are drawn with fewer triangles', () => {
  expect(roundness(1)).toBe(14);
  expect(8 * roundness(200) ** 2 * 200).toBeLessThan(30_000);
});

test('an outline with a notch is divided without covering the notch', () => {
  const outline = [[0, 0], [2, 0], [2, 2], [1, 0.5], [0, 2]];
  const area = 4 - 1.5; // the square less the triangle of base 2 and height 1.5
  for (const place of [([x, y]: number[]) => [x, y, 7], ([x, y]: number[]) => [3, y, x]]) {
    const points = outline.map(place);
    const triangles = triangulate(points.flat(), points.length);
    const areas = triangles.map(([a, b, c]) => {
      const [p, q, r] = [a, b, c].map((i) => new Vector3(...points[i]));
      return q.sub(p).cross(r.sub(p)).length() / 2;
    });
    expect(areas.reduce((sum, value) => sum + value, 0)).toBeCloseTo(area, 14);
  }
});

test('a shadow lies below its body on the plane; walls have none', () => {
  const flatten = shadowMatrix({ kind: 'plane', name: '', normal: [0, 0, 2], offset: 6 }, [0, 0, 1], 1)!;
  const point = new Vector3(1, 2, 9).applyMatrix4(flatten);
  expect([point.x, point.y]).toEqual([1, 2]);
  expect(point.z).toBeCloseTo(3, 3);
  expect(shadowMatrix({ kind: 'plane', name: '', normal: [1, 0, 0], offset: 0 }, [0, 0, 1], 1)).toBeNull();
});

test('colours mix', () => {
  expect(mix('#ff0000', '#0000ff', 0.5)).toBe('#800080');
  expect(mix('#123456', '#ffffff', 1)).toBe('#123456');
  expect(withAlpha('#0a141e', 0.5)).toBe('rgba(10, 20, 30, 0.5)');
});
