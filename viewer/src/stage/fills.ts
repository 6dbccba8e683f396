/** Closed outlines in space, filled. */
import { BufferAttribute, BufferGeometry, DoubleSide, DynamicDrawUsage, Mesh, MeshBasicMaterial, ShapeUtils, Vector2 } from 'three';
import type { Numbers } from './rotation';

/** Moves and changes its form with its corners. */
export class Fill {
  readonly object: Mesh<BufferGeometry, MeshBasicMaterial>;
  #positions: BufferAttribute;

  #triangles: BufferAttribute;
  #count: number;

  constructor(count: number, colour: string, opacity: number) {
    this.#count = count;
    this.#positions = new BufferAttribute(new Float32Array(3 * count), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.#positions);
    this.#triangles = new BufferAttribute(new Uint16Array(3 * (count - 2)), 1).setUsage(DynamicDrawUsage);
    geometry.setIndex(this.#triangles);
    const material = new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.6 * opacity, side: DoubleSide, forceSinglePass: true, depthWrite: false });
    this.object = new Mesh(geometry, material);
    this.object.frustumCulled = false;
  }

  update(corners: Numbers): void {
    for (let i = 0; i < this.#positions.array.length; i++) this.#positions.array[i] = corners[i];
    this.#positions.needsUpdate = true;
    const triangles = triangulate(corners, this.#count);
    triangles.forEach(([a, b, c], i) => this.#triangles.array.set([a, b, c], 3 * i));
    this.object.geometry.setDrawRange(0, 3 * triangles.length);
    this.#triangles.needsUpdate = true;
  }
}

/** Triangles of a flat outline in space, as numbers of its corners; none where a corner is not known. Seen along the axis closest to its normal. */
export function triangulate(corners: Numbers, count: number): number[][] {
  const normal = [0, 0, 0]; // twice the area, by Newell's sum
  for (let i = 0; i < count; i++) {
    const [a, b] = [3 * i, 3 * ((i + 1) % count)];
    for (let k = 0; k < 3; k++) {
      const [u, v] = [(k + 1) % 3, (k + 2) % 3];
      normal[k] += (corners[a + u] - corners[b + u]) * (corners[a + v] + corners[b + v]);
    }
  }
  if (!normal.every(Number.isFinite)) return [];
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const outline = Array.from({ length: count }, (_, i) => new Vector2(corners[3 * i + u], corners[3 * i + v]));
  return ShapeUtils.triangulateShape(outline, []);
}
