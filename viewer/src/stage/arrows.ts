/** Arrows and friction cones in space, instanced. */
import { ConeGeometry, CylinderGeometry, DoubleSide, GreaterDepth, Group, InstancedMesh, Matrix4, MeshBasicMaterial, MeshLambertMaterial, type BufferGeometry, type Material } from 'three';
import { acrossOf } from './outlines';
import type { Numbers } from './rotation';

/** How much of an arrow is seen through the bodies in front of it. */
const BEHIND = 0.55;

/** More arrows than this are drawn with fewer sides, and in front of everything at once. */
const MANY = 100;

/** Instances along a direction: a unit geometry from 0 to 1 on z, of unit radius. */
class Rods {
  readonly group = new Group();
  #meshes: InstancedMesh[];
  #count = 0;
  #matrix = new Matrix4();
  #side = [0, 0, 0];
  #other = [0, 0, 0];

  /** One mesh per material, all with the same instances. */
  constructor(geometry: BufferGeometry, materials: Material[], capacity: number, renderOrder: number) {
    this.#meshes = materials.map((material) => new InstancedMesh(geometry, material, Math.max(1, capacity)));
    for (const mesh of this.#meshes) {
      mesh.instanceMatrix = this.#meshes[0].instanceMatrix;
      mesh.frustumCulled = false;
      mesh.renderOrder = renderOrder;
      this.group.add(mesh);
    }
  }

  begin(): void {
    this.#count = 0;
  }

  /** From `start` along a unit direction, round. */
  add(start: Numbers, direction: Numbers, length: number, radius: number): void {
    acrossOf(direction, this.#side, this.#other);
    this.addFramed(start, direction, this.#side, this.#other, length, radius, radius);
  }

  addFramed(start: Numbers, direction: Numbers, side: Numbers, other: Numbers, length: number, a: number, b: number): void {
    if (!Number.isFinite(start[0] + start[1] + start[2] + direction[0] + direction[1] + direction[2] + length)) return;
    this.#matrix.set(
      a * side[0], b * other[0], length * direction[0], start[0],
      a * side[1], b * other[1], length * direction[1], start[1],
      a * side[2], b * other[2], length * direction[2], start[2],
      0, 0, 0, 1,
    );
    this.#meshes[0].setMatrixAt(this.#count++, this.#matrix);
  }

  end(): void {
    for (const mesh of this.#meshes) {
      mesh.count = this.#count;
      mesh.visible = this.#count > 0;
    }
    this.#meshes[0].instanceMatrix.needsUpdate = true;
  }
}

/** Radii and lengths in units of the marks of the scene. */
const SHAFT_RADIUS = 0.003;
const HEAD_RADIUS = 0.01;
const HEAD_LENGTH = 0.032;

export class Arrows {
  readonly group = new Group();
  #shafts: Rods;
  #heads: Rods;
  #mark: number;
  #start = [0, 0, 0];

  /** Room for `capacity` arrows, which are seen, fainter, through what is in front of them. */
  constructor(capacity: number, mark: number, colour: string, opacity: number) {
    this.#mark = mark;
    const many = capacity > MANY;
    const seen = new MeshLambertMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.35, transparent: many || opacity < 1, opacity, depthTest: !many });
    const hidden = new MeshBasicMaterial({ color: colour, transparent: true, opacity: BEHIND * opacity, depthFunc: GreaterDepth, depthWrite: false });
    const materials = many ? [seen] : [seen, hidden];
    const sides = many ? 6 : 12;
    this.#shafts = new Rods(new CylinderGeometry(1, 1, 1, sides, 1, true).translate(0, 0.5, 0).rotateX(Math.PI / 2), materials, capacity, 1);
    this.#heads = new Rods(new ConeGeometry(1, 1, sides, 1).translate(0, 0.5, 0).rotateX(Math.PI / 2), materials, 2 * capacity, 1);
    this.group.add(this.#shafts.group, this.#heads.group);
  }

  begin(): void {
    this.#shafts.begin();
    this.#heads.begin();
  }

  /** Along a unit direction; `cut` adds a second head. */
  add(at: Numbers, direction: Numbers, length: number, cut: boolean): void {
    const head = Math.min(HEAD_LENGTH * this.#mark, 0.6 * length);
    const radius = (head / HEAD_LENGTH) * HEAD_RADIUS;
    this.#shafts.add(at, direction, length - head, Math.min(SHAFT_RADIUS * this.#mark, radius / 2));
    for (let k = 1; k <= (cut ? 2 : 1); k++) {
      for (let i = 0; i < 3; i++) this.#start[i] = at[i] + direction[i] * (length - k * head);
      this.#heads.add(this.#start, direction, head, radius);
    }
  }

  end(): void {
    this.#shafts.end();
    this.#heads.end();
  }
}

/** Friction cones: the tip at the contact, elliptic where the coefficients differ, flat with one tangent. */
export class Cones {
  readonly group: Group;
  #rods: Rods;

  constructor(capacity: number, colour: string, opacity: number) {
    const geometry = new ConeGeometry(1, 1, capacity > MANY ? 16 : 40, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5);
    const material = new MeshBasicMaterial({ color: colour, transparent: true, opacity: 0.13 * opacity, side: DoubleSide, forceSinglePass: true, depthTest: false, depthWrite: false });
    this.#rods = new Rods(geometry, [material], capacity, 1);
    this.group = this.#rods.group;
  }

  begin(): void {
    this.#rods.begin();
  }

  add(tip: Numbers, normal: Numbers, tangent: Numbers, other: Numbers, height: number, muFirst: number, muSecond: number): void {
    this.#rods.addFramed(tip, normal, tangent, other, height, height * muFirst, height * muSecond);
  }

  end(): void {
    this.#rods.end();
  }
}
