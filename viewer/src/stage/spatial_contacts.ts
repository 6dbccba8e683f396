/** Contacts in space: point, normal, friction cone and forces. */
import { Color, Group } from 'three';
import type { ContactPrimitive } from '../drawing_types';
import { theme } from '../theme';
import { Arrows, Cones } from './arrows';
import { mix } from './colours';
import { arrowLength, coneHeight, coneOpening, contactState, impulseLength, foundState, updateContact, updateFound, type ContactScale, type ContactState } from './contacts';
import { Dots } from './dots';
import type { Moment } from './moment';
import { acrossOf } from './outlines';
import type { Numbers } from './rotation';
import { Strokes } from './strokes';
import type { StageOptions } from './types';

const DOT_SIZE = 7; // CSS pixels
const NORMAL_LENGTH = 1.25; // of the length of a cone

export class SpatialContacts {
  readonly group = new Group();
  readonly states: ContactState[];
  #scale: ContactScale;
  #closedDots: Dots;
  #openDots: Dots;
  #normals: Strokes;
  #arrows: Arrows;
  #impulses: Arrows;
  #parts: Strokes;
  #cones: Cones;
  #closedColour: Color;
  #openColour: Color;
  #unit = [0, 0, 0];
  #other = [0, 0, 0];
  #unused = [0, 0, 0];

  #found = foundState();
  #room: number; // a run that goes on may find more than there were when this was made

  /** `mostFound`: beside these contacts, of those that were found. */
  constructor(contacts: readonly ContactPrimitive[], mostFound: number, scale: ContactScale, opacity: number) {
    const { force, impulse, surface } = theme();
    this.states = contacts.map(contactState);
    this.#scale = scale;
    this.#closedColour = new Color(force);
    this.#openColour = new Color(mix(force, surface, 0.45));
    this.#room = mostFound;
    const count = contacts.length + mostFound;
    this.#closedDots = new Dots(count, DOT_SIZE, opacity, true);
    this.#openDots = new Dots(count, DOT_SIZE * 0.7, 0.7 * opacity, true);
    this.#normals = new Strokes(count, { width: 1.2, opacity: 0.8 * opacity, onTop: true });
    this.#arrows = new Arrows(count, scale.mark, force, opacity);
    this.#impulses = new Arrows(contacts.length, 1.4 * scale.mark, impulse, opacity);
    this.#parts = new Strokes(2 * count, { width: 1.2, opacity: 0.7 * opacity, onTop: true });
    this.#cones = new Cones(count, force, opacity);
    this.group.add(this.#closedDots.object, this.#openDots.object, this.#normals.object, this.#arrows.group, this.#impulses.group, this.#parts.object, this.#cones.group);
  }

  update(moment: Moment, options: StageOptions): void {
    const layers = [this.#closedDots, this.#openDots, this.#normals, this.#arrows, this.#impulses, this.#parts, this.#cones];
    for (const layer of layers) layer.begin();
    for (const state of this.states) {
      updateContact(state, moment, this.#scale);
      if (state.near) this.#add(state, options);
    }
    const found = moment.found();
    for (let k = 0; k < Math.min(found?.count ?? 0, this.#room); k++) {
      updateFound(this.#found, found!, k);
      this.#add(this.#found, options);
    }
    for (const layer of layers) layer.end();
  }

  #add(state: ContactState, options: StageOptions): void {
    const { at, normal, closed } = state;
    if (closed) this.#closedDots.add(at, this.#closedColour);
    else if (options.normals) this.#openDots.add(at, this.#openColour);
    if (options.normals) {
      const length = NORMAL_LENGTH * this.#scale.coneLength;
      const colour = closed ? this.#closedColour : this.#openColour;
      this.#normals.segment(at[0], at[1], at[2], at[0] + length * normal[0], at[1] + length * normal[1], at[2] + length * normal[2], colour);
    }
    if (options.cones && closed) this.#addCone(state);
    if (options.forces) this.#addForces(state, options.forceScale);
    const struck = options.forces ? impulseLength(state.struck, this.#scale, options.forceScale) : 0;
    if (struck === 0) return;
    for (let i = 0; i < 3; i++) this.#unit[i] = state.impulse[i] / state.struck;
    this.#impulses.add(at, this.#unit, struck, false);
  }

  #addCone(state: ContactState): void {
    const { at, normal, tangents } = state;
    const opening = coneOpening(state);
    if (opening === null || tangents.length === 0) return;
    if (tangents.length < 2) acrossOf(normal, this.#unused, this.#other);
    const height = coneHeight(this.#scale.coneLength, opening);
    this.#cones.add(at, normal, tangents[0], tangents[1] ?? this.#other, height, opening[0], opening[1]);
  }

  #addForces({ at, normal, tangents, parts, force, magnitude }: ContactState, factor: number): void {
    const { length, capped } = arrowLength(magnitude, this.#scale, factor);
    if (length === 0) return;
    for (let i = 0; i < 3; i++) this.#unit[i] = force[i] / magnitude;
    this.#arrows.add(at, this.#unit, length, capped);

    // The parts, to the scale of the whole also where that is cut short: along the normal, and all friction together.
    const shown = length / magnitude;
    let friction = 0;
    for (let i = 0; i < 3; i++) {
      this.#unit[i] = 0;
      for (let k = 0; k < tangents.length; k++) this.#unit[i] += parts[k + 1] * tangents[k][i];
      friction = Math.max(friction, Math.abs(this.#unit[i]));
    }
    if (friction === 0) return;
    this.#addPart(at, normal, parts[0] * shown);
    this.#addPart(at, this.#unit, shown);
  }

  #addPart(at: Numbers, vector: Numbers, factor: number): void {
    this.#parts.segment(at[0], at[1], at[2], at[0] + factor * vector[0], at[1] + factor * vector[1], at[2] + factor * vector[2], this.#closedColour);
  }
}
