import { describe, expect, it } from 'vitest';
import { carryingFirst, contactState, frictionUse, type ContactState } from '../src/contact_state';
import type { ContactPrimitive, Value } from '../src/drawing_types';
import type { Band } from '../src/modes';
import { contactState as drawnContact, updateContact } from '../src/stage/contacts';
import { Moment } from '../src/stage/moment';

const contact: ContactPrimitive = { kind: 'contact', name: 'foot', law: 1, at: [0, 0], normal: [0, 1], tangents: [[1, 0]], gap: 0, rows: [0, 1], friction: [0.5] };

function picture(gap: number, forces: number[], impulses: number[] = [NaN, NaN], times = [0, 1, 1, 2]) {
  return { drawing: { version: 1 as const, space: 'plane' as const, up: [0, 1, 0] as const, primitives: [contact] }, times: Float64Array.from(times), value: (v: Value) => (typeof v === 'number' ? v : NaN), forces: () => forces, impulses: () => impulses, gap: () => gap };
}

describe('the use of friction', () => {
  it('is 1 on the cone, whatever the direction', () => {
    expect(frictionUse(10, [-3], [0.3])).toBeCloseTo(1, 15);
    expect(frictionUse(10, [3, 4], [0.5, 0.5])).toBeCloseTo(1, 15); // |(3, 4)| = 5
  });
  it('follows an ellipse where the directions differ', () => {
    expect(frictionUse(10, [2, 0], [0.2, 0.8])).toBeCloseTo(1, 15);
    expect(frictionUse(10, [0, 8], [0.2, 0.8])).toBeCloseTo(1, 15);
  });
  it('is unknown without load, without friction and without coefficients', () => {
    expect(frictionUse(0, [0], [0.3])).toBeNaN();
    expect(frictionUse(5, [1], [])).toBeNaN();
    expect(frictionUse(5, [0], [0])).toBeNaN();
    expect(frictionUse(NaN, [1], [0.3])).toBeNaN();
  });
});

describe('the state of a contact', () => {
  it('has magnitudes of the forces', () => {
    expect(contactState(picture(0, [4, -1]), contact, null, 0)).toMatchObject({ normal: 4, tangential: 1, use: 0.5, gap: 0 });
  });
  it('shows the impulse where no time has passed', () => {
    const struck = picture(0, [NaN, NaN], [2, -0.5]);
    expect(contactState(struck, contact, null, 2)).toMatchObject({ isImpulse: true, normal: 2, tangential: 0.5, use: 0.5, mode: 'closed' });
    expect(contactState(struck, contact, null, 1)).toMatchObject({ isImpulse: false, normal: NaN });
  });
  // Gap 5 y, slip 2 x': rows (3, -1) are the force (-2, 15) in newtons. On the cone of the law is |lambda_T| = mu lambda_N.
  const steep: ContactPrimitive = { ...contact, normal: [0, 5], tangents: [[2, 0]] };
  it('has forces in newtons and the use of the law where a gap is no distance', () => {
    expect(contactState(picture(0, [3, -1]), steep, null, 0)).toMatchObject({ normal: 15, tangential: 2, use: 1 / 1.5 });
    expect(contactState(picture(0, [NaN, NaN], [3, -1.5]), steep, null, 2)).toMatchObject({ normal: 15, tangential: 3, use: 1 });
  });
  it('has the numbers of its arrow', () => {
    const run = picture(0, [3, -1]);
    const drawn = drawnContact(steep);
    updateContact(drawn, new Moment(run), { size: 1, mark: 1, force: 1, coneLength: 1, impulse: 0 });
    const { normal, tangential } = contactState(run, steep, null, 0);
    expect([...drawn.force]).toEqual([-tangential, normal, 0]);
  });
  it('is closed by its force, else by its gap', () => {
    const mode = (gap: number, normal: number) => contactState(picture(gap, [normal, 0]), contact, null, 0).mode;
    expect(mode(1e-9, 3)).toBe('closed'); // a gap of round-off under load
    expect(mode(0.1, 0)).toBe('open');
    expect(mode(0, 0)).toBe('closed');
    expect(mode(0.1, NaN)).toBe('open');
    expect(mode(NaN, 0)).toBe('open');
    expect(mode(NaN, NaN)).toBeNull();
  });

  const bands: Band[] = [
    { label: 'other', times: Float64Array.of(0), modes: ['open'] },
    { label: 'foot', times: Float64Array.of(0, 1), modes: ['open', 'stick'] },
  ];
  it('takes the recorded mode of its law', () => {
    expect(contactState(picture(0.1, [0, 0]), contact, bands, 0).mode).toBe('open');
    expect(contactState(picture(0.1, [0, 0]), contact, bands, 3).mode).toBe('stick');
  });
  it('changes its mode between the two samples of an event', () => {
    expect(contactState(picture(0, [0, 0]), contact, bands, 1).mode).toBe('open');
    expect(contactState(picture(0, [0, 0]), contact, bands, 2).mode).toBe('stick');
  });
});

describe('carryingFirst', () => {
  it('keeps the order within both groups', () => {
    const state = (name: string, normal: number, mode: ContactState['mode']): ContactState => ({ contact: { ...contact, name }, mode, gap: 0, normal, tangential: 0, isImpulse: false, use: NaN });
    const states = [state('a', 0, 'open'), state('b', 2, 'closed'), state('c', NaN, null), state('d', NaN, 'stick')];
    expect(carryingFirst(states).map((entry) => entry.contact.name)).toEqual(['b', 'd', 'a', 'c']);
  });
});
