/** Motions in space. */
import type { Primitive } from '../src/drawing_types';
import { contact, q, type Motion } from './motion';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const FLOOR: Primitive = { kind: 'plane', name: 'floor', normal: [0, 0, 1], offset: 0 };
const TANGENTS = [[1, 0, 0], [0, 1, 0]];

/** A sphere that spins, tilts over and wanders on a circle. */
export const top: Motion = {
  space: 'space',
  duration: 4,
  columns: (t) => {
    const tilt = (Math.PI * t) / 8;
    const spin = 12 * t;
    const [c, s] = [Math.cos(tilt / 2), Math.sin(tilt / 2)];
    const [cs, ss] = [Math.cos(spin / 2), Math.sin(spin / 2)];
    return [0.02 * Math.cos(2 * t), 0.02 * Math.sin(2 * t), 0.02, cs * c, cs * s, ss * s, ss * c];
  },
  forces: (t) => [[0.05 + 0.01 * Math.sin(9 * t), 0.012 * Math.sin(2 * t), -0.012 * Math.cos(2 * t)]],
  gaps: () => [0],
  primitives: [
    FLOOR,
    {
      kind: 'body', name: 'top', part: 0, at: [q(0), q(1), q(2)], turn: { quaternion: [q(3), q(4), q(5), q(6)] },
      shapes: [{ kind: 'sphere', center: [0, 0, 0], radius: 0.02 }, { kind: 'capsule', from: [0, 0, 0.02], to: [0, 0, 0.032], radius: 0.004 }],
    },
    contact(0, { name: 'floor', at: [q(0), q(1), 0], normal: [0, 0, 1], tangents: TANGENTS, friction: [0.3, 0.3] }),
  ],
};

const LEVELS = 5;

/** Boxes on boxes; the uppermost slides. */
export const stack: Motion = {
  space: 'space',
  duration: 3,
  columns: (t) => [0.25 * Math.min(1, t / 2)],
  forces: (t) => [
    ...Array.from({ length: 4 * LEVELS }, (_, i) => {
      const level = Math.floor(i / 4);
      const slides = level === LEVELS - 1 && t < 2;
      return [((LEVELS - level) * 10) / 4, slides ? -1.2 : 0, 0];
    }),
  ],
  gaps: () => Array.from({ length: 4 * LEVELS }, () => 0),
  primitives: [
    FLOOR,
    ...Array.from({ length: LEVELS }, (_, i): Primitive => ({
      kind: 'body', name: `box ${i + 1}`, part: i, at: [i === LEVELS - 1 ? q(0) : 0.04 * Math.sin(3 * i), 0.03 * Math.cos(2 * i), 0.2 + 0.4 * i], turn: null,
      shapes: [{ kind: 'box', center: [0, 0, 0], size: [0.9, 0.6, 0.4], axes: IDENTITY }],
    })),
    ...Array.from({ length: 4 * LEVELS }, (_, i) => {
      const level = Math.floor(i / 4);
      return contact(i, {
        name: '', at: [i % 2 === 0 ? -0.35 : 0.35, i % 4 < 2 ? -0.25 : 0.25, 0.4 * level], normal: [0, 0, 1], tangents: TANGENTS, friction: [0.5, 0.5],
      });
    }),
  ],
};

const BALLS = 16;

/** Balls on a table with cushions; one flies off the rest. */
export const billiards: Motion = {
  space: 'space',
  duration: 2,
  columns: (t) =>
    Array.from({ length: BALLS }, (_, i) => {
      const angle = (2 * Math.PI * i) / BALLS + 0.3;
      const r = 0.1 + 0.4 * Math.sqrt(t) * (0.4 + 0.6 * Math.abs(Math.sin(7 * i)));
      const turn = r / 0.0286;
      const [x, y] = [r * Math.cos(angle), 0.6 * r * Math.sin(angle)];
      return [x, y, 0.0286, Math.cos(turn / 2), -Math.sin(angle) * Math.sin(turn / 2), Math.cos(angle) * Math.sin(turn / 2), 0];
    }).flat(),
  forces: (t) => Array.from({ length: BALLS }, (_, i) => [1.6, (0.3 * Math.cos(i)) / (1 + t), (0.3 * Math.sin(i)) / (1 + t)]),
  gaps: () => Array.from({ length: BALLS }, () => 0),
  primitives: [
    FLOOR,
    ...Array.from({ length: BALLS }, (_, i): Primitive => ({
      kind: 'body', name: `${i}`, part: i, at: [q(7 * i), q(7 * i + 1), q(7 * i + 2)],
      turn: { quaternion: [q(7 * i + 3), q(7 * i + 4), q(7 * i + 5), q(7 * i + 6)] },
      shapes: [{ kind: 'sphere', center: [0, 0, 0], radius: 0.0286 }],
    })),
    ...Array.from({ length: BALLS }, (_, i) =>
      contact(i, { at: [q(7 * i), q(7 * i + 1), 0], normal: [0, 0, 1], tangents: TANGENTS, friction: [0.2, 0.2] }),
    ),
  ],
};

