import { expect, test } from 'vitest';
import { PlanarCamera } from '../../src/stage/planar_camera';
import { fitDistance, viewDirection } from '../../src/stage/spatial_camera';

function camera(): PlanarCamera {
  return Object.assign(new PlanarCamera(), { width: 800, height: 400 });
}

test('the plane has x to the right and y up, and the motion fits with room around it', () => {
  const c = camera();
  c.fit({ min: [0, 0, 0], max: [10, 10, 0] });
  expect([c.toScreenX(5), c.toScreenY(5)]).toEqual([400, 200]);
  expect(c.toScreenY(10)).toBeGreaterThan(0);
  expect(c.toScreenY(10)).toBeLessThan(c.toScreenY(0));
  expect(c.toScreenY(0)).toBeLessThan(400);
  expect(c.toScreenX(10) - c.toScreenX(0)).toBeCloseTo(c.toScreenY(0) - c.toScreenY(10), 12);
});

test('a motion along a line fits too', () => {
  const c = camera();
  c.fit({ min: [0, 3, 0], max: [10, 3, 0] });
  expect(c.toScreenX(0)).toBeGreaterThan(0);
  expect(c.toScreenX(10)).toBeLessThan(800);
  expect(c.toScreenY(3)).toBe(200);
});

test('what is under the pointer stays there: while dragging, and while zooming', () => {
  const c = camera();
  c.fit({ min: [0, 0, 0], max: [10, 10, 0] });
  const [x, y] = [c.toScreenX(2), c.toScreenY(7)];
  c.pan(30, -40);
  expect([c.toScreenX(2), c.toScreenY(7)].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([x + 30, y - 40].map((value) => Math.round(value * 1e9) / 1e9));
  const [px, py] = [c.toScreenX(1), c.toScreenY(1)];
  for (const factor of [3, 0.1]) {
    c.zoom(factor, px, py);
    expect(c.toScreenX(1)).toBeCloseTo(px, 9);
    expect(c.toScreenY(1)).toBeCloseTo(py, 9);
  }
});

test('zooming ends before numbers do', () => {
  const c = camera();
  c.fit({ min: [0, 0, 0], max: [1, 1, 0] });
  for (let i = 0; i < 2000; i++) c.zoom(10, 100, 100);
  expect(Number.isFinite(c.scale)).toBe(true);
  for (let i = 0; i < 2000; i++) c.zoom(0.1, 100, 100);
  expect(c.scale).toBeGreaterThan(0);
});

test('one looks from the front, above and the right, whatever is up', () => {
  const [x, y, z] = viewDirection([0, 0, 1]);
  expect(x).toBeGreaterThan(0);
  expect(y).toBeLessThan(0);
  expect(z).toBeGreaterThan(0);
  for (const up of [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0.6, 0, 0.8], [0, 0, -1]]) {
    const d = viewDirection(up);
    expect(Math.hypot(...d)).toBeCloseTo(1, 14);
    expect(d[0] * up[0] + d[1] * up[1] + d[2] * up[2]).toBeCloseTo(z, 14);
  }
});

/** From straight in front a cube of side 2 shows its near face, one metre nearer, at tan(fov / 2) = 1 / (d - 1). */
test('the camera steps back until the nearest corner is in sight', () => {
  const cube = { min: [-1, -1, -1], max: [1, 1, 1] } as const;
  const fit = (aspect: number) => fitDistance({ min: [...cube.min], max: [...cube.max] }, [0, -1, 0], [0, 0, 1], Math.PI / 2, aspect);
  const margin = fit(1) - 1;
  expect(margin).toBeGreaterThanOrEqual(1);
  expect(margin).toBeLessThan(1.3);
  expect(fit(2)).toBeCloseTo(fit(1), 14); // the height decides
  expect(fit(0.5) - 1).toBeCloseTo(2 * margin, 14); // half as wide: twice as far from the face
});
