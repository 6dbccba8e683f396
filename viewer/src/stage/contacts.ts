/** What a contact looks like at a moment, and how long its arrows are. */
import type { ContactPrimitive } from '../drawing_types';
import { castOf, surveySamples } from './cast';
import type { Moment } from './moment';
import type { FoundContacts, Picture } from './types';

/** In units of the marks of a scene. */
const ARROW_LENGTH = 1 / 6; // of a force that few exceed
const LONGEST_ARROW = 0.45;
const IMPULSE_LENGTH = 0.28; // of the largest impulse
const SHORTEST_ARROW = 1e-3;
const CONE_LENGTH = 0.09; // along its side

/** Of the diagonal of the scene. */
const CLOSED_GAP = 1e-6;
const NEAR_GAP = 0.1;

/** Where more contacts than this carry forces at once, their marks get smaller. */
const FEW = 8;

/** This part of the time in contact the force is at most the usual one. */
const USUAL = 0.95;

const BUDGET = 200_000;

/** With what lengths contacts and forces are drawn. */
export interface ContactScale {
  size: number; // the diagonal of the scene, in metres
  mark: number; // that diagonal, or less of it in a crowd of contacts
  force: number; // in newtons, drawn with a length of `ARROW_LENGTH`; 0 where there are no forces
  impulse: number; // in newton seconds, likewise for impacts
  coneLength: number; // in metres, along the side
}

export function contactScale(pictures: readonly Picture[], size: number): ContactScale {
  const { force, active } = surveyForces(pictures);
  // Arrows on a floor stay apart if their lengths go with the distance of their neighbours.
  const mark = size / Math.sqrt(Math.max(1, active / FEW));
  return { size, mark, force, impulse: largestImpulse(pictures), coneLength: CONE_LENGTH * mark };
}

function largestImpulse(pictures: readonly Picture[]): number {
  let largest = 0;
  for (const picture of pictures) {
    const { contact: contacts } = castOf(picture.drawing);
    if (picture.impact === undefined || contacts.length === 0) continue;
    for (const sample of surveySamples(picture.times.length, contacts.length, BUDGET)) {
      for (const contact of contacts) {
        const rows = picture.impact(contact, sample);
        if (rows !== null) largest = Math.max(largest, Math.hypot(...partsInSpace(rows, gradientLengths(picture, contact, sample)).filter(Number.isFinite)));
      }
    }
  }
  return largest;
}

/**
 * `force` is exceeded in one twentieth of the time in contact only. Weighing by time keeps impacts,
 * whose mean forces are those of very short intervals, from shrinking all other arrows. Where there
 * are only impacts of no duration, all samples count the same. `active` is the mean number of contacts
 * that carry a force, over the samples with at least one.
 */
export function surveyForces(pictures: readonly Picture[]): { force: number; active: number } {
  const forces: number[] = [];
  const weights: number[] = [];
  let samplesInContact = 0;
  for (const picture of pictures) {
    const { contact: contacts } = castOf(picture.drawing);
    const mostFound = picture.mostFound ?? 0;
    if (contacts.length + mostFound === 0) continue;
    for (const sample of surveySamples(picture.times.length, contacts.length + mostFound, BUDGET)) {
      const duration = sample > 0 ? picture.times[sample] - picture.times[sample - 1] : 0;
      const before = forces.length;
      for (const contact of contacts) {
        const force = Math.hypot(...partsInSpace(picture.forces(contact, sample), gradientLengths(picture, contact, sample)));
        if (!(force > 0) || force === Infinity) continue;
        forces.push(force);
        weights.push(duration);
      }
      const found = mostFound > 0 ? picture.found!(sample) : { count: 0, force: [] };
      for (let k = 0; k < found.count; k++) {
        const force = Math.hypot(found.force[3 * k], found.force[3 * k + 1], found.force[3 * k + 2]);
        if (!(force > 0) || force === Infinity) continue;
        forces.push(force);
        weights.push(duration);
      }
      if (forces.length > before) samplesInContact++;
    }
  }
  if (!weights.some((weight) => weight > 0)) weights.fill(1);
  return { force: weightedQuantile(forces, weights, USUAL), active: forces.length / Math.max(1, samplesInContact) };
}

/** Of the vectors that the drawing gives for normal and tangents: 1 where gaps are distances. */
export function gradientLengths(picture: Picture, contact: ContactPrimitive, sample: number): number[] {
  return [contact.normal, ...contact.tangents].map((p) => Math.hypot(...p.map((value) => picture.value(value, sample))));
}

/**
 * The parts of a force in newtons, of an impulse in newton seconds: where a gap is no distance, what the law has in its
 * rows acts along a gradient of another length than 1.
 */
export function partsInSpace(rows: readonly number[], lengths: ArrayLike<number>): number[] {
  return rows.map((row, i) => row * lengths[i]);
}

/** The smallest value that at least `fraction` of the weight does not exceed; 0 of no values. */
export function weightedQuantile(values: readonly number[], weights: readonly number[], fraction: number): number {
  const order = values.map((_, i) => i).sort((i, j) => values[i] - values[j]);
  const wanted = fraction * weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  for (const i of order) {
    sum += weights[i];
    if (sum >= wanted && weights[i] > 0) return values[i];
  }
  return order.length === 0 ? 0 : values[order[order.length - 1]];
}

