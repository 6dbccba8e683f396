/** Motions in the plane. */
import { contact, q, type Motion } from './motion';

const IDENTITY = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** A pendulum that hits a wall once per period; the impact lasts one sample. */
export const pendulum: Motion = {
  space: 'plane',
  duration: 3,
  columns: (t) => {
    const angle = Math.abs(0.9 * Math.sin(2.2 * t + 0.3)) + 0.05;
    return [-Math.sin(angle), -Math.cos(angle), angle];
  },
  gaps: (t) => [Math.sin(Math.abs(0.9 * Math.sin(2.2 * t + 0.3)) + 0.05) - 0.05],
  forces: (t) => [[Math.abs(Math.sin(2.2 * t + 0.3)) < 0.02 ? 900 : 0, 0]],
  primitives: [
    { kind: 'plane', name: 'wall', normal: [-1, 0, 0], offset: -0.15 },
    { kind: 'line', name: 'rod', part: 0, points: [[0, 0], [q(0), q(1)]], closed: false },
    { kind: 'circle', name: 'bob', part: 1, center: [q(0), q(1)], radius: 0.1, angle: null },
    { kind: 'joint', name: 'pin', at: [0, 0] },
    { kind: 'text', at: [-0.9, 0.05], text: 'pendulum with a wall' },
    contact(0, { name: 'wall', at: [0.15, q(1)], normal: [-1, 0], tangents: [[0, 1]], friction: [0.3] }),
  ],
};

/** A wheel that rolls to and fro, held by a spring. */
export const wheel: Motion = {
  space: 'plane',
  duration: 4,
  columns: (t) => [0.8 * Math.cos(2 * t), -(0.8 * Math.cos(2 * t)) / 0.3],
  forces: (t) => [[20 + 4 * Math.sin(9 * t), 9 * Math.cos(2 * t)]],
  gaps: () => [0],
  primitives: [
    { kind: 'plane', name: 'floor', normal: [0, 1, 0], offset: 0 },
    { kind: 'plane', name: 'wall', normal: [1, 0, 0], offset: -1.8 },
    { kind: 'spring', name: 'spring', part: 2, points: [[-1.8, 0.3], [q(0), 0.3]] },
    { kind: 'circle', name: 'wheel', part: 0, center: [q(0), 0.3], radius: 0.3, angle: q(1) },
    { kind: 'joint', name: 'axle', at: [q(0), 0.3] },
    contact(0, { name: 'tread', at: [q(0), 0], tangents: [[1, 0]], friction: [0.6] }),
  ],
};

/** A toy that slides down a pole: sleeve, spring and a bird whose beak knocks. */
export const woodpecker: Motion = {
  space: 'plane',
  duration: 2,
  columns: (t) => {
    const y = -0.05 * t - 0.003 * Math.sin(20 * t);
    const sleeve = 0.1 * Math.sin(20 * t);
    const bird = 0.35 * Math.sin(20 * t - 0.8);
    const [bx, by] = [0.06 + 0.02 * Math.cos(bird), y + 0.02 * Math.sin(bird)];
    return [y, sleeve, bird, bx, by, bx - 0.055 * Math.cos(bird) - 0.02 * Math.sin(bird), by + 0.02 * Math.cos(bird) - 0.055 * Math.sin(bird)];
  },
  forces: (t) => [
    [Math.max(0, 1.5 * Math.sin(20 * t)), 0.3 * Math.max(0, Math.sin(20 * t))],
    [Math.max(0, 1.5 * Math.sin(20 * t)), 0.3 * Math.max(0, Math.sin(20 * t))],
    [Math.sin(20 * t - 0.8) > 0.995 ? 60 : 0, Math.sin(20 * t - 0.8) > 0.995 ? -12 : 0],
  ],
  gaps: (t) => [Math.max(0, -Math.sin(20 * t)) * 1e-3, Math.max(0, -Math.sin(20 * t)) * 1e-3, 0.02 * (1 - Math.sin(20 * t - 0.8))],
  primitives: [
    { kind: 'plane', name: 'pole', normal: [1, 0, 0], offset: 0.0025 },
    {
      kind: 'body', name: 'sleeve', part: 2, at: [0.006, q(0)], turn: { angle: q(1) },
      shapes: [{ kind: 'box', center: [0, 0, 0], size: [0.012, 0.02, 0], axes: IDENTITY }],
    },
    { kind: 'spring', name: 'spring', part: 1, points: [[0.012, q(0)], [q(3), q(4)]] },
    {
      kind: 'body', name: 'bird', part: 0, at: [q(3), q(4)], turn: { angle: q(2) },
      shapes: [
        { kind: 'capsule', from: [-0.005, -0.04, 0], to: [-0.005, 0.02, 0], radius: 0.014 },
        { kind: 'capsule', from: [-0.02, 0.02, 0], to: [-0.055, 0.02, 0], radius: 0.003 },
      ],
    },
    contact(0, { name: 'upper edge', at: [0.0025, { q: 0 }], normal: [1, 0], tangents: [[0, 1]], friction: [0.3] }),
    contact(1, { name: 'lower edge', at: [0.0025, { q: 4 }], normal: [1, 0], tangents: [[0, 1]], friction: [0.3] }),
    contact(2, { name: 'beak', at: [q(5), q(6)], normal: [1, 0], tangents: [[0, 1]], friction: [0.3] }),
  ],
};

/** Every shape a planar body may have, and a filled outline. */
export const shapes: Motion = {
  space: 'plane',
  duration: 6,
  columns: (t) => [t, 0.2 * Math.sin(t)],
  primitives: [
    { kind: 'plane', name: 'ramp', normal: [-0.2, 1, 0], offset: -0.9 },
    { kind: 'body', name: 'disc', part: 0, at: [-1.5, q(1)], turn: { angle: q(0) }, shapes: [{ kind: 'sphere', center: [0, 0, 0], radius: 0.4 }] },
    { kind: 'body', name: 'box', part: 1, at: [-0.5, q(1)], turn: { angle: q(0) }, shapes: [{ kind: 'box', center: [0, 0, 0], size: [0.6, 0.4, 0], axes: IDENTITY }] },
    { kind: 'body', name: 'capsule', part: 2, at: [0.4, q(1)], turn: { angle: q(0) }, shapes: [{ kind: 'capsule', from: [-0.2, 0, 0], to: [0.2, 0, 0], radius: 0.15 }] },
    { kind: 'body', name: 'no shape', part: 3, at: [1.3, q(1)], turn: { angle: q(0) }, shapes: [{ kind: 'inertia', size: [0.6, 0.3, 0], axes: IDENTITY }] },
    { kind: 'body', name: 'mass', part: 4, at: [2, q(1)], turn: null, shapes: [{ kind: 'mass' }] },
    { kind: 'line', name: '', part: 5, points: [[-1.5, 0.8], [-0.9, 0.8], [-1.2, 1], [-1.1, 1.3], [-1.5, q(1)]], closed: true },
    { kind: 'line', name: '', part: 6, points: [[0, 0.8], [0.3, 1.2], [0.6, 0.8], [0.9, 1.2]], closed: false },
    { kind: 'circle', name: '', part: 7, center: [1.6, 1], radius: 0.25, angle: q(0) },
  ],
};
