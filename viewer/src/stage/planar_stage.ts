/** The stage for motions in the plane, drawn on a canvas. */
import type { Primitive } from '../drawing_types';
import { element } from '../dom';
import { castOf, trackedPoints, type Cast } from './cast';
import { partColour } from './colours';
import { contactScale, contactState, foundState, updateContact, updateFound, type ContactScale, type ContactState } from './contacts';
import { motionBounds, sizeOf, type Bounds } from './extent';
import { watchGestures } from './gestures';
import { Labels } from './labels';
import { Moment } from './moment';
import { PlanarCamera } from './planar_camera';
import { drawContact } from './planar_contacts';
import { PlanarPen } from './planar_pen';
import { DEFAULT_OPTIONS, type Picture, type Stage, type StageOptions, type StageView } from './types';
import { springWidth } from './springs';
import { ALL, Targets, travellingBounds, type Target } from './targets';
import { withArrows } from './arrow_bounds';
import { countUpTo, makeTrails, type Trail } from './trails';
import { writeWords } from './words';

const GHOST = 0.35;
const TRAIL = 0.55;
/** In CSS pixels, from a part that is meant by a double click. */
const FOCUS_REACH = 60;
const FOCUS_ZOOM = 1.6;

/** A picture with what is worked out once. */
interface Actor {
  moment: Moment;
  cast: Cast;
  contacts: ContactState[];
  springWidths: Map<Primitive, number>;
  trails: Trail[] | null; // made when first asked for
}

export class PlanarStage implements Stage {
  readonly element: HTMLElement;
  #canvas = element('canvas');
  #camera = new PlanarCamera();
  #pen: PlanarPen;
  #labels: Labels;
  #actors: Actor[];
  #bounds!: Bounds;
  /** With the arrows of forces. */
  #framedBounds!: Bounds;
  #scale!: ContactScale;
  #options: StageOptions = DEFAULT_OPTIONS;
  #framed = true; // until the user moves the camera
  #scheduled = 0;
  #observer: ResizeObserver;
  #stopGestures: () => void;
  #place = new Float64Array(3);
  #rotation = new Float64Array(9);
  #points = new Float64Array(64);
  #found = foundState();
  readonly #targets: Targets;
  #followed: Target | null = null;
  #anchor = new Float64Array(3);
  /** Of what travels, about the middle of it; null where nothing does. */
  #travelling: Bounds | null = null;
  onFollow: (() => void) | null = null;
  #toScreen = (point: Float64Array) => ({ x: this.#camera.toScreenX(point[0]), y: this.#camera.toScreenY(point[1]) });

