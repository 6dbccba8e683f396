/** Draws primitives of the plane on a canvas. Positions are in metres, widths in CSS pixels. */
import type { BodyPrimitive, PlanePrimitive, Shape } from '../drawing_types';
import { theme } from '../theme';
import { withAlpha, type PartColour } from './colours';
import { clipLine, marksAlong, SPRING_TURNS, zigzag } from './outlines';
import type { PlanarCamera } from './planar_camera';
import type { Numbers } from './rotation';

const OUTLINE = 1.5;
const LINE = 2.5;
const MASS_RADIUS = 5.5;
const JOINT_RADIUS = 4;
const HATCH_SPACING = 9;
const HATCH_DEPTH = 9;

const TURN = 2 * Math.PI;

export class PlanarPen {
  readonly context: CanvasRenderingContext2D;
  readonly camera: PlanarCamera;
  #ratio = 1;
  #teeth = new Float64Array(2 * (2 * SPRING_TURNS + 4));

  constructor(context: CanvasRenderingContext2D, camera: PlanarCamera) {
    this.context = context;
    this.camera = camera;
  }

  /** Starts a new picture for a screen with so many pixels per CSS pixel. */
  clear(ratio: number): void {
    this.#ratio = ratio;
    this.#reset();
    this.context.globalAlpha = 1;
    this.context.clearRect(0, 0, this.camera.width, this.camera.height);
    this.context.lineJoin = 'round';
    this.context.lineCap = 'round';
  }

  body(body: BodyPrimitive, place: Numbers, rotation: Numbers, colour: PartColour): void {
    const { context, camera } = this;
    const [cosine, sine] = [rotation[0], rotation[1]];
    // Into the frame of the body, still in pixels, so that outlines keep their width.
    const r = this.#ratio;
    context.setTransform(r * cosine, -r * sine, -r * sine, -r * cosine, r * camera.toScreenX(place[0]), r * camera.toScreenY(place[1]));
    context.lineWidth = OUTLINE;
    context.strokeStyle = colour.line;
    context.fillStyle = colour.fill;
    for (const shape of body.shapes) this.#shape(shape, colour);
    this.#reset();
  }

  #reset(): void {
    this.context.setTransform(this.#ratio, 0, 0, this.#ratio, 0, 0);
  }

