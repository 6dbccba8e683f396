import { describe, expect, it } from 'vitest';
import { pictureOf, type Motion } from '../dev/motion';
import * as plane from '../dev/plane_scenes';
import * as space from '../dev/space_scenes';
import { contactsOf, readDrawing } from '../src/drawing';
import { contactScale, contactState, updateContact } from '../src/stage/contacts';
import { motionBounds, sizeOf } from '../src/stage/extent';
import { Moment } from '../src/stage/moment';

const motions: [string, Motion][] = Object.entries({ ...plane, ...space });

describe.each(motions)('the motion %s', (_, motion) => {
  const picture = pictureOf(motion);
  const contacts = contactsOf(picture.drawing);

  it('has a drawing that the page would read', () => {
    const sizes = { coordinates: motion.columns(0).length, columns: 0, gaps: motion.gaps?.(0).length ?? 0, forces: 0 };
    expect(readDrawing(picture.drawing, sizes, 'drawing').primitives).toEqual(picture.drawing.primitives.map((primitive) => expect.objectContaining(primitive)));
  });
  it('has a force along each direction of a contact', () => {
    for (const contact of contacts) expect(picture.forces(contact, 7).length).toBe(1 + contact.tangents.length);
  });
  it('has a place at all times', () => {
    const size = sizeOf(motionBounds([picture]));
    expect(size).toBeGreaterThan(0);
    const scale = contactScale([picture], size);
    expect(scale.force > 0).toBe(contacts.length > 0);
    const moment = new Moment(picture);
    for (let sample = 0; sample < picture.times.length; sample += 37) {
      moment.set(sample, 0);
      for (const contact of contacts) {
        const state = contactState(contact);
        updateContact(state, moment, scale);
        expect([...state.at, state.magnitude].every(Number.isFinite)).toBe(true);
      }
      expect(motion.columns(picture.times[sample]).every(Number.isFinite)).toBe(true);
    }
  });
});
