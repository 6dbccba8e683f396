/** Round dots in space of a size on the screen. */
import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Points, PointsMaterial } from 'three';
import type { Numbers } from './rotation';

export class Dots {
  readonly object: Points<BufferGeometry, PointsMaterial>;
  #positions: BufferAttribute;
  #colours: BufferAttribute;
  #count = 0;

  /** `size` is the diameter in CSS pixels; `onTop` draws over the bodies. */
  constructor(capacity: number, size: number, opacity: number, onTop: boolean) {
    this.#positions = new BufferAttribute(new Float32Array(3 * Math.max(1, capacity)), 3).setUsage(DynamicDrawUsage);
    this.#colours = new BufferAttribute(new Float32Array(3 * Math.max(1, capacity)), 3).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', this.#positions);
    geometry.setAttribute('color', this.#colours);
    const material = new PointsMaterial({ size, sizeAttenuation: false, vertexColors: true, transparent: true, opacity, depthTest: !onTop });
    material.onBeforeCompile = (shader) => {
      shader.fragmentShader = shader.fragmentShader.replace('#include <alphatest_fragment>', 'if (length(gl_PointCoord - 0.5) > 0.5) discard;');
    };
    this.object = new Points(geometry, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = onTop ? 3 : 0;
  }

  begin(): void {
    this.#count = 0;
  }

  add(at: Numbers, colour: Color): void {
    if (!Number.isFinite(at[0] + at[1] + at[2])) return;
    this.#positions.setXYZ(this.#count, at[0], at[1], at[2]);
    this.#colours.setXYZ(this.#count, colour.r, colour.g, colour.b);
    this.#count++;
  }

  end(): void {
    this.object.geometry.setDrawRange(0, this.#count);
    this.#positions.needsUpdate = true;
    this.#colours.needsUpdate = true;
  }
}
