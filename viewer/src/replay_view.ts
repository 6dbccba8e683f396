/** The replay: the stage, its controls, and the numbers of the sample it shows. */
import type { Report } from './data';
import { element } from './dom';
import { contactsOf } from './drawing';
import { keyHelp, listenForKeys } from './keys';
import { marksOf, sampleOfNextMark } from './marks';
import { choosePair, type Pair } from './pair';
import { drive, Player } from './player';
import { indexAt, nearestIndex, rankOf } from './ranges';
import { Readout } from './readout';
import { optionControls, ReplayOptions } from './replay_options';
import type { Replay } from './replay';
import type { RunChoice } from './runs';
import { makeStage, type Stage } from './stage/stage';
import { seriesColourVariable, themeChanged } from './theme';
import { Transport } from './transport';
import { LONG_STEP, type TimeView } from './view';

/** Between two updates of numbers that take long to write, in ms: faster than that nobody reads. Others are written with every frame. */
const READOUT_INTERVAL = 80;
const LONG = 2;
/** Names in the list of what can be followed. */
const MOST_TARGETS = 100;

export class ReplayView {
  readonly node = element('section', { class: 'replay', 'aria-label': 'Replay' });
  readonly player: Player;
  stage: Stage | null = null;

  readonly #options = new ReplayOptions();
  readonly #transport: Transport;
  readonly #host = element('div', { class: 'stage-host', tabindex: '0', role: 'group', 'aria-label': 'Drawing of the system. Space plays, arrow keys step, question mark lists all keys.' });
  /** Everything but the readout, which scrolls by the arrow keys. */
  readonly #main = element('div', { class: 'replay-main' });
  readonly #readoutHost = element('div', { class: 'readout-host' });
  readonly #cameraHost = element('span', { class: 'tool camera' });
  readonly #pairHost = element('span', { class: 'tool pair' });
  readonly #help = keyHelp();
  readonly #ends: (() => void)[];
  #report: Report;
  #replays: Replay[];
  #runs: RunChoice;
  #view: TimeView;
  #marks: Float64Array;
  #pair: Pair;
  #chosen: Pair | null = null;
  #readout: Readout;
  #isFollowing = false;
  #isWaiting = false;
  #readoutShownAt = -Infinity;
  #readoutTimer: ReturnType<typeof setTimeout> | null = null;
  #readoutTook = 0;

