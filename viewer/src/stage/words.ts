/** Texts of a drawing, and names on request, for either stage. */
import { theme } from '../theme';
import type { Cast } from './cast';
import { partColour } from './colours';
import type { ContactState } from './contacts';
import type { Labels } from './labels';
import type { Moment } from './moment';

/** In CSS pixels, from the point that is named. */
const OFFSET = 9;

const place = new Float64Array(3);

/** `project` takes a point to the screen; null where it is out of sight. */
export function writeWords(
  labels: Labels,
  cast: Cast,
  contacts: readonly ContactState[],
  moment: Moment,
  names: boolean,
  project: (point: Float64Array) => { x: number; y: number } | null,
): void {
  const write = (words: string, at: Float64Array, colour: string, offset: number) => {
    const screen = words === '' ? null : project(at);
    if (screen !== null) labels.write(words, screen.x + offset, screen.y - offset, colour);
  };
  for (const { at, text } of cast.text) {
    moment.point(at, place);
    write(text, place, theme().text, 0);
  }
  if (!names) return;
  for (const body of cast.body) {
    moment.point(body.at, place);
    write(body.name, place, partColour(body.part).line, OFFSET);
  }
  for (const circle of cast.circle) {
    moment.point(circle.center, place);
    write(circle.name, place, partColour(circle.part).line, OFFSET);
  }
  for (const joint of cast.joint) {
    moment.point(joint.at, place);
    write(joint.name, place, theme().text, OFFSET);
  }
  for (const state of contacts) if (state.near) write(state.contact.name, state.at, theme().force, OFFSET);
}
