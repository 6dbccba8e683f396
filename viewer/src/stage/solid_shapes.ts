/** Shapes of bodies as unit geometries and the matrices that take them into the frame of the body. */
import { BoxGeometry, BufferAttribute, CapsuleGeometry, Matrix4, OctahedronGeometry, Vector3, type BufferGeometry } from 'three';
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

/** Capsules of one slenderness share a geometry of unit radius along y; a stripe shows how they turn about their axis. */
function capsule(from: readonly [number, number, number], to: readonly [number, number, number], radius: number): Solid {
  const a = new Vector3(...from);
  const axis = new Vector3(...to).sub(a);
  const length = axis.length();
  const slenderness = Number((length / radius).toPrecision(6));
  const direction = length > 0 ? axis.clone().divideScalar(length) : new Vector3(0, 1, 0);
  const side = new Vector3(Math.abs(direction.x) < 0.9 ? 1 : 0, Math.abs(direction.x) < 0.9 ? 0 : 1, 0).cross(direction).normalize();
  const other = new Vector3().crossVectors(side, direction);
  const local = new Matrix4().makeBasis(side.multiplyScalar(radius), direction.multiplyScalar(radius), other.multiplyScalar(radius));
  local.setPosition(a.addScaledVector(axis, 0.5));
  return { key: `capsule ${slenderness}`, make: (count) => stripedCapsule(slenderness, roundness(count)), local, glass: false };
}

function stripedCapsule(slenderness: number, roundness: number): BufferGeometry {
  const geometry = new CapsuleGeometry(1, slenderness, roundness, 4 * roundness).toNonIndexed();
  return coloured(geometry, (x, _, z) => FIELDS[x > 0 === z > 0 ? 1 : 0]);
}
