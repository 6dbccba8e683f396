/**
 * Reads and checks a drawing: every number it refers to exists, every list has the length its place
 * asks for. What is drawn need not look behind it.
 */
import { NO_PART, type Axes, type ContactPrimitive, type Drawing, type Point, type Primitive, type Shape, type Turn, type Value, type Vector } from './drawing_types';
import { array, index, number, object, ReportError, show, text, type Fields } from './fields';

export const DRAWING_VERSION = 1;

/** How many numbers a drawing may refer to. */
export interface DrawingSizes {
  coordinates: number;
  columns: number;
  gaps: number;
  forces: number;
}

export function readDrawing(document: unknown, sizes: DrawingSizes, at: string): Drawing {
  const fields = object(document, at);
  if (fields.version !== DRAWING_VERSION) {
    throw new ReportError(`This page reads version ${DRAWING_VERSION} of drawings, but ${at} has version ${show(fields.version)}.`);
  }
  const space = fields.space;
  if (space !== 'plane' && space !== 'space') throw new ReportError(`${at}.space is ${show(space)}, expected "plane" or "space".`);
  const reader = new PrimitiveReader(sizes, space === 'plane' ? 2 : 3);
  return {
    version: DRAWING_VERSION,
    space,
    up: fields.up == null ? (space === 'plane' ? [0, 1, 0] : [0, 0, 1]) : reader.vector(fields.up, `${at}.up`),
    primitives: array(fields.primitives, `${at}.primitives`).map((entry, i) => reader.primitive(entry, `${at}.primitives[${i}]`)),
  };
}

export function contactsOf(drawing: Drawing): ContactPrimitive[] {
  return drawing.primitives.filter((primitive) => primitive.kind === 'contact');
}

class PrimitiveReader {
  readonly #sizes: DrawingSizes;
  /** Fewest components of a point. */
  readonly #dimensions: 2 | 3;

  constructor(sizes: DrawingSizes, dimensions: 2 | 3) {
    this.#sizes = sizes;
    this.#dimensions = dimensions;
  }