  #shape(shape: Shape, colour: PartColour): void {
    const { context } = this;
    const { scale } = this.camera;
    context.beginPath();
    if (shape.kind === 'sphere') {
      this.#disc(shape.center[0] * scale, shape.center[1] * scale, shape.radius * scale, colour);
    } else if (shape.kind === 'capsule') {
      const [ax, ay, bx, by] = [shape.from[0] * scale, shape.from[1] * scale, shape.to[0] * scale, shape.to[1] * scale];
      const across = Math.atan2(by - ay, bx - ax) + Math.PI / 2;
      context.arc(ax, ay, shape.radius * scale, across, across + Math.PI);
      context.arc(bx, by, shape.radius * scale, across + Math.PI, across + TURN);
      context.closePath();
      context.fill();
      context.stroke();
    } else if (shape.kind === 'hull') {
      shape.points.forEach(([x, y], i) => (i === 0 ? context.moveTo(x * scale, y * scale) : context.lineTo(x * scale, y * scale)));
      context.closePath();
      context.fill();
      context.stroke();
    } else if (shape.kind === 'cylinder') {
      // There is none in the plane.
    } else if (shape.kind === 'box') {
      this.#rectangle(shape.center, shape.size, shape.axes);
      context.fill();
      context.stroke();
    } else if (shape.kind === 'inertia') {
      this.#rectangle([0, 0, 0], shape.size, shape.axes);
      context.fillStyle = withAlpha(colour.line, 0.12);
      context.fill();
      context.setLineDash([5, 4]);
      context.stroke();
      context.setLineDash([]);
      this.#cross(colour);
    } else {
      this.#dot(0, 0, MASS_RADIUS, colour.line);
    }
  }

  /** Two of four quarters are shaded and one radius is drawn, so that turning is seen. */
  #disc(x: number, y: number, radius: number, colour: PartColour): void {
    const { context } = this;
    context.arc(x, y, radius, 0, TURN);
    context.fill();
    context.fillStyle = colour.shade;
    for (const start of [0, Math.PI]) {
      context.beginPath();
      context.moveTo(x, y);
      context.arc(x, y, radius, start, start + Math.PI / 2);
      context.fill();
    }
    context.fillStyle = colour.fill;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + radius, y);
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, TURN);
    context.stroke();
  }

  /** The centre of mass and the axes of a body without a shape. */
  #cross(colour: PartColour): void {
    const { context } = this;
    context.beginPath();
    context.moveTo(-5, 0);
    context.lineTo(5, 0);
    context.moveTo(0, -5);
    context.lineTo(0, 5);
    context.stroke();
    context.fillStyle = colour.fill;
  }

  #rectangle(center: readonly number[], size: readonly number[], axes: readonly number[]): void {
    const { scale } = this.camera;
    for (const [i, j] of [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) {
      const x = center[0] + axes[0] * i * size[0] + axes[3] * j * size[1];
      const y = center[1] + axes[1] * i * size[0] + axes[4] * j * size[1];
      this.context.lineTo(x * scale, y * scale);
    }
    this.context.closePath();
  }

  /** The ground line and strokes on its solid side, as far as one sees. */
  plane(plane: PlanePrimitive): void {
    const { context, camera } = this;
    const [nx, ny] = plane.normal;
    const length = Math.hypot(nx, ny);
    if (!(length > 0)) return;
    // Of the line on the screen: its point nearest to the origin, and the unit direction with the solid side at its right.
    const [px, py] = [camera.toScreenX((nx * plane.offset) / length ** 2), camera.toScreenY((ny * plane.offset) / length ** 2)];
    const [dx, dy] = [ny / length, nx / length];
    const room = HATCH_DEPTH + LINE;
    const span = clipLine(px, py, dx, dy, -room, -room, camera.width + room, camera.height + room);
    if (span === null) return;

    const [ix, iy] = [-nx / length, ny / length]; // into the solid
    context.strokeStyle = theme().axis;
    context.lineWidth = 1;
    context.beginPath();
    for (const s of marksAlong(span[0], span[1] + HATCH_DEPTH, HATCH_SPACING)) {
      context.moveTo(px + s * dx, py + s * dy);
      context.lineTo(px + (s - HATCH_DEPTH) * dx + HATCH_DEPTH * ix, py + (s - HATCH_DEPTH) * dy + HATCH_DEPTH * iy);
    }
    context.stroke();
    context.strokeStyle = theme().text;
    context.lineWidth = OUTLINE;
    context.beginPath();
    context.moveTo(px + span[0] * dx, py + span[0] * dy);
    context.lineTo(px + span[1] * dx, py + span[1] * dy);
    context.stroke();
  }

  /** Two coordinates per point. */
  line(points: Numbers, count: number, closed: boolean, colour: PartColour): void {
    const { context } = this;
    this.#path(points, count, closed);
    if (closed) {
      context.fillStyle = colour.fill;
      context.fill();
    }
    context.strokeStyle = colour.line;
    context.lineWidth = closed ? OUTLINE : LINE;
    context.stroke();
  }

  circle(x: number, y: number, radius: number, angle: number | null, colour: PartColour): void {
    const { context, camera } = this;
    const [cx, cy, r] = [camera.toScreenX(x), camera.toScreenY(y), Math.abs(radius) * camera.scale];
    if (!Number.isFinite(cx + cy + r)) return;
    context.strokeStyle = colour.line;
    context.fillStyle = colour.fill;
    context.lineWidth = OUTLINE;
    context.beginPath();
    context.arc(cx, cy, r, 0, TURN);
    context.fill();
    context.stroke();
    if (angle === null) return;
    for (let spoke = 3; spoke >= 0; spoke--) {
      const direction = angle + (spoke * Math.PI) / 2;
      context.strokeStyle = spoke === 0 ? colour.line : colour.shade;
      context.lineWidth = spoke === 0 ? LINE : 1;
      context.beginPath();
      context.moveTo(cx, cy);
      context.lineTo(cx + r * Math.cos(direction), cy - r * Math.sin(direction));
      context.stroke();
    }
    this.#dot(cx, cy, LINE, colour.line);
  }

  spring(a: Numbers, b: Numbers, width: number, colour: PartColour): void {
    const { context } = this;
    const count = zigzag(a[0], a[1], b[0], b[1], width, this.#teeth);
    this.#path(this.#teeth, count, false);
    context.strokeStyle = colour.line;
    context.lineWidth = OUTLINE;
    context.stroke();
  }

  joint(x: number, y: number): void {
    const { context, camera } = this;
    context.beginPath();
    context.arc(camera.toScreenX(x), camera.toScreenY(y), JOINT_RADIUS, 0, TURN);
    context.fillStyle = theme().surface;
    context.strokeStyle = theme().text;
    context.lineWidth = OUTLINE;
    context.fill();
    context.stroke();
  }

  /** The first `count` points of three coordinates each, and on to the last one. */
  trail(points: Numbers, count: number, lastX: number, lastY: number, colour: string): void {
    const { context, camera } = this;
    context.beginPath();
    for (let i = 0; i < count; i++) context.lineTo(camera.toScreenX(points[3 * i]), camera.toScreenY(points[3 * i + 1]));
    context.lineTo(camera.toScreenX(lastX), camera.toScreenY(lastY));
    context.strokeStyle = colour;
    context.lineWidth = 1.25;
    context.stroke();
  }

  #dot(x: number, y: number, radius: number, colour: string): void {
    const { context } = this;
    context.fillStyle = colour;
    context.beginPath();
    context.arc(x, y, radius, 0, TURN);
    context.fill();
  }

  #path(points: Numbers, count: number, closed: boolean): void {
    const { context, camera } = this;
    context.beginPath();
    for (let i = 0; i < count; i++) context.lineTo(camera.toScreenX(points[2 * i]), camera.toScreenY(points[2 * i + 1]));
    if (closed) context.closePath();
  }
}
