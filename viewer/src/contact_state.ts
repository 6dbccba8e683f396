/** What a contact does at a sample: its mode, its gap, its forces and how much of the friction it uses. */
import type { ContactPrimitive } from './drawing_types';
import { spanAt, type Band, type Mode } from './modes';
import { lowerBound } from './ranges';
import type { Replay } from './replay';
import { gradientLengths, partsInSpace } from './stage/contacts';
import type { Picture } from './stage/types';

type ForcedPicture = Picture & Pick<Replay, 'impulses'>;

export interface ContactState {
  contact: ContactPrimitive;
  /** Null where nothing tells it. */
  mode: Mode | null;
  /** NaN, here and below, where unknown. */
  gap: number;
  /** Force in newtons, as its arrow shows it, or the impulse where no time has passed since the sample before. */
  normal: number;
  /** Magnitude. */
  tangential: number;
  isImpulse: boolean;
  /** |f_t| / (mu f_n) of the law's own forces, or impulses: 1 on the friction cone. NaN while the contact carries nothing. */
  use: number;
}

/** `bands`: the modes of the laws over time, where events were recorded. */
export function contactState(picture: ForcedPicture, contact: ContactPrimitive, bands: readonly Band[] | null, sample: number): ContactState {
  const isImpulse = picture.times[sample] === picture.times[sample - 1];
  const rows = isImpulse ? picture.impulses(contact, sample) : picture.forces(contact, sample);
  const [normal = NaN, ...tangential] = partsInSpace(rows, gradientLengths(picture, contact, sample));
  const gap = picture.gap(contact, sample);
  const mode = bandMode(bands?.[contact.law], picture.times, sample) ?? modeByForce(gap, rows[0] ?? NaN);
  return {
    contact,
    mode,
    gap,
    normal,
    tangential: tangential.length === 0 ? NaN : Math.hypot(...tangential),
    isImpulse,
    use: frictionUse(rows[0] ?? NaN, rows.slice(1), contact.friction),
  };
}

/** Carrying contacts first, each group in the order of the drawing. */
export function carryingFirst(states: ContactState[]): ContactState[] {
  return [...states.filter(carries), ...states.filter((state) => !carries(state))];
}

export function carries(state: ContactState): boolean {
  return state.normal > 0 || (state.mode !== null && state.mode !== 'open');
}

/** With a coefficient for each direction the cone is an ellipse. */
export function frictionUse(normal: number, tangential: readonly number[], friction: readonly number[]): number {
  if (friction.length === 0 || friction.length !== tangential.length || !(normal > 0) || friction.some((mu) => mu <= 0)) return NaN;
  return Math.hypot(...tangential.map((force, i) => force / friction[i])) / normal;
}

/** Of two samples at one time all but the last show what was before. */
function bandMode(band: Band | undefined, times: Float64Array, sample: number): Mode | null {
  if (band === undefined) return null;
  const end = times[times.length - 1];
  const isBefore = times[sample + 1] === times[sample];
  const span = spanAt(band, times[sample], end);
  if (span === null || !isBefore || span.from < times[sample]) return span?.mode ?? null;
  const before = lowerBound(band.times, span.from) - 1;
  return before >= 0 ? band.modes[before] : span.mode;
}

function modeByForce(gap: number, normal: number): Mode | null {
  if (normal > 0) return 'closed';
  if (Number.isNaN(gap)) return Number.isNaN(normal) ? null : 'open';
  return gap > 0 ? 'open' : 'closed';
}