  primitive(entry: unknown, at: string): Primitive {
    const fields = object(entry, at);
    const name = text(fields.name, `${at}.name`);
    switch (fields.kind) {
      case 'body':
        return {
          kind: 'body',
          name,
          part: this.#part(fields, at),
          at: this.point(fields.at, `${at}.at`),
          turn: this.#turn(fields.turn, `${at}.turn`),
          shapes: array(fields.shapes, `${at}.shapes`).map((shape, i) => this.#shape(shape, `${at}.shapes[${i}]`)),
        };
      case 'plane':
        return { kind: 'plane', name, normal: this.vector(fields.normal, `${at}.normal`), offset: number(fields.offset, `${at}.offset`) };
      case 'line':
        return { kind: 'line', name, part: this.#part(fields, at), points: this.#points(fields.points, 2, `${at}.points`), closed: fields.closed === true };
      case 'circle':
        return {
          kind: 'circle',
          name,
          part: this.#part(fields, at),
          center: this.point(fields.center, `${at}.center`),
          radius: this.value(fields.radius, `${at}.radius`),
          angle: fields.angle == null ? null : this.value(fields.angle, `${at}.angle`),
        };
      case 'spring':
        return { kind: 'spring', name, part: this.#part(fields, at), points: this.#ends(fields.points, `${at}.points`) };
      case 'text':
        return { kind: 'text', at: this.point(fields.at, `${at}.at`), text: text(fields.text, `${at}.text`) };
      case 'joint':
        return { kind: 'joint', name, at: this.point(fields.at, `${at}.at`) };
      case 'contact':
        return this.#contact(fields, name, at);
      default:
        throw new ReportError(`${at}.kind is ${show(fields.kind)}, expected one of body, plane, line, circle, spring, text, joint, contact.`);
    }
  }

  value(entry: unknown, at: string): Value {
    if (typeof entry === 'number') return number(entry, at);
    const fields = object(entry, at);
    if ('q' in fields) return { q: index(fields.q, this.#sizes.coordinates, 'coordinates', `${at}.q`) };
    if ('c' in fields) return { c: index(fields.c, this.#sizes.columns, 'columns of the drawing', `${at}.c`) };
    throw new ReportError(`${at} is ${show(entry)}, expected a number, {"q": k} or {"c": k}.`);
  }

  point(entry: unknown, at: string): Point {
    const values = array(entry, at).map((value, i) => this.value(value, `${at}[${i}]`));
    if (values.length < this.#dimensions || values.length > 3) {
      throw new ReportError(`${at} has ${values.length} components, expected ${this.#dimensions === 2 ? '2 or 3' : '3'}.`);
    }
    return values;
  }

  /** Constants; a third component that is left out is zero. */
  vector(entry: unknown, at: string): Vector {
    const values = array(entry, at).map((value, i) => number(value, `${at}[${i}]`));
    if (values.length < this.#dimensions || values.length > 3) {
      throw new ReportError(`${at} has ${values.length} components, expected ${this.#dimensions === 2 ? '2 or 3' : '3'}.`);
    }
    return [values[0], values[1], values[2] ?? 0];
  }

  #part(fields: Fields, at: string): number {
    return fields.part == null ? NO_PART : number(fields.part, `${at}.part`);
  }

  #points(entry: unknown, fewest: number, at: string): Point[] {
    const points = array(entry, at).map((point, i) => this.point(point, `${at}[${i}]`));
    if (points.length < fewest) throw new ReportError(`${at} has ${points.length} points, expected at least ${fewest}.`);
    return points;
  }

  #ends(entry: unknown, at: string): [Point, Point] {
    const points = this.#points(entry, 2, at);
    if (points.length !== 2) throw new ReportError(`${at} has ${points.length} points, expected 2.`);
    return [points[0], points[1]];
  }

  #values(entry: unknown, count: number, at: string): Value[] {
    const values = array(entry, at).map((value, i) => this.value(value, `${at}[${i}]`));
    if (values.length !== count) throw new ReportError(`${at} has ${values.length} numbers, expected ${count}.`);
    return values;
  }

  #turn(entry: unknown, at: string): Turn | null {
    if (entry == null) return null;
    const fields = object(entry, at);
    if ('quaternion' in fields) return { quaternion: this.#values(fields.quaternion, 4, `${at}.quaternion`) as [Value, Value, Value, Value] };
    if ('axes' in fields) return { axes: this.#values(fields.axes, 9, `${at}.axes`) };
    if ('angle' in fields) return { angle: this.value(fields.angle, `${at}.angle`) };
    throw new ReportError(`${at} is ${show(entry)}, expected "quaternion", "axes" or "angle".`);
  }

  #shape(entry: unknown, at: string): Shape {
    const shape = object(entry, at);
    switch (shape.kind) {
      case 'sphere':
        return { kind: 'sphere', center: this.vector(shape.center, `${at}.center`), radius: number(shape.radius, `${at}.radius`) };
      case 'box':
        return { kind: 'box', center: this.vector(shape.center, `${at}.center`), size: this.vector(shape.size, `${at}.size`), axes: axes(shape.axes, `${at}.axes`) };
      case 'capsule':
        return { kind: 'capsule', from: this.vector(shape.from, `${at}.from`), to: this.vector(shape.to, `${at}.to`), radius: number(shape.radius, `${at}.radius`) };
      case 'cylinder':
        return { kind: 'cylinder', from: this.vector(shape.from, `${at}.from`), to: this.vector(shape.to, `${at}.to`), radius: number(shape.radius, `${at}.radius`) };
      case 'hull':
        return this.#hull(shape, at);
      case 'inertia':
        return { kind: 'inertia', size: this.vector(shape.size, `${at}.size`), axes: axes(shape.axes, `${at}.axes`) };
      case 'mass':
        return { kind: 'mass' };
      default:
        throw new ReportError(`${at}.kind is ${show(shape.kind)}, expected one of sphere, box, capsule, cylinder, hull, inertia, mass.`);
    }
  }

  #hull(shape: Fields, at: string): Shape {
    const points = array(shape.points, `${at}.points`).map((point, i) => this.vector(point, `${at}.points[${i}]`));
    const faces = array(shape.faces, `${at}.faces`).map((face, i) =>
      array(face, `${at}.faces[${i}]`).map((corner, k) => index(corner, points.length, 'points of the hull', `${at}.faces[${i}][${k}]`)),
    );
    return { kind: 'hull', points, faces };
  }

  #contact(fields: Fields, name: string, at: string): ContactPrimitive {
    const tangents = array(fields.tangents ?? [], `${at}.tangents`).map((tangent, i) => this.point(tangent, `${at}.tangents[${i}]`));
    const rows = array(fields.rows ?? [], `${at}.rows`).map((row, i) => index(row, this.#sizes.forces, 'contact forces', `${at}.rows[${i}]`));
    if (rows.length > 0 && rows.length !== 1 + tangents.length) {
      throw new ReportError(`${at}.rows has ${rows.length} entries, expected one for the normal and one for each of ${tangents.length} tangents.`);
    }
    const friction = array(fields.friction ?? [], `${at}.friction`).map((mu, i) => number(mu, `${at}.friction[${i}]`));
    if (friction.length > tangents.length) {
      throw new ReportError(`${at}.friction has ${friction.length} entries, but there are ${tangents.length} tangents.`);
    }
    return {
      kind: 'contact',
      name,
      law: fields.law == null ? -1 : number(fields.law, `${at}.law`),
      at: this.point(fields.at, `${at}.at`),
      normal: this.point(fields.normal, `${at}.normal`),
      tangents,
      gap: fields.gap == null ? null : index(fields.gap, this.#sizes.gaps, 'gaps', `${at}.gap`),
      rows,
      friction,
    };
  }
}

function axes(entry: unknown, at: string): Axes {
  const values = array(entry, at).map((value, i) => number(value, `${at}[${i}]`));
  if (values.length !== 9) throw new ReportError(`${at} has ${values.length} numbers, expected 9.`);
  return values;
}
