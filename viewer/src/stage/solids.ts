/** Bodies in space: one instanced mesh for all shapes of a geometry. */
import {
  BufferGeometry, Color, EdgesGeometry, EqualStencilFunc, Group, IncrementStencilOp, InstancedMesh, KeepStencilOp, LineBasicMaterial,
  LineSegments, Matrix4, MeshBasicMaterial, MeshLambertMaterial, type InstancedBufferAttribute,
} from 'three';
import type { BodyPrimitive, CirclePrimitive } from '../drawing_types';
import { theme } from '../theme';
import { isDark, mix, partColour } from './colours';
import type { Moment } from './moment';
import { plainBallGeometry, solidOf, type Solid } from './solid_shapes';

const GLASS = 0.28;
/** Shadows on light and on dark ground. */
const SHADOW = { light: 0.12, dark: 0.45 };

interface Instance {
  body: number; // of the poses
  local: Matrix4;
  part: number;
}

interface Batch {
  instances: Instance[];
  mesh: InstancedMesh;
}

export class Solids {
  readonly group = new Group();
  #bodies: readonly BodyPrimitive[];
  #circles: readonly CirclePrimitive[];
  #batches: Batch[] = [];
  #poses: Matrix4[];
  #place = new Float64Array(3);
  #rotation = new Float64Array(9);
  #matrix = new Matrix4();

  /** `shadowPlanes` are the matrices that flatten the bodies onto the ground. */
  constructor(bodies: readonly BodyPrimitive[], circles: readonly CirclePrimitive[], opacity: number, shadowPlanes: readonly Matrix4[]) {
    this.#bodies = bodies;
    this.#circles = circles;
    this.#poses = [...bodies, ...circles].map(() => new Matrix4());

    const batches = new Map<string, { solid: Solid; instances: Instance[] }>();
    const add = (solid: Solid, instance: Instance) => {
      const key = `${solid.key} ${solid.glass}`;
      if (!batches.has(key)) batches.set(key, { solid, instances: [] });
      batches.get(key)!.instances.push(instance);
    };
    bodies.forEach((body, i) => {
      for (const shape of body.shapes) {
        const solid = solidOf(shape);
        if (solid !== null) add(solid, { body: i, local: solid.local, part: body.part });
      }
    });
    circles.forEach((circle, i) => {
      const solid = { key: 'plain ball', make: plainBallGeometry, local: new Matrix4(), glass: false };
      add(solid, { body: bodies.length + i, local: solid.local, part: circle.part });
    });
    for (const batch of batches.values()) this.#add(batch.solid, batch.instances, opacity, shadowPlanes);
  }

  update(moment: Moment): void {
    this.#bodies.forEach((body, i) => {
      moment.pose(body, this.#place, this.#rotation);
      const [x, y, z] = this.#place;
      const r = this.#rotation;
      this.#poses[i].set(r[0], r[3], r[6], x, r[1], r[4], r[7], y, r[2], r[5], r[8], z, 0, 0, 0, 1);
    });
    this.#circles.forEach((circle, i) => {
      moment.point(circle.center, this.#place);
      const radius = Math.abs(moment.value(circle.radius));
      this.#poses[this.#bodies.length + i].makeScale(radius, radius, radius).setPosition(this.#place[0], this.#place[1], this.#place[2]);
    });
    for (const { instances, mesh } of this.#batches) {
      instances.forEach(({ body, local }, i) => mesh.setMatrixAt(i, this.#matrix.multiplyMatrices(this.#poses[body], local)));
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  #add(solid: Solid, instances: Instance[], opacity: number, shadowPlanes: readonly Matrix4[]): void {
    const seen = solid.glass ? opacity * GLASS : opacity;
    const translucent = seen < 1;
    // The offset keeps the faces of a box from covering its edges.
    const behindEdges = { polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 };
    const material = new MeshLambertMaterial({ vertexColors: true, transparent: translucent, opacity: seen, depthWrite: !translucent, ...behindEdges });
    const geometry = solid.make(instances.length);
    const mesh = new InstancedMesh(geometry, material, instances.length);
    mesh.frustumCulled = false;
    instances.forEach(({ part }, i) => mesh.setColorAt(i, new Color(mix(partColour(part).line, '#ffffff', 0.8))));
    this.group.add(mesh);
    this.#batches.push({ instances, mesh });
    if (solid.key === 'box') this.group.add(boxEdges(geometry, mesh.instanceMatrix, instances.length, opacity));
    if (!solid.glass) for (const plane of shadowPlanes) this.group.add(shadow(geometry, mesh.instanceMatrix, instances.length, plane, opacity));
  }
}

/** Shares the matrices of the boxes. Lines may be instanced like meshes: the renderer asks for these three fields only. */
function boxEdges(box: BufferGeometry, matrices: InstancedBufferAttribute, count: number, opacity: number): LineSegments {
  const material = new LineBasicMaterial({ color: theme().text, transparent: true, opacity: 0.75 * opacity });
  const edges = new LineSegments(new EdgesGeometry(box), material);
  edges.frustumCulled = false;
  return Object.assign(edges, { isInstancedMesh: true, instanceMatrix: matrices, instanceColor: null, morphTexture: null, count });
}

/** The bodies flattened onto the ground. The stencil darkens each pixel once, however many bodies are above it. */
function shadow(geometry: BufferGeometry, matrices: InstancedBufferAttribute, count: number, flatten: Matrix4, opacity: number): InstancedMesh {
  const material = new MeshBasicMaterial({
    color: 0x000000, transparent: true, opacity: (isDark(theme().surface) ? SHADOW.dark : SHADOW.light) * opacity, depthWrite: false,
    stencilWrite: true, stencilFunc: EqualStencilFunc, stencilRef: 0, stencilFail: KeepStencilOp, stencilZFail: KeepStencilOp, stencilZPass: IncrementStencilOp,
  });
  const mesh = new InstancedMesh(geometry, material, count);
  mesh.instanceMatrix = matrices;
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  mesh.matrix.copy(flatten);
  mesh.renderOrder = -1;
  return mesh;
}
