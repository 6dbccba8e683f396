/** The stage for motions in space, drawn with three.js. */
import { DirectionalLight, HemisphereLight, MOUSE, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import { element } from '../dom';
import { withArrows } from './arrow_bounds';
import { castOf } from './cast';
import { contactScale, type ContactScale } from './contacts';
import { centreOf, motionBounds, sizeOf, type Bounds } from './extent';
import { groundRadius } from './ground';
import { Labels } from './labels';
import { Moment } from './moment';
import { SpatialActor } from './spatial_actor';
import { fitDistance, sideDirection } from './spatial_camera';
import { ALL, Targets, travellingBounds, type Target } from './targets';
import { DEFAULT_OPTIONS, type Picture, type Side, type Stage, type StageOptions, type StageView } from './types';
import { writeWords } from './words';

const FOV = 35; // degrees
const GHOST = 0.3;
/** In CSS pixels, from a part that is meant by a double click. */
const FOCUS_REACH = 60;
const FOCUS_ZOOM = 1.6;

/** More pixels cost more than they show. */
const LARGEST_RATIO = 2;

/** Primitives of all pictures together that make a crowd. */
const CROWD = 150;

export class SpatialStage implements Stage {
  readonly element: HTMLElement;
  #pictures: readonly Picture[];
  #renderer: WebGLRenderer;
  #labelCanvas = element('canvas', { class: 'stage-labels' });
  #labelContext: CanvasRenderingContext2D;
  #labels: Labels;
  #scene = new Scene();
  #camera = new PerspectiveCamera(FOV);
  #controls: OrbitControls;
  #light = new DirectionalLight(0xffffff, 1.7);
  #moments: Moment[];
  #actors: SpatialActor[] = [];
  #bounds: Bounds;
  /** With the arrows of forces. */
  #framedBounds: Bounds;
  readonly #targets: Targets;
  #followed: Target | null = null;
  #anchor = new Float64Array(3);
  /** Of what travels, about the middle of it; null where nothing does. */
  #travelling: Bounds | null;
  #side: Side = 'free';
  onFollow: (() => void) | null = null;
  #scale: ContactScale;
  #options: StageOptions = DEFAULT_OPTIONS;
  #framed = true; // until the user moves the camera
  #scheduled = 0;
  #observer: ResizeObserver;
  #point = new Vector3();
  #width = 1;
  #height = 1;

  constructor(pictures: readonly Picture[]) {
    this.#pictures = pictures;
    this.#renderer = makeRenderer(pictures.reduce((sum, { drawing }) => sum + drawing.primitives.length, 0));
    this.element = element('div', { class: 'stage stage-space' }, this.#renderer.domElement, this.#labelCanvas);
    this.#labelContext = this.#labelCanvas.getContext('2d')!;
    this.#labels = new Labels(this.#labelContext);
    this.#bounds = motionBounds(pictures);
    this.#scale = contactScale(pictures, sizeOf(this.#bounds));
    this.#moments = pictures.map((picture) => new Moment(picture));
    this.#targets = new Targets(this.#moments[0]);
    this.#travelling = travellingBounds(pictures[0], this.#bounds);
    if (this.#travelling !== null) {
      this.#followed = ALL;
      this.#scale = contactScale(pictures, sizeOf(this.#travelling));
    }
    this.#framedBounds = withArrows(pictures, this.#bounds, this.#scale);

    const { up } = pictures[0].drawing;
    this.#camera.up.set(...up);
    const sky = new HemisphereLight(0xffffff, 0x8a8f98, 2.1);
    sky.position.set(...up);
    this.#light.position.set(-0.6, 0.8, 1); // over the left shoulder of the viewer
    this.#camera.add(this.#light, this.#light.target);
    this.#scene.add(sky, this.#camera);

    this.#controls = new OrbitControls(this.#camera, this.element);
    this.#controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.#controls.addEventListener('start', () => (this.#framed = false));
    this.#controls.addEventListener('change', () => this.#schedule());
    this.#controls.zoomToCursor = true;
    this.element.addEventListener('dblclick', (event) => {
      const box = this.element.getBoundingClientRect();
      this.#focus(event.clientX - box.left, event.clientY - box.top);
    });
    this.#observer = new ResizeObserver(() => this.resize());
    this.#observer.observe(this.element);
  }

  show(samples: number[], alpha: number): void {
    this.#moments.forEach((moment, i) => moment.set(samples[i] ?? 0, alpha));
    this.#goAlong();
    this.#update();
  }

  setOptions(options: StageOptions): void {
    this.#options = { ...options };
    this.#update();
  }

  renew(): void {
    this.#bounds = motionBounds(this.#pictures);
    this.#travelling = travellingBounds(this.#pictures[0], this.#bounds);
    this.#scale = contactScale(this.#pictures, sizeOf(this.#travelling ?? this.#bounds));
    this.#framedBounds = withArrows(this.#pictures, this.#bounds, this.#scale);
    if (this.#framed) this.frame();
    this.setTheme();
  }

  frame(): void {
    this.#framed = true;
    this.follow(this.#travelling === null ? null : ALL);
    const { up } = this.#pictures[0].drawing;
    const direction = sideDirection(up, this.#side);
    const isLocal = this.#travelling !== null && this.#targets.place(ALL, this.#anchor);
    const bounds = isLocal ? moved(this.#travelling!, this.#anchor) : this.#framedBounds;
    const distance = fitDistance(bounds, direction, up, (FOV * Math.PI) / 180, this.#camera.aspect);
    this.#controls.target.set(...centreOf(bounds));
    this.#camera.position.set(...direction).multiplyScalar(distance).add(this.#controls.target);
    this.#controls.minDistance = distance / 1000;
    this.#controls.maxDistance = distance * 20;
    this.#controls.update();
    this.#schedule();
    this.onFollow?.();
  }

  look(side: Side): void {
    this.#side = side;
    this.frame();
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

  #goAlong(): void {
    if (this.#followed === null) return;
    const [x, y, z] = this.#anchor;
    if (!this.#targets.place(this.#followed, this.#anchor) || !Number.isFinite(x + y + z)) return;
    this.#point.set(this.#anchor[0] - x, this.#anchor[1] - y, this.#anchor[2] - z);
    this.#camera.position.add(this.#point);
    this.#controls.target.add(this.#point);
  }

  /** A double click on a part brings it to the middle, closer, and follows it; beside all parts it frames the motion. */
  #focus(x: number, y: number): void {
    this.#camera.updateMatrixWorld();
    const found = this.#targets.nearest(x, y, FOCUS_REACH, (point) => {
      const screen = this.#toScreen(this.#point.set(point[0], point[1], point[2]));
      return this.#point.z > 1 ? null : screen;
    });
    if (found === null) return this.frame();
    this.follow(found);
    const offset = this.#camera.position.clone().sub(this.#controls.target).divideScalar(FOCUS_ZOOM);
    this.#controls.target.set(this.#anchor[0], this.#anchor[1], this.#anchor[2]);
    this.#camera.position.copy(this.#controls.target).add(offset);
    this.#controls.update();
    this.#schedule();
    this.onFollow?.();
  }

  /** The actors are made anew. The old ones go last, so that the renderer keeps the programs both need. */
  setTheme(): void {
    const old = this.#actors;
    this.#actors = [];
    this.#update();
    this.#dismiss(old);
    this.#render();
  }

  project(point: readonly [number, number, number]): { x: number; y: number } {
    this.#camera.updateMatrixWorld();
    return this.#toScreen(this.#point.set(...point));
  }

  view(): StageView {
    return { framed: this.#framed, numbers: [...this.#camera.position.toArray(), ...this.#controls.target.toArray()] };
  }

  setView({ framed, numbers }: StageView): void {
    if (framed) return this.frame();
    this.#framed = false;
    this.#camera.position.fromArray(numbers);
    this.#controls.target.fromArray(numbers, 3);
    this.#controls.update();
    this.#schedule();
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const ratio = Math.min(devicePixelRatio, LARGEST_RATIO);
    this.#width = width;
    this.#height = height;
    this.#renderer.setPixelRatio(ratio);
    this.#renderer.setSize(width, height, false);
    this.#labelCanvas.width = Math.round(width * devicePixelRatio);
    this.#labelCanvas.height = Math.round(height * devicePixelRatio);
    this.#camera.aspect = width / height;
    this.#camera.updateProjectionMatrix();
    if (this.#framed) this.frame();
    this.#update();
  }

  dispose(): void {
    cancelAnimationFrame(this.#scheduled);
    this.#observer.disconnect();
    this.#controls.dispose();
    this.#dismiss(this.#actors);
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.element.remove();
  }

  #dismiss(actors: SpatialActor[]): void {
    for (const actor of actors) {
      this.#scene.remove(actor.group);
      actor.dispose();
    }
  }

  /** Colours are built into the actors, so that they are made anew when the theme changes. Ghosts stand on the ground of the first. */
  #summon(): void {
    const known = new Set<string>();
    this.#actors = this.#moments.map((moment, i) => {
      const planes = castOf(moment.picture.drawing).plane.filter(({ normal, offset }) => {
        const key = JSON.stringify([normal, offset]);
        return !known.has(key) && known.add(key);
      });
      return new SpatialActor(moment, this.#bounds, this.#scale, i === 0 ? 1 : GHOST, planes);
    });
    for (const actor of this.#actors) this.#scene.add(actor.group);
  }

  #update(): void {
    if (this.#actors.length === 0) this.#summon();
    for (const actor of this.#actors) actor.update(this.#options);
    this.#render();
  }

  #schedule(): void {
    if (this.#scheduled === 0) this.#scheduled = requestAnimationFrame(() => this.#render());
  }

  #render(): void {
    cancelAnimationFrame(this.#scheduled);
    this.#scheduled = 0;
    const radius = groundRadius(this.#bounds);
    const distance = this.#camera.position.distanceTo(this.#point.set(...centreOf(this.#bounds)));
    this.#camera.near = Math.max(distance - radius, 0.01 * this.#camera.position.distanceTo(this.#controls.target));
    this.#camera.far = distance + radius;
    this.#camera.updateProjectionMatrix();
    this.#renderer.render(this.#scene, this.#camera);

    const context = this.#labelContext;
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, this.#width, this.#height);
    this.#labels.begin();
    if (this.#actors.length === 0) return;
    const { cast, contacts, moment } = this.#actors[0];
    writeWords(this.#labels, cast, contacts.states, moment, this.#options.names, (point) => {
      const screen = this.#toScreen(this.#point.set(point[0], point[1], point[2]));
      return this.#point.z > 1 ? null : screen; // behind the camera
    });
  }

  /** Leaves the depth in `point`. */
  #toScreen(point: Vector3): { x: number; y: number } {
    point.project(this.#camera);
    return { x: ((point.x + 1) / 2) * this.#width, y: ((1 - point.y) / 2) * this.#height };
  }
}

/** Where a processor stands in for the graphics card, smooth edges of a crowd would halve the rate of frames. */
function makeRenderer(crowd: number): WebGLRenderer {
  try {
    const antialias = crowd <= CROWD || !drawnBySoftware();
    return new WebGLRenderer({ antialias, alpha: true, stencil: true });
  } catch {
    throw new Error('This browser offers no WebGL, which drawing in space needs. The plots below show the run all the same.');
  }
}

function drawnBySoftware(): boolean {
  const gl = element('canvas').getContext('webgl2');
  if (gl === null) return false;
  const unmasked = gl.getExtension('WEBGL_debug_renderer_info')?.UNMASKED_RENDERER_WEBGL;
  const name = String(gl.getParameter(unmasked ?? gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

function moved({ min, max }: Bounds, by: Float64Array): Bounds {
  return { min: min.map((value, i) => value + by[i]) as Bounds['min'], max: max.map((value, i) => value + by[i]) as Bounds['max'] };
}