/** Of the arrow of an impulse, which is never cut. */
export function impulseLength(impulse: number, scale: ContactScale, factor: number): number {
  if (!(impulse > 0) || !(scale.impulse > 0)) return 0;
  const length = Math.min((impulse / scale.impulse) * IMPULSE_LENGTH * factor, LONGEST_ARROW) * scale.mark;
  return length < SHORTEST_ARROW * scale.mark ? 0 : length;
}

/** The length of the arrow of a force, negative for a negative one, and whether the force is larger than it shows. */
export function arrowLength(force: number, scale: ContactScale, factor: number): { length: number; capped: boolean } {
  if (!Number.isFinite(force) || !(scale.force > 0)) return { length: 0, capped: false };
  const length = Math.abs(force / scale.force) * ARROW_LENGTH * scale.mark * factor;
  const longest = LONGEST_ARROW * scale.mark;
  if (length < SHORTEST_ARROW * scale.mark) return { length: 0, capped: false };
  return { length: Math.sign(force) * Math.min(length, longest), capped: length > longest };
}

export interface ContactState {
  readonly contact: ContactPrimitive;
  readonly at: Float64Array;
  readonly normal: Float64Array;
  readonly tangents: Float64Array[];
  /** As of `gradientLengths`. */
  readonly lengths: Float64Array;
  /** On the first partner: the parts along normal and tangents, 0 where unknown. */
  readonly parts: Float64Array;
  readonly force: Float64Array;
  magnitude: number;
  /** Of an impact shortly before, in N s; 0 without one. */
  readonly impulse: Float64Array;
  struck: number;
  closed: boolean;
  /** Close enough to be worth a mark. */
  near: boolean;
}

export function contactState(contact: ContactPrimitive): ContactState {
  return {
    contact,
    at: new Float64Array(3),
    normal: new Float64Array(3),
    tangents: contact.tangents.map(() => new Float64Array(3)),
    lengths: new Float64Array(1 + contact.tangents.length).fill(1),
    parts: new Float64Array(1 + contact.tangents.length),
    force: new Float64Array(3),
    magnitude: 0,
    impulse: new Float64Array(3),
    struck: 0,
    closed: false,
    near: false,
  };
}

export function updateContact(state: ContactState, moment: Moment, scale: ContactScale): void {
  const { contact, lengths, parts, force, normal, tangents } = state;
  moment.point(contact.at, state.at);
  lengths[0] = moment.direction(contact.normal, normal);
  for (let k = 0; k < tangents.length; k++) lengths[k + 1] = moment.direction(contact.tangents[k], tangents[k]);

  const recorded = partsInSpace(moment.forces(contact), lengths);
  for (let i = 0; i < parts.length; i++) parts[i] = Number.isFinite(recorded[i]) ? recorded[i] : 0;
  for (let i = 0; i < 3; i++) {
    force[i] = parts[0] * normal[i];
    for (let k = 0; k < tangents.length; k++) force[i] += parts[k + 1] * tangents[k][i];
  }
  state.magnitude = Math.hypot(force[0], force[1], force[2]);

  const rows = moment.impact(contact);
  state.struck = 0;
  if (rows !== null) {
    const struck = partsInSpace(rows, lengths);
    for (let i = 0; i < 3; i++) {
      state.impulse[i] = (struck[0] || 0) * normal[i];
      for (let k = 0; k < tangents.length; k++) state.impulse[i] += (struck[k + 1] || 0) * tangents[k][i];
    }
    state.struck = Math.hypot(state.impulse[0], state.impulse[1], state.impulse[2]);
  }

  const gap = moment.gap(contact);
  state.closed = Math.abs(parts[0]) > SHORTEST_ARROW * scale.force || gap <= CLOSED_GAP * scale.size;
  state.near = state.closed || state.struck > 0 || !(gap > NEAR_GAP * scale.size);
}

/** A state for contacts that were found: they have no primitive of their own, and a force instead of parts along tangents. */
export function foundState(): ContactState {
  const nowhere = [0, 0, 0];
  return contactState({ kind: 'contact', name: '', law: -1, at: nowhere, normal: nowhere, tangents: [], gap: null, rows: [], friction: [] });
}

/** Puts the k-th of them into `state`. */
export function updateFound(state: ContactState, found: FoundContacts, k: number): void {
  const { at, normal, force, parts } = state;
  for (let i = 0; i < 3; i++) {
    at[i] = found.at[3 * k + i];
    normal[i] = found.normal[3 * k + i];
    force[i] = Number.isFinite(found.force[3 * k + i]) ? found.force[3 * k + i] : 0;
  }
  parts[0] = force[0] * normal[0] + force[1] * normal[1] + force[2] * normal[2];
  state.magnitude = Math.hypot(force[0], force[1], force[2]);
  state.closed = state.near = true;
}

/** The slopes of the cone along two tangents; a contact of one tangent has a flat one. Null without friction. */
export function coneOpening({ contact, lengths }: ContactState): [number, number] | null {
  const [first = 0, second = 0] = contact.friction.map((mu, k) => (mu * lengths[k + 1]) / lengths[0]);
  return first > 0 || second > 0 ? [first, second] : null;
}

/** How far a cone of the given length along its side reaches along its axis. */
export function coneHeight(length: number, opening: readonly [number, number]): number {
  return length / Math.hypot(1, Math.max(...opening));
}
