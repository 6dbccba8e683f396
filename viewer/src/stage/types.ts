/** What a stage is given and what it does. */
import type { ContactPrimitive, Drawing, Value } from '../drawing_types';
import type { Target } from './targets';

export type { Target };

/** Contacts that were found while a run went on: those of a sample carried since the one before. Three numbers of each place and force. */
export interface FoundContacts {
  readonly count: number;
  readonly at: Float64Array; // m
  readonly normal: Float64Array; // 1  from the second shape to the first
  readonly force: Float64Array; // N  mean force on the first shape; NaN where no time has passed
}

/** The drawing of one run with its numbers at hand. */
export interface Picture {
  readonly drawing: Drawing;
  value(v: Value, sample: number): number;
  readonly times: Float64Array;
  /** Mean force since the sample before: normal, then one per tangent; NaN where unknown. */
  forces(contact: ContactPrimitive, sample: number): number[];
  /** NaN where unknown. */
  gap(contact: ContactPrimitive, sample: number): number;
  /** Absent where contacts are primitives of the drawing. */
  found?(sample: number): FoundContacts;
  /** The most of any sample. */
  readonly mostFound?: number;
  /** The impulse of an impact of the contact shortly before a sample, rows as of `forces`; null if there was none. */
  impact?(contact: ContactPrimitive, sample: number): number[] | null;
}

export interface StageOptions {
  forces: boolean;
  cones: boolean;
  normals: boolean;
  trails: boolean;
  names: boolean;
  forceScale: number; // of the arrows; 1 is automatic
}

export const DEFAULT_OPTIONS: StageOptions = { forces: true, cones: true, normals: false, trails: false, names: false, forceScale: 1 };

/** Where the camera is, to be given to another stage of the same motion. */
export interface StageView {
  framed: boolean; // fitted to the motion, not moved by the user
  numbers: number[];
}

export type Side = 'free' | 'front' | 'side' | 'top';

export interface Stage {
  /** Fills its container. */
  readonly element: HTMLElement;
  /**
   * Draws these samples, one per picture. All pictures but the first are ghosts (translucent).
   * `alpha` in [0, 1) is the fraction of the way to the next sample, for smooth slow motion.
   */
  show(samples: number[], alpha: number): void;
  setOptions(options: StageOptions): void;
  /** The pictures, the same objects, hold more samples than before. Keeps the camera. */
  renew(): void;
  /** Fits the camera to what the whole motion covers. */
  frame(): void;
  /** What the camera can follow, by name. */
  readonly targets: readonly string[];
  /** Goes along with a target, from where the camera is; null: it stays. */
  follow(target: Target | null): void;
  readonly followed: Target | null;
  /** Told when a double click chose what is followed. */
  onFollow: (() => void) | null;
  /** Looks from a side; in the plane there is one alone. */
  look(side: Side): void;
  /** Light or dark has changed. */
  setTheme(): void;
  /** Where a point is on the element, in CSS pixels. */
  project(point: readonly [number, number, number]): { x: number; y: number };
  view(): StageView;
  setView(view: StageView): void;
  resize(): void;
  dispose(): void;
}
