/** A plane in space: a quiet grid that fades out around the scene. */
import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial } from 'three';
import type { PlanePrimitive } from '../drawing_types';
import { theme } from '../theme';
import { centreOf, sizeOf, type Bounds } from './extent';
import { acrossOf, roundDown } from './outlines';

/** Cells across the scene, and how far the grid goes beyond its centre, of its size. */
const CELLS = 8;
const REACH = 0.85;

const FILL = 0.5;
const LINES = 0.54;

export function groundOf(plane: PlanePrimitive, bounds: Bounds, opacity: number): Group {
  const length = Math.hypot(...plane.normal);
  const normal = plane.normal.map((value) => value / length);
  const side = [0, 0, 0];
  const other = [0, 0, 0];
  acrossOf(normal, side, other);
  const size = sizeOf(bounds);
  const cell = roundDown(size / CELLS);
  const reach = Math.ceil((REACH * size) / cell);
  // The grid is fixed in space: its middle is the crossing nearest to the centre of the scene.
  const centre = centreOf(bounds);
  const along = (axis: number[]) => cell * Math.round((centre[0] * axis[0] + centre[1] * axis[1] + centre[2] * axis[2]) / cell);
  const [u, v] = [along(side), along(other)];
  const at = (i: number, j: number) => {
    const [a, b, d] = [u + i * cell, v + j * cell, plane.offset / length];
    return [0, 1, 2].map((k) => a * side[k] + b * other[k] + d * normal[k]);
  };
  const fade = (i: number, j: number) => Math.max(0, 1 - (i * i + j * j) / (reach * reach)) ** 1.5;

  const fill = new FadedVertices(new Color(theme().grid));
  const grid = new FadedVertices(new Color(theme().axis));
  const line = (i: number, j: number, k: number, l: number) => {
    if (fade(i, j) + fade(k, l) === 0) return;
    grid.add(at(i, j), LINES * fade(i, j));
    grid.add(at(k, l), LINES * fade(k, l));
  };
  const cellAt = (i: number, j: number) => {
    const square = [[i, j], [i + 1, j], [i + 1, j + 1], [i, j + 1]];
    if (square.every(([k, l]) => fade(k, l) === 0)) return;
    for (const corner of [0, 1, 2, 0, 2, 3]) fill.add(at(square[corner][0], square[corner][1]), FILL * fade(square[corner][0], square[corner][1]));
  };
  for (let i = -reach; i <= reach; i++) {
    for (let j = -reach; j < reach; j++) {
      line(i, j, i, j + 1);
      line(j, i, j + 1, i);
      if (i < reach) cellAt(i, j);
    }
  }
  const look = { vertexColors: true, transparent: true, opacity, depthWrite: false };
  const square = new Mesh(fill.geometry(), new MeshBasicMaterial({ ...look, side: DoubleSide, forceSinglePass: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 }));
  const lines = new LineSegments(grid.geometry(), new LineBasicMaterial(look));
  square.renderOrder = -3;
  lines.renderOrder = -2;
  return new Group().add(square, lines);
}

/** How far the ground of a scene reaches from its centre. */
export function groundRadius(bounds: Bounds): number {
  return 2 * REACH * sizeOf(bounds);
}

/** Flattens what stands on a plane along its normal, a little above it; null for walls and ceilings. */
export function shadowMatrix(plane: PlanePrimitive, up: readonly number[], size: number): Matrix4 | null {
  const length = Math.hypot(...plane.normal);
  const [x, y, z] = plane.normal.map((value) => value / length);
  if (x * up[0] + y * up[1] + z * up[2] < 0.5) return null;
  const d = plane.offset / length + 1e-4 * size;
  // r - n (n . r) + n d
  return new Matrix4().set(
    1 - x * x, -x * y, -x * z, x * d,
    -y * x, 1 - y * y, -y * z, y * d,
    -z * x, -z * y, 1 - z * z, z * d,
    0, 0, 0, 1,
  );
}

class FadedVertices {
  #colour: Color;
  #positions: number[] = [];
  #colours: number[] = [];

  constructor(colour: Color) {
    this.#colour = colour;
  }

  add(point: number[], alpha: number): void {
    this.#positions.push(...point);
    this.#colours.push(this.#colour.r, this.#colour.g, this.#colour.b, alpha);
  }

  geometry(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(this.#positions), 3));
    geometry.setAttribute('color', new BufferAttribute(new Float32Array(this.#colours), 4));
    return geometry;
  }
}
