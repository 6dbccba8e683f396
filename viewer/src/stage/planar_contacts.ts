/** Draws contacts of the plane: point, normal, friction cone and forces. */
import { theme } from '../theme';
import { withAlpha } from './colours';
import { arrowLength, coneOpening, impulseLength, type ContactScale, type ContactState } from './contacts';
import { wedge } from './outlines';
import type { PlanarPen } from './planar_pen';
import type { Numbers } from './rotation';
import type { StageOptions } from './types';

/** In CSS pixels. */
const DOT_RADIUS = 3.2;
const HEAD_LENGTH = 10;
const HEAD_WIDTH = 8;
/** Arrows end so many CSS pixels before the edge of the window, with two heads. */
const EDGE = 3;
const PART_HEAD = 0.6; // of the head of the whole force

/** Of the length of a cone. */
const NORMAL_LENGTH = 1.25;

export function drawContact(pen: PlanarPen, state: ContactState, scale: ContactScale, options: StageOptions): void {
  if (!state.near) return;
  const { context, camera } = pen;
  const { force: colour, surface } = theme();
  const [x, y] = [camera.toScreenX(state.at[0]), camera.toScreenY(state.at[1])];
  const opening = coneOpening(state);

  if (options.cones && state.closed && opening !== null && state.tangents.length > 0) {
    const [ax, ay, bx, by] = wedge(state.normal, state.tangents[0], opening[0], scale.coneLength * camera.scale);
    context.beginPath();
    context.moveTo(x + ax, y - ay);
    context.lineTo(x, y);
    context.lineTo(x + bx, y - by);
    context.fillStyle = withAlpha(colour, 0.13);
    context.fill();
    context.strokeStyle = withAlpha(colour, 0.45);
    context.lineWidth = 1;
    context.stroke();
  }
  if (options.normals) {
    const length = NORMAL_LENGTH * scale.coneLength * camera.scale;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + length * state.normal[0], y - length * state.normal[1]);
    context.strokeStyle = withAlpha(colour, state.closed ? 0.8 : 0.3);
    context.lineWidth = 1;
    context.stroke();
  }
  if (options.forces) drawForces(pen, state, scale, options.forceScale, x, y);
  const struck = options.forces ? impulseLength(state.struck, scale, options.forceScale) : 0;
  if (struck > 0) drawArrow(pen, x, y, [state.impulse[0] / state.struck, state.impulse[1] / state.struck], struck, false, 4, 1.5, theme().impulse);
  if (!state.closed && !options.normals && struck === 0) return;

  context.beginPath();
  context.arc(x, y, DOT_RADIUS, 0, 2 * Math.PI);
  context.fillStyle = state.closed ? colour : surface;
  context.fill();
  context.strokeStyle = state.closed ? surface : withAlpha(colour, 0.45);
  context.lineWidth = 1;
  context.stroke();
}

function drawForces(pen: PlanarPen, state: ContactState, scale: ContactScale, factor: number, x: number, y: number): void {
  const { force, normal, tangents, parts, magnitude } = state;
  const colour = theme().force;
  if (tangents.length > 0 && parts[1] !== 0) {
    // The parts are drawn to the scale of the whole, also where that is cut short.
    const shown = arrowLength(magnitude, scale, factor).length / magnitude;
    const faint = withAlpha(colour, 0.6);
    drawArrow(pen, x, y, normal, parts[0] * shown, false, 1, PART_HEAD, faint);
    drawArrow(pen, x, y, tangents[0], parts[1] * shown, false, 1, PART_HEAD, faint);
  }
  const { length, capped } = arrowLength(magnitude, scale, factor);
  if (length > 0) drawArrow(pen, x, y, [force[0] / magnitude, force[1] / magnitude], length, capped, 2.2, 1, colour);
}

/** Along a unit direction, `length` in metres; `cut` marks a force larger than its arrow with a second head. */
function drawArrow(pen: PlanarPen, x: number, y: number, direction: Numbers, length: number, cut: boolean, width: number, headScale: number, colour: string): void {
  const { context } = pen;
  const along = length * pen.camera.scale;
  const [dx, dy] = [direction[0] * Math.sign(along), -direction[1] * Math.sign(along)];
  const room = roomAlong(x, y, dx, dy, pen.camera.width, pen.camera.height);
  const whole = Math.min(Math.abs(along), room);
  const head = Math.min(HEAD_LENGTH * headScale, whole * 0.6);
  const half = (head / HEAD_LENGTH) * (HEAD_WIDTH / 2);
  if (whole < 1) return;

  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = width;
  context.lineCap = 'butt';
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + dx * (whole - head), y + dy * (whole - head));
  context.stroke();
  context.lineCap = 'round';
  for (let tip = whole; tip > whole - (cut || Math.abs(along) > room ? 2 : 1) * head; tip -= head) {
    const [bx, by] = [x + dx * (tip - head), y + dy * (tip - head)];
    context.beginPath();
    context.moveTo(x + dx * tip, y + dy * tip);
    context.lineTo(bx - dy * half, by + dx * half);
    context.lineTo(bx + dy * half, by - dx * half);
    context.fill();
  }
}

/** How far one can go from a point inside the window along a direction; endless from outside. */
function roomAlong(x: number, y: number, dx: number, dy: number, width: number, height: number): number {
  if (x < EDGE || y < EDGE || x > width - EDGE || y > height - EDGE) return Infinity;
  const across = (from: number, by: number, end: number) => (by > 0 ? (end - EDGE - from) / by : by < 0 ? (EDGE - from) / by : Infinity);
  return Math.min(across(x, dx, width), across(y, dy, height));
}
