import { describe, expect, it } from 'vitest';
import { contactsOf, readDrawing } from '../src/drawing';
import { NO_PART } from '../src/drawing_types';

const SIZES = { coordinates: 2, columns: 3, gaps: 1, forces: 2 };

function sampleDrawing(): any {
  return {
    version: 1,
    space: 'plane',
    primitives: [
      { kind: 'body', name: 'disc', part: 0, at: [{ q: 0 }, { q: 1 }], turn: { angle: { c: 2 } }, shapes: [{ kind: 'sphere', center: [0, 0], radius: 0.5 }] },
      { kind: 'plane', name: 'floor', normal: [0, 1], offset: 0 },
      { kind: 'line', name: '', part: 1, points: [[0, 0], [{ c: 0 }, 1]], closed: true },
      { kind: 'circle', name: '', part: 1, center: [0, 0], radius: { c: 1 }, angle: null },
      { kind: 'spring', name: '', part: 2, points: [[0, 0], [1, 0]] },
      { kind: 'text', at: [0, 0], text: 'words' },
      { kind: 'joint', name: 'pin', at: [0, 0] },
      { kind: 'contact', name: 'foot', law: 0, at: [0, 0], normal: [0, 1], tangents: [[1, 0]], gap: 0, rows: [0, 1], friction: [0.3] },
    ],
  };
}

function readChanged(change: (document: any) => void) {
  const document = sampleDrawing();
  change(document);
  return readDrawing(document, SIZES, 'drawing');
}

describe('readDrawing', () => {
  it('reads every kind of primitive', () => {
    const drawing = readDrawing(sampleDrawing(), SIZES, 'drawing');
    expect(drawing.primitives.map((primitive) => primitive.kind)).toEqual(['body', 'plane', 'line', 'circle', 'spring', 'text', 'joint', 'contact']);
    expect(drawing.primitives[0]).toMatchObject({ at: [{ q: 0 }, { q: 1 }], turn: { angle: { c: 2 } } });
    expect(contactsOf(drawing).map((contact) => contact.name)).toEqual(['foot']);
  });

  it('completes constants of the plane by a third component', () => {
    const drawing = readDrawing(sampleDrawing(), SIZES, 'drawing');
    expect(drawing.primitives[1]).toMatchObject({ normal: [0, 1, 0] });
    expect(drawing.up).toEqual([0, 1, 0]);
  });

  it('knows what has no colour of its own', () => {
    expect(readChanged((d) => (d.primitives[4].part = null)).primitives[4]).toMatchObject({ part: NO_PART });
  });

  it('takes z for up in space unless told otherwise', () => {
    expect(readDrawing({ version: 1, space: 'space', primitives: [] }, SIZES, '').up).toEqual([0, 0, 1]);
    expect(readDrawing({ version: 1, space: 'space', up: [0, 1, 0], primitives: [] }, SIZES, '').up).toEqual([0, 1, 0]);
  });

  it('reads turns and shapes of space', () => {
    const axes = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const body = (turn: unknown, shape: unknown) => ({ version: 1, space: 'space', primitives: [{ kind: 'body', name: '', part: 0, at: [0, 0, { c: 0 }], turn, shapes: [shape] }] });
    for (const turn of [null, { quaternion: [1, 0, 0, { c: 1 }] }, { axes }]) {
      expect(readDrawing(body(turn, { kind: 'mass' }), SIZES, '').primitives[0]).toMatchObject({ turn });
    }
    for (const shape of [
      { kind: 'box', center: [0, 0, 0], size: [1, 2, 3], axes },
      { kind: 'capsule', from: [0, 0, 0], to: [0, 0, 1], radius: 0.1 },
      { kind: 'inertia', size: [1, 1, 1], axes },
    ]) {
      expect(readDrawing(body(null, shape), SIZES, '').primitives[0]).toMatchObject({ shapes: [shape] });
    }
  });

  it.each<[string, (document: any) => void, string]>([
    ['a newer version', (d) => (d.version = 2), 'version 1 of drawings, but drawing has version 2'],
    ['an unknown space', (d) => (d.space = 'time'), 'drawing.space is "time", expected "plane" or "space"'],
    ['an unknown kind', (d) => (d.primitives[1].kind = 'cloud'), 'drawing.primitives[1].kind is "cloud"'],
    ['a coordinate beyond the last', (d) => (d.primitives[0].at[0].q = 2), 'drawing.primitives[0].at[0].q is 2, but there are 2 coordinates.'],
    ['a column beyond the last', (d) => (d.primitives[2].points[1][0].c = 3), 'points[1][0].c is 3, but there are 3 columns of the drawing.'],
    ['half a column', (d) => (d.primitives[3].radius.c = 0.5), 'radius.c is 0.5, expected a whole number'],
    ['a value of neither', (d) => (d.primitives[3].radius = { u: 1 }), 'expected a number, {"q": k} or {"c": k}'],
    ['a point with one component', (d) => (d.primitives[5].at = [1]), 'primitives[5].at has 1 components, expected 2 or 3.'],
    ['a point of the plane in space', (d) => (d.space = 'space'), 'primitives[0].at has 2 components, expected 3.'],
    ['a line of one point', (d) => d.primitives[2].points.pop(), 'points has 1 points, expected at least 2.'],
    ['a spring of three points', (d) => d.primitives[4].points.push([2, 2]), 'points has 3 points, expected 2.'],
    ['a short quaternion', (d) => (d.primitives[0].turn = { quaternion: [1, 0, 0] }), 'turn.quaternion has 3 numbers, expected 4.'],
    ['a turn without numbers', (d) => (d.primitives[0].turn = {}), 'expected "quaternion", "axes" or "angle"'],
    ['an unknown shape', (d) => (d.primitives[0].shapes[0].kind = 'torus'), 'shapes[0].kind is "torus"'],
    ['a box with eight numbers', (d) => (d.primitives[0].shapes[0] = { kind: 'box', center: [0, 0], size: [1, 1], axes: Array(8).fill(0) }), 'axes has 8 numbers, expected 9.'],
    ['an unknown gap', (d) => (d.primitives[7].gap = 1), 'primitives[7].gap is 1, but there are 1 gaps.'],
    ['an unknown force', (d) => (d.primitives[7].rows = [0, 2]), 'rows[1] is 2, but there are 2 contact forces.'],
    ['a row too few', (d) => (d.primitives[7].rows = [0]), 'rows has 1 entries, expected one for the normal and one for each of 1 tangents.'],
    ['friction without a tangent', (d) => (d.primitives[7].friction = [0.1, 0.2]), 'friction has 2 entries, but there are 1 tangents.'],
  ])('explains %s', (_name, change, message) => {
    expect(() => readChanged(change)).toThrow(message);
  });
});
