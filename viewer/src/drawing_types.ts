/**
 * The drawing of a recording: how a system looks, as a list of primitives whose numbers are
 * constants, coordinates, or columns recorded with every sample. SI units.
 */

/** A constant, coordinate number q, or column number c of the drawing. */
export type Value = number | { readonly q: number } | { readonly c: number };

/** Two values in the plane, three in space. */
export type Point = readonly Value[];

/** The part of what has no colour of its own: walls, rods, springs. Others with the same number have the same colour. */
export const NO_PART = -1;

export type Vector = readonly [number, number, number];

/** A rotation matrix, its columns one after the other. */
export type Axes = readonly number[];

export type Turn =
  | { readonly quaternion: readonly [Value, Value, Value, Value] } // w, x, y, z; body frame to space
  | { readonly axes: readonly Value[] } // nine: the columns of the rotation matrix
  | { readonly angle: Value };

export type Shape =
  | { readonly kind: 'sphere'; readonly center: Vector; readonly radius: number }
  | { readonly kind: 'box'; readonly center: Vector; readonly size: Vector; readonly axes: Axes }
  | { readonly kind: 'capsule'; readonly from: Vector; readonly to: Vector; readonly radius: number }
  | { readonly kind: 'cylinder'; readonly from: Vector; readonly to: Vector; readonly radius: number }
  | { readonly kind: 'hull'; readonly points: readonly Vector[]; readonly faces: readonly (readonly number[])[] } // anticlockwise seen from outside
  | { readonly kind: 'inertia'; readonly size: Vector; readonly axes: Axes } // the box of the same mass and inertia
  | { readonly kind: 'mass' };

export interface BodyPrimitive {
  readonly kind: 'body';
  readonly name: string;
  readonly part: number;
  readonly at: Point;
  readonly turn: Turn | null;
  readonly shapes: readonly Shape[];
}

/** Solid where normal . r < offset. */
export interface PlanePrimitive {
  readonly kind: 'plane';
  readonly name: string;
  readonly normal: Vector;
  readonly offset: number;
}

export interface LinePrimitive {
  readonly kind: 'line';
  readonly name: string;
  readonly part: number;
  readonly points: readonly Point[];
  readonly closed: boolean;
}

/** The angle, from the x axis towards y, turns a spoke. In space it is a sphere. */
export interface CirclePrimitive {
  readonly kind: 'circle';
  readonly name: string;
  readonly part: number;
  readonly center: Point;
  readonly radius: Value;
  readonly angle: Value | null;
}

export interface SpringPrimitive {
  readonly kind: 'spring';
  readonly name: string;
  readonly part: number;
  readonly points: readonly [Point, Point];
}

export interface TextPrimitive {
  readonly kind: 'text';
  readonly at: Point;
  readonly text: string;
}

export interface JointPrimitive {
  readonly kind: 'joint';
  readonly name: string;
  readonly at: Point;
}

/** The normal points from the second partner to the first; forces are those on the first. */
export interface ContactPrimitive {
  readonly kind: 'contact';
  readonly name: string;
  readonly law: number;
  readonly at: Point;
  readonly normal: Point;
  readonly tangents: readonly Point[];
  readonly gap: number | null; // number of the gap among the recorded ones
  readonly rows: readonly number[]; // of the recorded impulses: normal, then one per tangent
  readonly friction: readonly number[]; // one per tangent, or none
}

export type Primitive =
  | BodyPrimitive
  | PlanePrimitive
  | LinePrimitive
  | CirclePrimitive
  | SpringPrimitive
  | TextPrimitive
  | JointPrimitive
  | ContactPrimitive;

export interface Drawing {
  readonly version: 1;
  readonly space: 'plane' | 'space'; // plane: x to the right, y up
  readonly up: Vector;
  readonly primitives: readonly Primitive[];
}