/** Every shape and primitive of space. */
export const solids: Motion = {
  space: 'space',
  duration: 6,
  columns: (t) => {
    const [c, s] = [Math.cos(t), Math.sin(t)];
    return [t, 0.5 + 0.2 * s, Math.cos(t / 2), Math.sin(t / 2), c, s, -s];
  },
  primitives: [
    FLOOR,
    { kind: 'body', name: 'box', part: 1, at: [-1, 0, q(1)], turn: { quaternion: [q(2), 0, 0, q(3)] }, shapes: [{ kind: 'box', center: [0, 0, 0], size: [0.6, 0.4, 0.2], axes: IDENTITY }] },
    { kind: 'body', name: 'capsule', part: 2, at: [0, 0, q(1)], turn: { axes: [1, 0, 0, 0, q(4), q(5), 0, q(6), q(4)] }, shapes: [{ kind: 'capsule', from: [-0.2, 0, 0], to: [0.2, 0, 0], radius: 0.15 }] },
    { kind: 'body', name: 'no shape', part: 3, at: [1, 0, q(1)], turn: { angle: q(0) }, shapes: [{ kind: 'inertia', size: [0.6, 0.3, 0.2], axes: IDENTITY }] },
    { kind: 'body', name: 'mass', part: 4, at: [0, 1, q(1)], turn: null, shapes: [{ kind: 'mass' }] },
    { kind: 'spring', name: '', part: 6, points: [[0, 1, 1.5], [0, 1, q(1)]] },
    { kind: 'joint', name: 'hook', at: [0, 1, 1.5] },
    { kind: 'circle', name: 'ball', part: 0, center: [1, 1, q(1)], radius: 0.2, angle: null },
    { kind: 'line', name: '', part: 5, points: [[-1, 1, 0.4], [-0.5, 1, q(1)], [-0.5, 1.4, 0.8]], closed: false },
    { kind: 'line', name: '', part: 7, points: [[-1, -1, 0.02], [0, -1, 0.02], [0.2, -0.6, 0.02], [-0.4, -0.8, 0.02], [-1, -0.5, 0.02]], closed: true },
    { kind: 'text', at: [-1, 1, 0.45], text: 'a line' },
  ],
};

const MANY = 200;

/** For measuring: 200 bodies and 500 contacts. */
export const many: Motion = {
  space: 'space',
  duration: 5,
  samples: 200,
  columns: (t) =>
    Array.from({ length: MANY }, (_, i) => {
      const [x, y] = [(i % 15) - 7, Math.floor(i / 15) - 7];
      const turn = t + i;
      return [x + 0.2 * Math.sin(t + i), y, 0.4 + 0.3 * Math.abs(Math.sin(2 * t + i)), Math.cos(turn / 2), 0, Math.sin(turn / 2), 0];
    }).flat(),
  forces: (t) => Array.from({ length: 500 }, (_, i) => [5 + Math.sin(t + i), Math.sin(t + i), Math.cos(t + i)]),
  gaps: () => Array.from({ length: 500 }, () => 0),
  primitives: [
    FLOOR,
    ...Array.from({ length: MANY }, (_, i): Primitive => ({
      kind: 'body', name: `${i}`, part: i, at: [q(7 * i), q(7 * i + 1), q(7 * i + 2)],
      turn: { quaternion: [q(7 * i + 3), q(7 * i + 4), q(7 * i + 5), q(7 * i + 6)] },
      shapes: i % 2 === 0 ? [{ kind: 'sphere', center: [0, 0, 0], radius: 0.4 }] : [{ kind: 'box', center: [0, 0, 0], size: [0.7, 0.6, 0.5], axes: IDENTITY }],
    })),
    ...Array.from({ length: 500 }, (_, i) =>
      contact(i, { at: [q(7 * (i % MANY)), q(7 * (i % MANY) + 1), 0.1 * Math.floor(i / MANY)], normal: [0, 0, 1], tangents: TANGENTS, friction: [0.4, 0.4] }),
    ),
  ],
};

/** The same crowd, seen from above in the plane. */
export const manyInPlane: Motion = {
  ...many,
  space: 'plane',
  forces: (t) => many.forces!(t).map(([normal, tangential]) => [normal, tangential]),
  primitives: many.primitives.map((primitive): Primitive => {
    if (primitive.kind === 'body') return { ...primitive, turn: { angle: q(0) } };
    if (primitive.kind === 'contact') return { ...primitive, at: primitive.at.slice(0, 2), normal: [0, 1], tangents: [[1, 0]], friction: [0.4] };
    return { kind: 'plane', name: '', normal: [0, 1, 0], offset: -8 };
  }),
};