  /** `report` has at least one replay. */
  constructor(report: Report, view: TimeView, runs: RunChoice) {
    this.#report = report;
    this.#replays = report.replays;
    this.#runs = runs;
    this.#view = view;
    this.#marks = marksOf(report);
    this.player = new Player(this.#replays[0].times);
    this.#transport = new Transport(this.player);
    this.#pair = choosePair(this.#replays, (run) => this.#isShown(run), null);
    this.#readout = this.#makeReadout();
    this.#assemble();
    this.#makeStage();
    this.#ends = [
      drive(this.player),
      this.player.moved.listen(() => this.#onMoved()),
      this.player.changed.listen(() => this.#draw()),
      this.#options.changed.listen(() => {
        this.stage?.setOptions({ ...this.#options.values });
        this.#draw();
      }),
      themeChanged.listen(() => {
        this.stage?.setTheme();
        this.#draw();
      }),
      listenForKeys(this.#main, this.#actions(), this.#help),
    ];
    const observer = new ResizeObserver(() => this.fit());
    observer.observe(this.#host);
    this.#ends.push(() => observer.disconnect());
    this.#attach(view, runs);
    this.#onMoved();
  }

  /** Takes over a longer recording of what is shown; false if a new replay must be made for it. */
  update(report: Report, view: TimeView, runs: RunChoice): boolean {
    const isSame = report.replays.length === this.#replays.length && this.#replays.every((replay, i) => replay.adopt(report.replays[i]));
    if (!isSame) return false;
    this.#report = { ...report, replays: this.#replays };
    this.#view = view;
    this.#runs = runs;
    this.#marks = marksOf(report);
    this.#attach(view, runs);
    const { scrollTop } = this.#readout.node;
    this.#renewReadout();
    this.#readout.node.scrollTop = scrollTop;
    if (this.stage === null) this.#makeStage();
    else this.stage.renew();
    this.player.extend(this.#replays[0].times);
    this.#showReadout(); // never empty, not for a frame
    return true;
  }

  /** Adapts the drawing to its place. */
  fit(): void {
    this.stage?.resize();
    this.#showNow();
    this.#showReadout(); // a page that is printed does not wait
  }

  destroy(): void {
    this.player.pause();
    for (const end of this.#ends) end();
    this.#transport.destroy();
    this.stage?.dispose();
  }

  #assemble(): void {
    const frame = element('button', { type: 'button', title: 'Frame the whole motion (F)' }, 'Frame');
    frame.addEventListener('click', () => {
      this.stage?.look('free');
      this.#draw();
    });
    const help = element('button', { type: 'button', title: 'Keys (?)', 'aria-label': 'List of the keys' }, '?');
    help.addEventListener('click', () => this.#help.showModal());
    const pin = element('input', { type: 'checkbox' });
    pin.addEventListener('change', () => this.node.classList.toggle('pinned', pin.checked));
    const hasContacts = this.#replays.some((replay) => contactsOf(replay.drawing).length > 0 || replay.mostFound > 0);
    this.#host.addEventListener('pointerdown', () => this.#host.focus({ preventScroll: true }));
    this.#readoutHost.append(this.#readout.node);
    const options = element(
      'div',
      { class: 'replay-options' },
      this.#pairHost,
      ...optionControls(this.#options, hasContacts),
      element('label', { class: 'tool pin', title: 'Keep the replay in sight while the page scrolls' }, pin, 'Pin'),
      this.#cameraHost,
      element('span', { class: 'tool' }, frame, help),
    );
    this.#main.append(this.#host, this.#transport.node, options);
    this.node.append(this.#main, this.#readoutHost, this.#help);
  }

  /** Ties the player to the cursor of the plots, both ways. */
  #attach(view: TimeView, runs: RunChoice): void {
    view.stepper = (direction, far) => this.#step(direction, far);
    view.positionChanged.listen(() => {
      if (this.#isFollowing || view.position === null) return;
      this.player.show(indexAt(this.player.times, view.position.time, view.position.rank));
    });
    runs.changed.listen(() => this.#choose(this.#chosen));
    this.#transport.mark(this.#marks);
    this.#showPairChoice();
  }

  #actions() {
    return {
      toggle: () => this.player.toggle(),
      step: (direction: 1 | -1, far: boolean) => this.#step(direction, far),
      faster: () => this.player.faster(),
      slower: () => this.player.slower(),
      toStart: () => this.player.toStart(),
      toEnd: () => this.player.toEnd(),
      toggleLoop: () => this.player.setLoop(!this.player.loop),
      frame: () => this.#frame(),
      nextMark: (direction: 1 | -1) => this.player.show(sampleOfNextMark(this.#marks, this.player.times, this.player.sample, direction)),
    };
  }

  #step(direction: 1 | -1, far: boolean): void {
    const { player } = this;
    if (!far) {
      player.step(direction);
      return;
    }
    const { min, max } = this.#view.range;
    const target = nearestIndex(player.times, player.time + direction * LONG_STEP * (max - min));
    player.step(target === player.sample ? direction : target - player.sample);
  }

  #frame(): void {
    this.stage?.frame();
    this.#draw();
  }

  #onMoved(): void {
    const { player } = this;
    const time = player.times[player.sample];
    const rank = rankOf(player.times, player.sample);
    this.#isFollowing = true;
    if (player.playing) this.#view.follow({ time, rank });
    else this.#view.goTo(time, rank);
    this.#isFollowing = false;
    // The clock moves with the frames: what it shows belongs to this one, not to the next.
    if (player.playing) this.#showNow();
    else this.#draw();
  }

  /** Once per frame at most, however often the player moved since. */
  #draw(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    requestAnimationFrame(() => {
      this.#isWaiting = false;
      this.#showNow();
    });
  }

  #showNow(): void {
    const { player } = this;
    this.stage?.show(this.#pictures().map(() => player.sample), player.playing ? player.alpha : 0);
    const wait = this.#readoutTook < LONG ? 0 : this.#readoutShownAt + READOUT_INTERVAL - performance.now();
    if (wait <= 0) this.#showReadout();
    else if (this.#readoutTimer === null) this.#readoutTimer = setTimeout(() => this.#showReadout(), wait);
  }

  #showReadout(): void {
    if (this.#readoutTimer !== null) clearTimeout(this.#readoutTimer);
    this.#readoutTimer = null;
    const begin = performance.now();
    this.#readout.show(this.player.sample);
    this.#readoutShownAt = performance.now();
    this.#readoutTook = this.#readoutShownAt - begin;
  }

  #pictures(): Replay[] {
    const { solid, ghost } = this.#pair;
    return ghost === null ? [this.#replays[solid]] : [this.#replays[solid], this.#replays[ghost]];
  }

  #makeStage(): void {
    const camera = this.stage?.view();
    this.stage?.dispose();
    this.stage = null;
    this.#host.replaceChildren();
    try {
      this.stage = makeStage(this.#pictures());
    } catch (error) {
      this.#host.append(element('p', { class: 'empty' }, `The drawing cannot be shown: ${(error as Error).message}`));
      return;
    }
    this.#host.append(this.stage.element);
    this.stage.onFollow = () => this.#showCamera();
    this.stage.setOptions({ ...this.#options.values });
    this.stage.resize();
    if (camera === undefined) this.stage.frame();
    else this.stage.setView(camera);
    this.#showCamera();
  }

  /** What the camera follows, and in space from where it looks. */
  #showCamera(): void {
    const stage = this.stage;
    if (stage === null) return;
    const option = (value: string, words: string, chosen: boolean) => {
      const node = element('option', { value }, words);
      node.selected = chosen;
      return node;
    };
    const { followed } = stage;
    const names = stage.targets.slice(0, MOST_TARGETS);
    const follow = element('select', { 'aria-label': 'What the camera follows' }, option('', 'nothing', followed === null), option('all', 'all', followed === 'all'), ...names.map((name, k) => option(String(k), name, followed === k)));
    follow.addEventListener('change', () => {
      stage.follow(follow.value === '' ? null : follow.value === 'all' ? 'all' : Number(follow.value));
      this.#draw();
    });
    const sides = (['front', 'side', 'top'] as const).map((side) => {
      const button = element('button', { type: 'button', title: `Look from the ${side}` }, side);
      button.addEventListener('click', () => stage.look(side));
      return button;
    });
    const isSpatial = this.#replays[this.#pair.solid].drawing.space === 'space';
    this.#cameraHost.replaceChildren(element('label', { class: 'tool', title: 'A double click on a part follows it too' }, 'Follow', follow), ...(isSpatial ? sides : []));
  }

  #makeReadout(): Readout {
    const colours = this.#pictures().map((replay) => (this.#runs.styles.length === 0 ? null : seriesColourVariable(this.#runs.styles[replay.run])));
    return new Readout(this.#report, this.#pictures(), colours);
  }

  #renewReadout(): void {
    this.#readout = this.#makeReadout();
    this.#readoutHost.replaceChildren(this.#readout.node);
    this.#readoutShownAt = -Infinity;
  }

  /** Draws the chosen runs as far as they are shown. */
  #choose(chosen: Pair | null): void {
    this.#chosen = chosen;
    const pair = choosePair(this.#replays, (run) => this.#isShown(run), chosen);
    const isSame = pair.solid === this.#pair.solid && pair.ghost === this.#pair.ghost;
    this.#pair = pair;
    this.#showPairChoice();
    if (isSame) return;
    this.#makeStage();
    this.#renewReadout();
    this.#showReadout();
    this.#draw();
  }

  #showPairChoice(): void {
    if (this.#replays.length < 2) return;
    const option = (i: number, chosen: number | null) => {
      const node = element('option', { value: String(i) }, this.#replays[i].label || `run ${i + 1}`);
      node.selected = i === chosen;
      return node;
    };
    const shown = [...this.#replays.keys()].filter((i) => this.#isShown(this.#replays[i].run));
    const solid = element('select', { 'aria-label': 'Run that is drawn' }, ...shown.map((i) => option(i, this.#pair.solid)));
    const none = element('option', { value: '' }, 'none');
    none.selected = this.#pair.ghost === null;
    const ghost = element('select', { 'aria-label': 'Run that is drawn over it as a ghost' }, ...shown.filter((i) => i !== this.#pair.solid).map((i) => option(i, this.#pair.ghost)), none);
    const read = () => this.#choose({ solid: Number(solid.value), ghost: ghost.value === '' ? null : Number(ghost.value) });
    solid.addEventListener('change', read);
    ghost.addEventListener('change', read);
    this.#pairHost.replaceChildren(element('label', { class: 'tool' }, 'Run', solid), element('label', { class: 'tool' }, 'ghost', ghost));
  }

  #isShown(run: number): boolean {
    return this.#runs.shown[run] ?? true;
  }
}
