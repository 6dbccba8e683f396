/** What a camera must see beside the bodies: the arrows of their forces. */
import { castOf, surveySamples } from './cast';
import { arrowLength, contactState, impulseLength, updateContact, type ContactScale } from './contacts';
import { sizeOf, type Bounds } from './extent';
import { Moment } from './moment';
import type { Picture } from './types';

const BUDGET = 20_000;
/** Of the shortest side of what is drawn, for arrows beyond it. */
const MOST_ROOM = 0.25;

/** Bounds that hold the tips of all arrows as well. */
export function withArrows(pictures: readonly Picture[], { min, max }: Bounds, scale: ContactScale): Bounds {
  const [low, high] = [[...min], [...max]] as [Bounds['min'], Bounds['max']];
  const dimensions = pictures[0]?.drawing.space === 'plane' ? 2 : 3;
  for (const picture of pictures) {
    const moment = new Moment(picture);
    const states = castOf(picture.drawing).contact.map(contactState);
    if (states.length === 0) continue;
    for (const sample of surveySamples(picture.times.length, states.length, BUDGET)) {
      moment.set(sample, 0);
      for (const state of states) {
        updateContact(state, moment, scale);
        const longest = [arrowLength(state.magnitude, scale, 1).length / (state.magnitude || 1), impulseLength(state.struck, scale, 1) / (state.struck || 1)];
        [state.force, state.impulse].forEach((vector, k) => {
          for (let i = 0; i < dimensions; i++) {
            const tip = state.at[i] + longest[k] * vector[i];
            if (longest[k] === 0 || !Number.isFinite(tip)) continue;
            low[i] = Math.min(low[i], tip);
            high[i] = Math.max(high[i], tip);
          }
        });
      }
    }
  }
  // A little room for arrows, rather than small bodies.
  const room = MOST_ROOM * Math.min(...[0, 1, 2].slice(0, dimensions).map((i) => max[i] - min[i]).filter((side) => side > 0), sizeOf({ min, max }));
  for (let i = 0; i < 3; i++) {
    low[i] = Math.max(low[i], min[i] - room);
    high[i] = Math.min(high[i], max[i] + room);
  }
  return { min: low, max: high };
}
