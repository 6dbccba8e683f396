/** The controls of the replay: buttons, speed, and the slider with the marks of impacts and events. */
import { element } from './dom';
import { decimalsFor, formatFixed, formatValue } from './format';
import { icon, type Icon } from './icons';
import { impactColumns } from './impacts';
import type { Player } from './player';
import { theme, themeChanged } from './theme';

const TIME_DIGITS = 6;

export class Transport {
  readonly node = element('div', { class: 'transport', role: 'group', 'aria-label': 'Replay' });
  readonly #player: Player;
  readonly #play = this.#button('play', 'Play (space)', () => this.#player.toggle());
  readonly #loop = this.#button('loop', 'Loop: begin anew at the end (L)', () => this.#player.setLoop(!this.#player.loop));
  readonly #slider = element('input', { type: 'range', class: 'scrubber', step: 'any', 'aria-label': 'Time of the replay' });
  readonly #marks = element('canvas', { class: 'marks', 'aria-hidden': 'true' });
  readonly #time = element('output', { class: 'transport-time', 'aria-live': 'off' });
  readonly #speed = element('output', { class: 'transport-speed', title: 'Speed of the replay' });
  readonly #endTheme: () => void;
  #markTimes: Float64Array = new Float64Array();
  /** Of the time beside the buttons; the readout has it in full. */
  #decimals = 0;

  constructor(player: Player) {
    this.#player = player;
    const slower = element('button', { type: 'button', title: 'Slower (−)', 'aria-label': 'Slower' }, '−');
    const faster = element('button', { type: 'button', title: 'Faster (+)', 'aria-label': 'Faster' }, '+');
    slower.addEventListener('click', () => player.slower());
    faster.addEventListener('click', () => player.faster());
    this.#slider.addEventListener('input', () => player.seek(this.#slider.valueAsNumber));
    this.node.append(
      element('div', { class: 'scrub' }, this.#marks, this.#slider),
      element(
        'div',
        { class: 'transport-row' },
        element(
          'span',
          { class: 'tool transport-buttons' },
          this.#button('start', 'To the start (Backspace)', () => player.toStart()),
          this.#button('back', 'One sample back (← or ,)', () => player.step(-1)),
          this.#play,
          this.#button('forward', 'One sample on (→ or .)', () => player.step(1)),
          this.#button('end', 'To the end (End)', () => player.toEnd()),
          this.#loop,
        ),
        this.#time,
        element('span', { class: 'tool transport-pace' }, slower, this.#speed, faster),
      ),
    );
    new ResizeObserver(() => this.#drawMarks()).observe(this.#marks);
    this.#endTheme = themeChanged.listen(() => this.#drawMarks());
    player.changed.listen(() => this.#showState());
    player.moved.listen(() => this.#showTime());
    this.#showState();
    this.#showTime();
  }

  /** Instants to be seen on the slider, ascending. */
  mark(times: Float64Array): void {
    this.#markTimes = times;
    this.#drawMarks();
  }

  destroy(): void {
    this.#endTheme();
  }

  #showState(): void {
    const { playing, speed, loop, times } = this.#player;
    this.#play.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.#play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.#play.title = playing ? 'Pause (space)' : 'Play (space)';
    this.#loop.setAttribute('aria-pressed', String(loop));
    this.#speed.textContent = speed === 1 ? 'real time' : `${formatValue(speed)}× real time`;
    const [min, max] = [String(times[0]), String(times[times.length - 1])];
    if (this.#slider.min === min && this.#slider.max === max) return;
    this.#decimals = decimalsFor((times[times.length - 1] - times[0]) / times.length);
    this.#slider.min = min;
    this.#slider.max = max;
    this.#showTime();
    this.#drawMarks();
  }

  #showTime(): void {
    const time = this.#player.times[this.#player.sample];
    this.#slider.value = String(this.#player.time);
    this.#slider.setAttribute('aria-valuetext', `${formatValue(time, TIME_DIGITS)} seconds`);
    this.#time.textContent = `t = ${formatFixed(time, this.#decimals)} s`;
  }

  #drawMarks(): void {
    const width = Math.round(this.#marks.clientWidth * devicePixelRatio);
    const height = Math.round(this.#marks.clientHeight * devicePixelRatio);
    if (width === 0 || height === 0) return;
    this.#marks.width = width;
    this.#marks.height = height;
    const { times } = this.#player;
    const context = this.#marks.getContext('2d')!;
    context.fillStyle = theme().axis;
    const columns = Math.max(1, Math.floor(width / devicePixelRatio));
    for (const column of impactColumns(this.#markTimes, times[0], times[times.length - 1], columns)) {
      context.fillRect(Math.round(column * devicePixelRatio), 0, Math.max(1, Math.round(devicePixelRatio)), height);
    }
  }

  #button(sign: Icon, title: string, action: () => void): HTMLButtonElement {
    const button = element('button', { type: 'button', class: 'icon-button', title, 'aria-label': title.replace(/ \(.*\)$/, '') }, icon(sign));
    button.addEventListener('click', action);
    return button;
  }
}
