/** One picture in space: what is built once, and what moves with the samples. */
import { Color, Group, type Matrix4, type Mesh, type Material } from 'three';
import type { LinePrimitive, PlanePrimitive } from '../drawing_types';
import { theme } from '../theme';
import { castOf, trackedPoints, type Cast } from './cast';
import { partColour } from './colours';
import type { ContactScale } from './contacts';
import { Dots } from './dots';
import type { Bounds } from './extent';
import { Fill } from './fills';
import { groundOf, shadowMatrix } from './ground';
import type { Moment } from './moment';
import { acrossOf, coil, COIL_POINTS } from './outlines';
import { Solids } from './solids';
import { SpatialContacts } from './spatial_contacts';
import { SpatialTrails } from './spatial_trails';
import { springWidth } from './springs';
import { Strokes } from './strokes';
import type { StageOptions } from './types';

/** In CSS pixels. */
const LINE_WIDTH = 2.5;
const SPRING_WIDTH = 1.8;
const MASS_SIZE = 12;
const JOINT_SIZE = 8;

/** A direction hardly any spring has: the turns of a coil start square to it, and do not jump while the spring swings. */
const ASKEW = [0.6, -0.64, 0.48];

export class SpatialActor {
  readonly group = new Group();
  readonly cast: Cast;
  readonly moment: Moment;
  readonly contacts: SpatialContacts;
  #size: number;
  #opacity: number;
  #solids: Solids;
  #lines: Strokes;
  #springs: Strokes;
  #springRadii: number[];
  #masses: Dots;
  #joints: Dots;
  #fills = new Map<LinePrimitive, Fill>();
  #trails: SpatialTrails | null = null; // made when first asked for
  #place = new Float64Array(3);
  #points: Float64Array;
  #a = new Float64Array(3);
  #b = new Float64Array(3);
  #direction = [0, 0, 0];
  #side = [0, 0, 0];
  #other = [0, 0, 0];
  #colours = new Map<number, Color>();
  #text = new Color(theme().text);

  constructor(moment: Moment, bounds: Bounds, scale: ContactScale, opacity: number, planes: readonly PlanePrimitive[]) {
    const { picture } = moment;
    this.moment = moment;
    this.cast = castOf(picture.drawing);
    this.#size = scale.size;
    this.#opacity = opacity;
    const { body, circle, line, spring, joint, contact } = this.cast;
    const flatten = planes.map((plane) => shadowMatrix(plane, picture.drawing.up, scale.size)).filter((matrix): matrix is Matrix4 => matrix !== null);
    this.#solids = new Solids(body, circle, opacity, flatten);
    this.#lines = new Strokes(line.reduce((sum, { points }) => sum + points.length, 0), { width: LINE_WIDTH, opacity });
    this.#springs = new Strokes(spring.length * (COIL_POINTS - 1), { width: SPRING_WIDTH, opacity });
    this.#springRadii = spring.map((primitive) => springWidth(picture, primitive, scale.size) / 2);
    this.#masses = new Dots(body.length, MASS_SIZE, opacity, false);
    this.#joints = new Dots(joint.length, JOINT_SIZE, opacity, true);
    this.contacts = new SpatialContacts(contact, picture.mostFound ?? 0, scale, opacity);
    this.#points = new Float64Array(3 * Math.max(COIL_POINTS, ...line.map(({ points }) => points.length)));
    for (const plane of planes) this.group.add(groundOf(plane, bounds, opacity));
    for (const primitive of line) if (primitive.closed && primitive.points.length > 2) this.#addFill(primitive);
    this.group.add(this.#solids.group, this.#lines.object, this.#springs.object, this.#masses.object, this.#joints.object, this.contacts.group);
  }

  update(options: StageOptions): void {
    this.#solids.update(this.moment);
    this.#updateLines();
    this.#updateSprings();
    this.#updateDots();
    this.contacts.update(this.moment, options);
    if (options.trails && this.#trails === null) {
      this.#trails = new SpatialTrails(this.moment, trackedPoints(this.cast), this.#size, this.#opacity, (part) => this.#colour(part));
      this.group.add(this.#trails.group);
    }
    if (this.#trails !== null) {
      this.#trails.group.visible = options.trails;
      if (options.trails) this.#trails.update();
    }
  }

  dispose(): void {
    this.group.traverse((object) => {
      const { geometry, material } = object as Partial<Mesh>;
      geometry?.dispose();
      for (const one of [material ?? []].flat() as Material[]) one.dispose();
    });
  }

  #colour(part: number): Color {
    let colour = this.#colours.get(part);
    if (colour === undefined) this.#colours.set(part, (colour = new Color(partColour(part).line)));
    return colour;
  }

  #readPoints(line: LinePrimitive): void {
    line.points.forEach((point, i) => {
      this.moment.point(point, this.#place);
      this.#points.set(this.#place, 3 * i);
    });
  }

  #addFill(line: LinePrimitive): void {
    const fill = new Fill(line.points.length, partColour(line.part).line, this.#opacity);
    this.#fills.set(line, fill);
    this.group.add(fill.object);
  }

  #updateLines(): void {
    this.#lines.begin();
    for (const line of this.cast.line) {
      this.#readPoints(line);
      this.#lines.polyline(this.#points, line.points.length, line.closed, this.#colour(line.part));
      this.#fills.get(line)?.update(this.#points);
    }
    this.#lines.end();
  }

  #updateSprings(): void {
    const [a, b] = [this.#a, this.#b];
    this.#springs.begin();
    this.cast.spring.forEach(({ points, part }, i) => {
      this.moment.point(points[0], a);
      this.moment.point(points[1], b);
      const length = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
      if (!(length > 0)) return;
      for (let k = 0; k < 3; k++) this.#direction[k] = (b[k] - a[k]) / length;
      acrossOf(this.#direction, this.#side, this.#other, ASKEW);
      coil(a, b, this.#side, this.#other, this.#springRadii[i], this.#points);
      this.#springs.polyline(this.#points, COIL_POINTS, false, this.#colour(part));
    });
    this.#springs.end();
  }

  #updateDots(): void {
    this.#masses.begin();
    for (const body of this.cast.body) {
      if (!body.shapes.some((shape) => shape.kind === 'mass')) continue;
      this.moment.point(body.at, this.#place);
      this.#masses.add(this.#place, this.#colour(body.part));
    }
    this.#masses.end();
    this.#joints.begin();
    for (const joint of this.cast.joint) {
      this.moment.point(joint.at, this.#place);
      this.#joints.add(this.#place, this.#text);
    }
    this.#joints.end();
  }
}
