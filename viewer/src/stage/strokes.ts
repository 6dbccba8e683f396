/** Many line segments in space of a width on the screen, written anew for every frame. */
import { Color, type InterleavedBufferAttribute } from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';
import type { Numbers } from './rotation';

export interface StrokeStyle {
  width: number; // CSS pixels
  opacity?: number;
  onTop?: boolean; // of the bodies
}

export class Strokes {
  readonly object: LineSegments2;
  #positions: Float32Array;
  #colours: Float32Array;
  #count = 0;

  constructor(capacity: number, { width, opacity = 1, onTop = false }: StrokeStyle) {
    this.#positions = new Float32Array(6 * Math.max(1, capacity));
    this.#colours = new Float32Array(6 * Math.max(1, capacity));
    const geometry = new LineSegmentsGeometry();
    geometry.setPositions(this.#positions);
    geometry.setColors(this.#colours);
    geometry.instanceCount = 0;
    const material = new LineMaterial({ linewidth: width, vertexColors: true, transparent: opacity < 1 || onTop, opacity, depthTest: !onTop });
    this.object = new LineSegments2(geometry, material);
    this.object.frustumCulled = false;
    if (onTop) this.object.renderOrder = 2;
  }

  begin(): void {
    this.#count = 0;
  }

  segment(ax: number, ay: number, az: number, bx: number, by: number, bz: number, colour: Color): void {
    const at = 6 * this.#count++;
    if (!Number.isFinite(ax + ay + az + bx + by + bz)) {
      this.#positions.fill(0, at, at + 6);
      return;
    }
    const p = this.#positions;
    p[at] = ax;
    p[at + 1] = ay;
    p[at + 2] = az;
    p[at + 3] = bx;
    p[at + 4] = by;
    p[at + 5] = bz;
    for (let i = at; i < at + 6; i += 3) {
      this.#colours[i] = colour.r;
      this.#colours[i + 1] = colour.g;
      this.#colours[i + 2] = colour.b;
    }
  }

  /** Joins the first `count` points of three coordinates each. */
  polyline(points: Numbers, count: number, closed: boolean, colour: Color): void {
    for (let i = closed ? 0 : 1; i < count; i++) {
      const a = 3 * ((i + count - 1) % count);
      const b = 3 * i;
      this.segment(points[a], points[a + 1], points[a + 2], points[b], points[b + 1], points[b + 2], colour);
    }
  }

  end(): void {
    const { geometry } = this.object;
    for (const name of ['instanceStart', 'instanceColorStart']) (geometry.getAttribute(name) as InterleavedBufferAttribute).data.needsUpdate = true;
    this.showFirst(this.#count);
  }

  /** Of segments that were written once, in order. */
  showFirst(count: number): void {
    this.object.geometry.instanceCount = count;
    this.object.visible = count > 0;
  }
}
