import { expect, test } from 'vitest';
import type { BodyPrimitive } from '../../src/drawing_types';
import { Moment } from '../../src/stage/moment';
import { FLOOR_CONTACT, picture } from './pictures';

const MOVING = { times: [0, 1, 1, 3], q: [[0, 0], [2, 1], [10, 5], [20, 7]] };
const X = { q: 0 };

test('values go straight from a sample to the next', () => {
  const moment = new Moment(picture([], MOVING));
  expect(moment.set(0, 0.25).value(X)).toBe(0.5);
  expect(moment.set(2, 0.5).value(X)).toBe(15);
  expect(moment.set(2, 0.5).value(4)).toBe(4);
});

test('there is nothing between samples of equal time, nor after the last', () => {
  const moment = new Moment(picture([], MOVING));
  expect(moment.set(1, 0.5).value(X)).toBe(2);
  expect(moment.set(3, 0.5).value(X)).toBe(20);
  expect(moment.set(9, 0).value(X)).toBe(20);
});

test('a point of the plane has the third coordinate 0', () => {
  const out = [9, 9, 9];
  new Moment(picture([], MOVING)).set(1, 0).point([X, { q: 1 }], out);
  expect(out).toEqual([2, 1, 0]);
});

test('the force between two samples is the mean until the later one', () => {
  const moment = new Moment(picture([FLOOR_CONTACT], { ...MOVING, forces: [[1], [2], [NaN], [4]] }));
  expect(moment.set(0, 0).forces(FLOOR_CONTACT)).toEqual([1]);
  expect(moment.set(0, 0.1).forces(FLOOR_CONTACT)).toEqual([2]);
  expect(moment.set(1, 0.1).forces(FLOOR_CONTACT)).toEqual([2]);
  expect(moment.set(2, 0.1).forces(FLOOR_CONTACT)).toEqual([4]);
});

/** From no turn to a quarter turn about z, said in three ways: half of the way is 45 degrees. */
test.each([
  ['an angle', { angle: { q: 0 } }, [[0], [Math.PI / 2]]],
  ['a quaternion', { quaternion: [{ q: 0 }, 0, 0, { q: 1 }] }, [[1, 0], [Math.SQRT1_2, Math.SQRT1_2]]],
  ['axes', { axes: [{ q: 0 }, { q: 1 }, 0, { q: 2 }, { q: 0 }, 0, 0, 0, 1] }, [[1, 0, 0], [0, 1, -1]]],
])('a body turns half of the way: %s', (_, turn, q) => {
  const body = { kind: 'body', name: '', part: 0, at: [1, 2, 3], turn, shapes: [] } as unknown as BodyPrimitive;
  const place = [0, 0, 0];
  const rotation = new Array<number>(9);
  new Moment(picture([body], { times: [0, 1], q })).set(0, 0.5).pose(body, place, rotation);
  const c = Math.SQRT1_2;
  expect(place).toEqual([1, 2, 3]);
  [c, c, 0, -c, c, 0, 0, 0, 1].forEach((value, i) => expect(rotation[i]).toBeCloseTo(value, 14));
});
