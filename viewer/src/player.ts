/**
 * The clock of the replay: which sample is shown, and how it goes on.
 *
 * At rest the player stands on a sample. While it plays, `alpha` is the fraction of the way from the
 * sample to the next one, so that slow motion is smooth; two samples at one time have nothing between.
 */
import { lowerBound, nearestIndex } from './ranges';
import { Signal } from './signal';

/** Seconds that a run takes by default where real time would be tedious or too quick to see. */
const COMFORTABLE = 10;
const SHORTEST_IN_REAL_TIME = 2;
const LONGEST_IN_REAL_TIME = 30;
const SLOWEST = 0.01;
const FASTEST = 10;
/** A frame that comes later than this, in seconds, does not make the replay jump. */
const LONGEST_FRAME = 0.25;

export class Player {
  /** The sample or what lies between it and the next. */
  readonly moved = new Signal();
  /** Playing, speed, loop, or the run itself. */
  readonly changed = new Signal();

  #times: Float64Array;
  #sample = 0;
  #time: number;
  #playing = false;
  #speed: number;
  #speeds: number[];
  #loop = false;

  /** `times` has at least one element. */
  constructor(times: Float64Array) {
    this.#times = times;
    this.#time = times[0];
    this.#speed = comfortableSpeed(times[times.length - 1] - times[0]);
    this.#speeds = speedLadder(this.#speed);
  }

  get times(): Float64Array {
    return this.#times;
  }
  get sample(): number {
    return this.#sample;
  }
  /** Of the clock, in s; that of the sample while at rest. */
  get time(): number {
    return this.#time;
  }
  get alpha(): number {
    if (this.#sample + 1 >= this.#times.length) return 0;
    const interval = this.#times[this.#sample + 1] - this.#times[this.#sample];
    return interval > 0 ? (this.#time - this.#times[this.#sample]) / interval : 0;
  }
  get playing(): boolean {
    return this.#playing;
  }
  /** Relative to real time. */
  get speed(): number {
    return this.#speed;
  }
  get loop(): boolean {
    return this.#loop;
  }
  get atEnd(): boolean {
    return this.#sample === this.#times.length - 1;
  }

  /** Goes to the sample nearest in time. */
  seek(time: number): void {
    this.show(nearestIndex(this.#times, time));
  }

  show(sample: number): void {
    this.#sample = Math.min(Math.max(0, sample), this.#times.length - 1);
    this.#time = this.#times[this.#sample];
    this.moved.emit();
  }

  /** By whole samples, in either direction; stops playing. */
  step(samples: number): void {
    this.pause();
    this.show(this.#sample + samples);
  }

  toStart(): void {
    this.show(0);
  }

  toEnd(): void {
    this.show(this.#times.length - 1);
  }

  /** From the end it begins anew. */
  play(): void {
    if (this.#playing || this.#times.length < 2) return;
    if (this.atEnd) this.show(0);
    this.#playing = true;
    this.changed.emit();
  }

  /** Comes to rest on the nearest sample. */
  pause(): void {
    if (!this.#playing) return;
    this.#playing = false;
    if (this.alpha > 0) this.show(this.alpha < 0.5 ? this.#sample : this.#sample + 1);
    this.changed.emit();
  }

  toggle(): void {
    if (this.#playing) this.pause();
    else this.play();
  }

  setLoop(loop: boolean): void {
    this.#loop = loop;
    this.changed.emit();
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.changed.emit();
  }

  faster(): void {
    this.setSpeed(this.#speeds.find((speed) => speed > this.#speed) ?? this.#speed);
  }

  slower(): void {
    this.setSpeed(this.#speeds.filter((speed) => speed < this.#speed).pop() ?? this.#speed);
  }

  /** Lets seconds of the reader's time pass. */
  advance(seconds: number): void {
    if (!this.#playing) return;
    const first = this.#times[0];
    const last = this.#times[this.#times.length - 1];
    let time = this.#time + this.#speed * seconds;
    if (time >= last) {
      if (!this.#loop) {
        this.#playing = false;
        this.toEnd();
        this.changed.emit();
        return;
      }
      time = last > first ? first + ((time - first) % (last - first)) : first;
    }
    this.#time = time;
    this.#sample = lastNotAfter(this.#times, time);
    this.moved.emit();
  }

  /** Takes over the times of a longer recording, or of another run. At the end it follows the end. */
  extend(times: Float64Array): void {
    const wasAtEnd = this.atEnd;
    const choseSpeed = this.#speed !== comfortableSpeed(this.#times[this.#times.length - 1] - this.#times[0]);
    this.#times = times;
    const comfortable = comfortableSpeed(times[times.length - 1] - times[0]);
    this.#speeds = speedLadder(comfortable);
    if (!choseSpeed && !this.#playing) this.#speed = comfortable;
    if (this.#playing) this.advance(0);
    else if (wasAtEnd) this.toEnd();
    else this.show(this.#sample);
    this.changed.emit();
  }
}

/** Lets the player run with the frames of the browser. Returns the function that ends it. */
export function drive(player: Player, requestFrame: (frame: (now: number) => void) => void = requestAnimationFrame): () => void {
  let before: number | null = null;
  let isWaiting = false;
  let ended = false;
  const frame = (now: number): void => {
    isWaiting = false;
    if (ended || !player.playing) {
      before = null;
      return;
    }
    const seconds = before === null ? 0 : (now - before) / 1000;
    before = now;
    player.advance(Math.min(seconds, LONGEST_FRAME));
    wait();
  };
  const wait = (): void => {
    if (isWaiting || ended || !player.playing) return;
    isWaiting = true;
    requestFrame(frame);
  };
  const end = player.changed.listen(wait);
  return () => {
    ended = true;
    end();
  };
}

/** Real time where a run takes a pleasant while, else the rung of the ladder that makes it so. */
export function comfortableSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= SHORTEST_IN_REAL_TIME && duration <= LONGEST_IN_REAL_TIME)) return 1;
  const wanted = Math.log(duration / COMFORTABLE);
  const decade = 10 ** Math.floor(Math.log10(duration / COMFORTABLE));
  return [1, 2, 5, 10].map((rung) => round(rung * decade)).reduce((best, speed) => (Math.abs(Math.log(speed) - wanted) < Math.abs(Math.log(best) - wanted) ? speed : best));
}

/** 1, 2, 5, 10 and so on, from 0.01 to 10 and further where the run asks for it. */
export function speedLadder(comfortable: number): number[] {
  const lowest = Math.min(SLOWEST, comfortable / 100);
  const highest = Math.max(FASTEST, comfortable * 100);
  const rungs: number[] = [];
  for (let exponent = Math.floor(Math.log10(lowest)); exponent <= Math.ceil(Math.log10(highest)); exponent++) {
    for (const rung of [1, 2, 5]) rungs.push(round(rung * 10 ** exponent));
  }
  return rungs.filter((speed) => speed >= lowest * (1 - 1e-9) && speed <= highest * (1 + 1e-9));
}

/** Of two samples at one time the later one. `time` is not before the first. */
function lastNotAfter(times: Float64Array, time: number): number {
  let index = lowerBound(times, time);
  if (index === times.length || times[index] > time) index--;
  while (index + 1 < times.length && times[index + 1] === times[index]) index++;
  return Math.max(0, index);
}

function round(speed: number): number {
  return Number(speed.toPrecision(1));
}
