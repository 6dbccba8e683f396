import { expect, test } from 'vitest';
import { matrixOfQuaternion, normalize4, quaternionOfMatrix, slerp } from '../../src/stage/rotation';
import { seededRandom } from '../helpers';

const HALF = Math.SQRT1_2;

function matrixOf(q: number[]): number[] {
  const m = new Array<number>(9);
  matrixOfQuaternion(q, m);
  return m;
}

test('a quarter turn about z takes x to y and y to -x', () => {
  const expected = [0, 1, 0, -1, 0, 0, 0, 0, 1];
  matrixOf([HALF, 0, 0, HALF]).forEach((value, i) => expect(value).toBeCloseTo(expected[i], 15));
});

test('a quaternion comes back from its matrix, up to its sign, also for half turns', () => {
  const random = seededRandom(3);
  const cases = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
  for (let i = 0; i < 200; i++) cases.push([0, 1, 2, 3].map(() => random() - 0.5));
  for (const q of cases) {
    normalize4(q);
    const back = [0, 0, 0, 0];
    quaternionOfMatrix(matrixOf(q), back);
    expect(Math.abs(q.reduce((sum, value, i) => sum + value * back[i], 0))).toBeCloseTo(1, 14);
  }
});

test('turning goes at constant speed, the shorter way', () => {
  const about = (angle: number) => [Math.cos(angle / 2), Math.sin(angle / 2), 0, 0];
  for (const sign of [1, -1]) {
    const q = about(0.2);
    slerp(q, about(1.4).map((value) => sign * value), 0.25);
    about(0.5).forEach((value, i) => expect(q[i]).toBeCloseTo(value, 14));
  }
});

test('between equal rotations there is no other', () => {
  const q = [0.6, 0, 0.8, 0];
  slerp(q, [0.6, 0, 0.8, 0], 0.3);
  [0.6, 0, 0.8, 0].forEach((value, i) => expect(q[i]).toBeCloseTo(value, 15));
});
