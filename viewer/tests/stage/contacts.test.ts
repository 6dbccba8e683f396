import { expect, test } from 'vitest';
import { arrowLength, coneHeight, coneOpening, contactScale, contactState, surveyForces, updateContact, weightedQuantile } from '../../src/stage/contacts';
import { Moment } from '../../src/stage/moment';
import { FLOOR_CONTACT, picture } from './pictures';

const SCALE = { size: 6, mark: 6, force: 10, coneLength: 0.5, impulse: 0 };

test('the usual force has a sixth of the scene', () => {
  expect(arrowLength(10, SCALE, 1)).toEqual({ length: 1, capped: false });
  expect(arrowLength(-10, SCALE, 1)).toEqual({ length: -1, capped: false });
  expect(arrowLength(5, SCALE, 3)).toEqual({ length: 1.5, capped: false });
});

test('an impact is cut short, and says so', () => {
  const { length, capped } = arrowLength(1e7, SCALE, 1);
  expect(capped).toBe(true);
  expect(length).toBeLessThan(SCALE.size / 2);
});

test('no arrow without a force or without a scale', () => {
  for (const force of [0, NaN, Infinity]) expect(arrowLength(force, SCALE, 1).length).toBe(0);
  expect(arrowLength(1, { ...SCALE, force: 0 }, 1).length).toBe(0);
});

test('a quantile by weight', () => {
  expect(weightedQuantile([3, 1, 2], [1, 1, 1], 0.5)).toBe(2);
  expect(weightedQuantile([3, 1, 2], [0, 1, 1], 1)).toBe(2);
  expect(weightedQuantile([], [], 0.9)).toBe(0);
});

/** 100 samples of rest at 2 N, each followed by an impact of 1e6 N that lasts a nanosecond. */
test('impacts of no duration do not set the scale, however many they are', () => {
  const times: number[] = [];
  const forces: number[][] = [];
  for (let i = 0; i < 100; i++) {
    times.push(i, i + 1e-9);
    forces.push([2, 0, 0], [1e6, 0, 0]);
  }
  expect(surveyForces([picture([FLOOR_CONTACT], { times, q: [], forces })])).toEqual({ force: 2, active: 1 });
});

test('where there are only impacts, they set the scale', () => {
  const run = picture([FLOOR_CONTACT], { times: [0, 0, 0], q: [], forces: [[NaN], [3, 4, 0], [0, 0, 0]] });
  expect(surveyForces([run])).toEqual({ force: 5, active: 1 });
});

test('marks get smaller where many contacts carry a force at once, and only there', () => {
  const crowd = (count: number) => picture(Array(count).fill(FLOOR_CONTACT), { times: [0, 1], q: [], forces: [[NaN], [1, 0, 0]] });
  expect(contactScale([crowd(2)], 6)).toMatchObject({ size: 6, mark: 6, force: 1 });
  expect(contactScale([crowd(800)], 6).mark).toBeCloseTo(0.6, 14);
  expect(contactScale([], 6)).toMatchObject({ size: 6, mark: 6, force: 0 });
});

test('the force is that of normal and friction together', () => {
  const state = contactState(FLOOR_CONTACT);
  const run = picture([FLOOR_CONTACT], { times: [0], q: [], forces: [[12, 3, -4]], gaps: [0] });
  updateContact(state, new Moment(run), SCALE);
  expect([...state.force]).toEqual([3, -4, 12]);
  expect(state.magnitude).toBe(13);
  expect(state.closed).toBe(true);
});

test('where a gap is no distance, the force is along its gradient with its length', () => {
  const steep = { ...FLOOR_CONTACT, normal: [0, 0, 5], tangents: [[2, 0, 0], [0, 1, 0]] };
  const run = picture([steep], { times: [0, 1], q: [], forces: [[3, 4, 0], [3, 4, 0]], gaps: [0, 0] });
  const state = contactState(steep);
  updateContact(state, new Moment(run), SCALE);
  expect([...state.force]).toEqual([8, 0, 15]);
  expect([...state.normal]).toEqual([0, 0, 1]);
  expect(surveyForces([run]).force).toBe(17);
  expect(coneOpening(state)).toEqual([0.5 * 2 / 5, 0.5 / 5]);
});

test.each([
  ['carries a force', [1, 0, 0], 1, true, true],
  ['touches', [0, 0, 0], -1e-9, true, true],
  ['is close', [0, 0, 0], 0.1, false, true],
  ['is far', [0, 0, 0], 1, false, false],
  ['is unknown', [NaN, NaN, NaN], NaN, false, true],
])('a contact that %s', (_, force, gap, closed, near) => {
  const state = contactState(FLOOR_CONTACT);
  updateContact(state, new Moment(picture([FLOOR_CONTACT], { times: [0], q: [], forces: [force], gaps: [gap] })), SCALE);
  expect({ closed: state.closed, near: state.near }).toEqual({ closed, near });
  expect(Number.isFinite(state.magnitude)).toBe(true);
});

test('the half angle of a cone is the arcus tangens of the friction coefficient', () => {
  const height = coneHeight(2, [0.75, 0.75]);
  expect(height).toBeCloseTo(2 * Math.cos(Math.atan(0.75)), 15);
  expect(coneOpening(contactState(FLOOR_CONTACT))).toEqual([0.5, 0.5]);
  expect(coneOpening(contactState({ ...FLOOR_CONTACT, friction: [0.2] }))).toEqual([0.2, 0]);
  expect(coneOpening(contactState({ ...FLOOR_CONTACT, friction: [] }))).toBeNull();
});