  constructor(pictures: readonly Picture[]) {
    this.element = element('div', { class: 'stage stage-plane' }, this.#canvas);
    this.#pen = new PlanarPen(this.#canvas.getContext('2d')!, this.#camera);
    this.#labels = new Labels(this.#pen.context);
    this.#actors = pictures.map((picture) => {
      const cast = castOf(picture.drawing);
      return { moment: new Moment(picture), cast, contacts: cast.contact.map(contactState), springWidths: new Map(), trails: null };
    });
    this.#targets = new Targets(this.#actors[0].moment);
    this.#survey();
    if (this.#travelling !== null) this.#followed = ALL;
    this.#stopGestures = watchGestures(this.element, {
      pan: (dx, dy) => this.#move(() => this.#camera.pan(dx, dy)),
      zoom: (factor, x, y) => this.#move(() => this.#camera.zoom(factor, x, y)),
      doubleClick: (x, y) => this.#focus(x, y),
    });
    this.#observer = new ResizeObserver(() => this.resize());
    this.#observer.observe(this.element);
  }

  show(samples: number[], alpha: number): void {
    this.#actors.forEach(({ moment }, i) => moment.set(samples[i] ?? 0, alpha));
    this.#goAlong();
    this.#draw();
  }

  setOptions(options: StageOptions): void {
    this.#options = { ...options };
    this.#schedule();
  }

  renew(): void {
    this.#survey();
    if (this.#framed) this.#fit();
    this.#schedule();
  }

  frame(): void {
    this.#framed = true;
    this.follow(this.#travelling === null ? null : ALL);
    this.#fit();
    this.#schedule();
    this.onFollow?.();
  }

  get targets(): readonly string[] {
    return this.#targets.names;
  }

  get followed(): Target | null {
    return this.#followed;
  }

  follow(target: Target | null): void {
    this.#followed = target;
    if (target !== null && !this.#targets.place(target, this.#anchor)) this.#anchor.fill(NaN);
    if (target !== null && target !== ALL) this.#framed = false;
  }

  look(): void {
    this.frame();
  }

  /** Fits what travels about where it is now, else the whole motion. */
  #fit(): void {
    if (this.#travelling === null || this.#followed !== ALL || !this.#targets.place(ALL, this.#anchor)) {
      this.#camera.fit(this.#framedBounds);
      return;
    }
    const { min, max } = this.#travelling;
    this.#camera.fit({ min: min.map((value, i) => value + this.#anchor[i]) as Bounds['min'], max: max.map((value, i) => value + this.#anchor[i]) as Bounds['max'] });
  }

  #goAlong(): void {
    if (this.#followed === null) return;
    const [x, y] = this.#anchor;
    if (!this.#targets.place(this.#followed, this.#anchor)) return;
    if (!Number.isFinite(x + y)) return;
    this.#camera.x += this.#anchor[0] - x;
    this.#camera.y += this.#anchor[1] - y;
  }

  /** A double click on a part brings it to the middle and follows it; beside all parts it frames the motion. */
  #focus(x: number, y: number): void {
    const found = this.#targets.nearest(x, y, FOCUS_REACH, this.#toScreen);
    if (found === null) return this.frame();
    this.follow(found);
    this.#camera.x = this.#anchor[0];
    this.#camera.y = this.#anchor[1];
    this.#camera.scale *= FOCUS_ZOOM;
    this.#schedule();
    this.onFollow?.();
  }

  setTheme(): void {
    this.#schedule();
  }

  project(point: readonly [number, number, number]): { x: number; y: number } {
    return { x: this.#camera.toScreenX(point[0]), y: this.#camera.toScreenY(point[1]) };
  }

  view(): StageView {
    const { x, y, scale } = this.#camera;
    return { framed: this.#framed, numbers: [x, y, scale] };
  }

  setView({ framed, numbers: [x, y, scale] }: StageView): void {
    if (framed) return this.frame();
    this.#move(() => Object.assign(this.#camera, { x, y, scale }));
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    Object.assign(this.#camera, { width, height });
    if (this.#framed) this.#fit();
    this.#draw();
  }

  dispose(): void {
    cancelAnimationFrame(this.#scheduled);
    this.#observer.disconnect();
    this.#stopGestures();
    this.element.remove();
  }

  /** Learns what depends on the whole motion. */
  #survey(): void {
    const pictures = this.#actors.map(({ moment }) => moment.picture);
    this.#bounds = motionBounds(pictures);
    this.#travelling = travellingBounds(pictures[0], this.#bounds);
    this.#scale = contactScale(pictures, this.#travelling === null ? sizeOf(this.#bounds) : sizeOf(this.#travelling));
    this.#framedBounds = withArrows(pictures, this.#bounds, this.#scale);
    for (const actor of this.#actors) {
      const { picture } = actor.moment;
      for (const spring of actor.cast.spring) actor.springWidths.set(spring, springWidth(picture, spring, this.#scale.size));
      actor.trails = null;
    }
  }

  #move(change: () => void): void {
    this.#framed = false;
    change();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled !== 0) return;
    this.#scheduled = requestAnimationFrame(() => this.#draw());
  }

  #draw(): void {
    cancelAnimationFrame(this.#scheduled);
    this.#scheduled = 0;
    const ratio = devicePixelRatio;
    const [width, height] = [Math.round(this.#camera.width * ratio), Math.round(this.#camera.height * ratio)];
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    this.#pen.clear(ratio);
    this.#labels.begin();

    // The ghosts are behind the run of interest.
    for (let i = this.#actors.length - 1; i >= 0; i--) this.#drawActor(this.#actors[i], i > 0);
  }

  #drawActor(actor: Actor, ghost: boolean): void {
    const { context } = this.#pen;
    const { cast, moment, contacts } = actor;
    const opacity = ghost ? GHOST : 1;
    context.globalAlpha = opacity;
    for (const plane of cast.plane) this.#pen.plane(plane);
    if (this.#options.trails) {
      context.globalAlpha = opacity * TRAIL;
      this.#drawTrails(actor);
      context.globalAlpha = opacity;
    }
    for (const primitive of moment.picture.drawing.primitives) this.#drawPrimitive(actor, primitive);
    for (const state of contacts) {
      updateContact(state, moment, this.#scale);
      drawContact(this.#pen, state, this.#scale, this.#options);
    }
    const found = moment.found();
    for (let k = 0; k < (found?.count ?? 0); k++) {
      updateFound(this.#found, found!, k);
      drawContact(this.#pen, this.#found, this.#scale, this.#options);
    }
    if (!ghost) writeWords(this.#labels, cast, contacts, moment, this.#options.names, this.#toScreen);
  }

  #drawPrimitive({ moment, springWidths }: Actor, primitive: Primitive): void {
    const pen = this.#pen;
    const place = this.#place;
    if (primitive.kind === 'body') {
      moment.pose(primitive, place, this.#rotation);
      pen.body(primitive, place, this.#rotation, partColour(primitive.part));
    } else if (primitive.kind === 'line') {
      if (this.#points.length < 2 * primitive.points.length) this.#points = new Float64Array(2 * primitive.points.length);
      primitive.points.forEach((point, i) => {
        moment.point(point, place);
        this.#points[2 * i] = place[0];
        this.#points[2 * i + 1] = place[1];
      });
      pen.line(this.#points, primitive.points.length, primitive.closed, partColour(primitive.part));
    } else if (primitive.kind === 'circle') {
      moment.point(primitive.center, place);
      const angle = primitive.angle === null ? null : moment.value(primitive.angle);
      pen.circle(place[0], place[1], moment.value(primitive.radius), angle, partColour(primitive.part));
    } else if (primitive.kind === 'spring') {
      moment.point(primitive.points[0], place);
      moment.point(primitive.points[1], this.#rotation);
      pen.spring(place, this.#rotation, springWidths.get(primitive)!, partColour(primitive.part));
    } else if (primitive.kind === 'joint') {
      moment.point(primitive.at, place);
      pen.joint(place[0], place[1]);
    }
  }

  #drawTrails(actor: Actor): void {
    const { moment } = actor;
    actor.trails ??= makeTrails(moment.picture, trackedPoints(actor.cast), this.#scale.size);
    for (const { points, samples, point, part } of actor.trails) {
      moment.point(point, this.#place);
      this.#pen.trail(points, countUpTo(samples, moment.sample), this.#place[0], this.#place[1], partColour(part).line);
    }
  }
}
