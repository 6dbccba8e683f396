/** The numbers of a picture at one moment: at a sample, or on the way to the next one. */
import type { BodyPrimitive, ContactPrimitive, Point, Turn, Value } from '../drawing_types';
import { matrixOfQuaternion, normalize4, quaternionOfMatrix, set4, slerp, type Numbers } from './rotation';
import type { FoundContacts, Picture } from './types';

export class Moment {
  readonly picture: Picture;
  sample = 0;
  #next = 0;
  #alpha = 0;
  #from = new Float64Array(4);
  #to = new Float64Array(4);
  #axes = new Float64Array(9);

  constructor(picture: Picture) {
    this.picture = picture;
  }

  /** Samples of equal time are the states before and after an impact: there is nothing between them. */
  set(sample: number, alpha: number): this {
    const { times } = this.picture;
    const last = Math.max(0, times.length - 1);
    this.sample = Math.min(Math.max(0, sample), last);
    const moves = alpha > 0 && this.sample < last && times[this.sample + 1] > times[this.sample];
    this.#next = moves ? this.sample + 1 : this.sample;
    this.#alpha = moves ? Math.min(alpha, 1) : 0;
    return this;
  }

  value(v: Value): number {
    if (typeof v === 'number') return v;
    const from = this.picture.value(v, this.sample);
    return this.#alpha === 0 ? from : this.#mix(from, this.picture.value(v, this.#next));
  }

  /** Writes three numbers; what a point of the plane lacks is 0. */
  point(p: Point, out: Numbers): void {
    for (let i = 0; i < 3; i++) out[i] = i < p.length ? this.value(p[i]) : 0;
  }

  /** Writes a unit vector and returns the length that it had. */
  direction(p: Point, out: Numbers): number {
    this.point(p, out);
    const length = Math.hypot(out[0], out[1], out[2]);
    for (let i = 0; i < 3; i++) out[i] /= length;
    return length;
  }

  /** Writes the place of a body and its rotation matrix. */
  pose(body: BodyPrimitive, place: Numbers, rotation: Numbers): void {
    this.point(body.at, place);
    const { turn } = body;
    if (turn !== null && 'angle' in turn) {
      const angle = this.value(turn.angle);
      set4(this.#from, Math.cos(angle / 2), 0, 0, Math.sin(angle / 2));
    } else {
      this.#quaternion(turn, this.sample, this.#from);
      if (this.#alpha !== 0 && turn !== null) {
        this.#quaternion(turn, this.#next, this.#to);
        slerp(this.#from, this.#to, this.#alpha);
      }
    }
    matrixOfQuaternion(this.#from, rotation);
  }

  /** A recorded force is the mean since the sample before: between two samples it is that of the later one. */
  forces(contact: ContactPrimitive): number[] {
    return this.picture.forces(contact, this.#next);
  }

  /** As `forces`. */
  found(): FoundContacts | undefined {
    return this.picture.found?.(this.#next);
  }

  impact(contact: ContactPrimitive): number[] | null {
    return this.picture.impact?.(contact, this.sample) ?? null;
  }

  gap(contact: ContactPrimitive): number {
    const from = this.picture.gap(contact, this.sample);
    return this.#alpha === 0 ? from : this.#mix(from, this.picture.gap(contact, this.#next));
  }

  #mix(from: number, to: number): number {
    return from + this.#alpha * (to - from);
  }

  #quaternion(turn: Exclude<Turn, { angle: Value }> | null, sample: number, out: Numbers): void {
    if (turn === null) {
      set4(out, 1, 0, 0, 0);
    } else if ('quaternion' in turn) {
      for (let i = 0; i < 4; i++) out[i] = this.#at(turn.quaternion[i], sample);
      normalize4(out);
    } else {
      for (let i = 0; i < 9; i++) this.#axes[i] = this.#at(turn.axes[i], sample);
      quaternionOfMatrix(this.#axes, out);
    }
  }

  #at(v: Value, sample: number): number {
    return typeof v === 'number' ? v : this.picture.value(v, sample);
  }
}
