/** Shapes of bodies as unit geometries and the matrices that take them into the frame of the body. */
import { BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, CylinderGeometry, Matrix4, OctahedronGeometry, Vector3 } from 'three';
import { mergeVertices } from 'three/examples/jsm/utils/BufferGeometryUtils.js';
import type { Shape } from '../drawing_types';

export interface Solid {
  key: string; // same key, same geometry
  make(count: number): BufferGeometry; // for so many bodies
  local: Matrix4;
  glass: boolean; // translucent: not a shape, but what stands for one
}

/** Light and dark fields of a ball, as factors of its colour. */
const FIELDS = [1, 0.5];

/** The thinnest edge of a box, of its longest. */
const THINNEST = 1e-3;

/** Triangles of all bodies of a geometry together, as far as that leaves them round. */
const TRIANGLES = 12_000;
const FINEST = 14;
const COARSEST = 4;

/** Into how many parts a quarter of a great circle is divided where there are `count` balls of 8 n^2 triangles. */
export function roundness(count: number): number {
  return Math.min(FINEST, Math.max(COARSEST, Math.floor(Math.sqrt(TRIANGLES / (8 * count)))));
}

/** Null for a point mass, which has no size in space. */
export function solidOf(shape: Shape): Solid | null {
  switch (shape.kind) {
    case 'sphere':
      return { key: 'ball', make: ballGeometry, local: new Matrix4().makeScale(shape.radius, shape.radius, shape.radius).setPosition(...shape.center), glass: false };
    case 'box':
      return { key: 'box', make: boxGeometry, local: boxMatrix(shape.center, shape.size, shape.axes), glass: false };
    case 'inertia':
      return { key: 'box', make: boxGeometry, local: boxMatrix([0, 0, 0], shape.size, shape.axes), glass: true };
    case 'capsule':
      return capsule(shape.from, shape.to, shape.radius);
    case 'cylinder':
      return { ...along(shape.from, shape.to, shape.radius, 'length'), key: 'cylinder', make: cylinderGeometry };
    case 'hull':
      return { key: `hull ${JSON.stringify(shape.points)}`, make: () => hullGeometry(shape), local: new Matrix4(), glass: false };
    case 'mass':
      return null;
  }
}

/** Of unit radius, its eight octants light and dark in turn, so that every rotation is seen. */
export function ballGeometry(count: number): BufferGeometry {
  const geometry = new OctahedronGeometry(1, roundness(count) - 1); // its edges lie on the circles between the octants
  return coloured(geometry, (x, y, z) => FIELDS[(x > 0 ? 1 : 0) ^ (y > 0 ? 1 : 0) ^ (z > 0 ? 1 : 0)]);
}

/** For circles of a drawing, which say nothing about turning in space. */
export function plainBallGeometry(count: number): BufferGeometry {
  return coloured(new OctahedronGeometry(1, roundness(count) - 1), () => 1);
}

/** Gives each triangle of three vertices of its own a factor of the colour by its middle. */
function coloured(geometry: BufferGeometry, factor: (x: number, y: number, z: number) => number): BufferGeometry {
  const position = geometry.getAttribute('position');
  const colours = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i += 3) {
    const x = position.getX(i) + position.getX(i + 1) + position.getX(i + 2);
    const y = position.getY(i) + position.getY(i + 1) + position.getY(i + 2);
    const z = position.getZ(i) + position.getZ(i + 1) + position.getZ(i + 2);
    colours.fill(factor(x, y, z), 3 * i, 3 * i + 9);
  }
  geometry.setAttribute('color', new BufferAttribute(colours, 3));
  geometry.deleteAttribute('uv');
  return mergeVertices(geometry); // one vertex where triangles of a field meet
}

function boxGeometry(): BufferGeometry {
  return coloured(new BoxGeometry(1, 1, 1).toNonIndexed(), () => 1);
}

/** A box without thickness, as the one of a flat body's inertia, is drawn thin: light needs a direction of its faces. */
function boxMatrix(center: readonly number[], edges: readonly number[], axes: readonly number[]): Matrix4 {
  const thin = THINNEST * Math.max(...edges);
  const size = edges.map((edge) => Math.max(edge, thin));
  const [a, b, c] = [0, 3, 6].map((k) => new Vector3(axes[k], axes[k + 1], axes[k + 2]));
  return new Matrix4().makeBasis(a.multiplyScalar(size[0]), b.multiplyScalar(size[1]), c.multiplyScalar(size[2])).setPosition(center[0], center[1], center[2]);
}

/** The frame of what lies along a line: y from one end to the other, in units of the length or of the radius. */
function along(from: readonly [number, number, number], to: readonly [number, number, number], radius: number, unit: 'length' | 'radius') {
  const a = new Vector3(...from);
  const axis = new Vector3(...to).sub(a);
  const length = axis.length();
  const direction = length > 0 ? axis.clone().divideScalar(length) : new Vector3(0, 1, 0);
  const side = new Vector3(Math.abs(direction.x) < 0.9 ? 1 : 0, Math.abs(direction.x) < 0.9 ? 0 : 1, 0).cross(direction).normalize();
  const other = new Vector3().crossVectors(side, direction);
  const local = new Matrix4().makeBasis(side.multiplyScalar(radius), direction.multiplyScalar(unit === 'length' ? length : radius), other.multiplyScalar(radius));
  local.setPosition(a.addScaledVector(axis, 0.5));
  return { local, glass: false, length };
}

/** Capsules of one slenderness share a geometry of unit radius along y; a stripe shows how they turn about their axis. */
function capsule(from: readonly [number, number, number], to: readonly [number, number, number], radius: number): Solid {
  const { local, glass, length } = along(from, to, radius, 'radius');
  const slenderness = Number((length / radius).toPrecision(6));
  return { key: `capsule ${slenderness}`, make: (count) => stripedCapsule(slenderness, roundness(count)), local, glass };
}

/** Of unit radius and length along y. */
function cylinderGeometry(count: number): BufferGeometry {
  const geometry = new CylinderGeometry(1, 1, 1, 4 * roundness(count)).toNonIndexed();
  return coloured(geometry, (x, _, z) => FIELDS[x > 0 === z > 0 ? 1 : 0]);
}

/** Each face as a fan of triangles. */
function hullGeometry({ points, faces }: Extract<Shape, { kind: 'hull' }>): BufferGeometry {
  const corners: number[] = [];
  const normals: number[] = [];
  const [a, b] = [new Vector3(), new Vector3()];
  for (const face of faces) {
    for (let k = 1; k + 1 < face.length; k++) {
      const [p, q, r] = [points[face[0]], points[face[k]], points[face[k + 1]]];
      a.set(q[0] - p[0], q[1] - p[1], q[2] - p[2]);
      b.set(r[0] - p[0], r[1] - p[1], r[2] - p[2]);
      a.cross(b).normalize();
      for (const corner of [p, q, r]) {
        corners.push(...corner);
        normals.push(a.x, a.y, a.z);
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(Float32Array.from(corners), 3));
  geometry.setAttribute('normal', new BufferAttribute(Float32Array.from(normals), 3));
  return coloured(geometry, () => 1);
}

function stripedCapsule(slenderness: number, roundness: number): BufferGeometry {
  const geometry = new CapsuleGeometry(1, slenderness, roundness, 4 * roundness).toNonIndexed();
  return coloured(geometry, (x, _, z) => FIELDS[x > 0 === z > 0 ? 1 : 0]);
}
