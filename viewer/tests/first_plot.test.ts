import { describe, expect, it } from 'vitest';
import { foldQuaternions } from '../src/angles';
import { Column } from '../src/column';
import type { Report, TimePanel } from '../src/data';
import { firstPlot } from '../src/first_plot';
import { padded, robustRange, ROUND_OFF } from '../src/ranges';
import { atImpacts, crossings } from '../src/sections';
import { niceTicks } from '../src/ticks';
import { encode, seededRandom } from './helpers';

function panel(id: string, series: [label: string, unit: string, values: number[]][]): TimePanel {
  const count = series[0]?.[2].length ?? 0;
  const times = new Column(encode(Array.from({ length: count }, (_, k) => k)));
  return { kind: 'time', id, title: id, note: '', unit: '', log: false, ofRuns: false, times, series: series.map(([label, unit, values]) => ({ label, unit, column: new Column(encode(values)) })) };
}
const reportOf = (...panels: TimePanel[]) => ({ panels, runs: [] }) as unknown as Report;
const labels = (plot: TimePanel | null) => plot?.series.map(({ label }) => label);

describe('firstPlot', () => {
  it('shows what the scene calls its quantities, but not momenta, which nobody asked for', () => {
    const q = panel('q', [['x', 'm', [0, 1]]]);
    expect(labels(firstPlot(reportOf(q, panel('quantity', [['height', 'm', [0, 1]], ['momentum.x', 'kg m/s', [0, 5]]]))))).toEqual(['height']);
    expect(labels(firstPlot(reportOf(q, panel('quantity', [['momentum.x', 'kg m/s', [0, 5]]]))))).toEqual(['x']);
  });
  it('shows the few coordinates that move most, of each unit, eight at most', () => {
    const many = Array.from({ length: 12 }, (_, k): [string, string, number[]] => [`x${k}`, 'm', [0, 1 + k]]);
    const plot = firstPlot(reportOf(panel('q', [...many, ['still', 'm', [3, 3]], ['noise', 'm', [0, 1e-9]], ['phi', 'rad', [0, 0.001]]])));
    expect(labels(plot)).toEqual(['x8', 'x9', 'x10', 'x11', 'phi']);
    expect(plot!.note).toBe('5 of 15 coordinates that move most');
    const quantities = Array.from({ length: 20 }, (_, k): [string, string, number[]] => [`h${k}`, 'm', [0, 1]]);
    expect(labels(firstPlot(reportOf(panel('quantity', quantities))))!.length).toBe(8);
  });
  it('is not there where runs are compared, or nothing is', () => {
    expect(firstPlot({ ...reportOf(panel('q', [['x', 'm', [0, 1]]])), runs: [{}] } as unknown as Report)).toBeNull();
    expect(firstPlot(reportOf())).toBeNull();
  });
});

describe('foldQuaternions', () => {
  it('makes angles that do not jump, in the order of turns about z, y and x', () => {
    const turn = Array.from({ length: 9 }, (_, k) => k); // about z, a radian each: more than one turn
    const q = panel('q', [['b.x', 'm', turn], ['b.qw', '1', turn.map((a) => Math.cos(a / 2))], ['b.qx', '1', turn.map(() => 0)], ['b.qy', '1', turn.map(() => 0)], ['b.qz', '1', turn.map((a) => Math.sin(a / 2))]]);
    const folded = foldQuaternions(q);
    expect(labels(folded)).toEqual(['b.x', 'b.yaw', 'b.pitch', 'b.roll']);
    folded.series[1].column.values.forEach((angle, k) => expect(angle).toBeCloseTo(k, 12));
    expect([...folded.series[2].column.values].every((angle) => Math.abs(angle) < 1e-12)).toBe(true);
    expect(foldQuaternions(panel('q', [['b.qw', '1', [1]], ['y', 'm', [1]]])).series.length).toBe(2);
  });
  it('shows tilt and turn where yaw and roll mean nothing', () => {
    const fall = Array.from({ length: 5 }, (_, k) => (k * Math.PI) / 8); // about y, to a quarter turn
    const q = panel('q', [['b.qw', '1', fall.map((a) => Math.cos(a / 2))], ['b.qx', '1', fall.map(() => 0)], ['b.qy', '1', fall.map((a) => Math.sin(a / 2))], ['b.qz', '1', fall.map(() => 0)]]);
    const folded = foldQuaternions(q);
    expect(labels(folded)).toEqual(['b.tilt', 'b.turn']);
    for (const { column } of folded.series) column.values.forEach((angle, k) => expect(angle).toBeCloseTo(fall[k], 12));
  });
  it('is the composition of its turns', () => {
    const [yaw, pitch, roll] = [0.7, -0.4, 1.1];
    const product = (a: number[], b: number[]) => [a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2], a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1], a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]];
    const half = (angle: number, axis: number) => [Math.cos(angle / 2), 0, 0, 0].map((w, k) => (k === axis ? Math.sin(angle / 2) : w));
    const a = product(product(half(yaw, 3), half(pitch, 2)), half(roll, 1));
    const folded = foldQuaternions(panel('q', a.map((value, k): [string, string, number[]] => [`b.${['qw', 'qx', 'qy', 'qz'][k]}`, '1', [value]])));
    folded.series.forEach(({ column }, k) => expect(column.values[0]).toBeCloseTo([yaw, pitch, roll][k], 12));
  });
});

describe('axes', () => {
  it('have three labels at least, whatever the range and the height', () => {
    const random = seededRandom(3);
    for (let trial = 0; trial < 2000; trial++) {
      const span = 10 ** (20 * random() - 10);
      const min = span * (4 * random() - 2);
      const ticks = niceTicks(min, min + span, 70, 26, 11);
      expect(ticks.length, `${min} to ${min + span}`).toBeGreaterThanOrEqual(3);
      expect(ticks.length).toBeLessThanOrEqual(7);
      for (const tick of ticks) expect(tick).toBeGreaterThanOrEqual(min - 1e-8 * span);
    }
    expect(niceTicks(0, 0.5, 600, 76, 46)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5]);
    expect(niceTicks(3, 3, 100, 26, 13)).toEqual([3]);
  });
  it('draw round-off flat', () => {
    const size = 0.3;
    const { min, max } = padded({ min: -1e-20, max: 2e-20 }, undefined, ROUND_OFF * size);
    expect(max - min).toBeGreaterThan(0.1 * size);
    expect(padded({ min: 0, max: 1e-3 }, 0, ROUND_OFF * size)).toEqual({ min: 0, max: 1e-3 });
  });
  it('leave a few peaks outside, where all else would be flat', () => {
    const values = Array.from({ length: 1000 }, (_, k) => 10 + (k % 10));
    expect(robustRange(values, 0, 999)).toEqual({ min: 10, max: 19 });
    values[500] = 5000;
    const range = robustRange(values, 0, 999)!;
    expect(range.max).toBeGreaterThan(19);
    expect(range.max).toBeLessThan(30);
  });
});

describe('sections', () => {
  it('are where a column passes a level in one direction, between samples', () => {
    const times = Float64Array.of(0, 1, 2, 3, 4, 4);
    const values = Float64Array.of(-1, 3, 1, -1, -1, 5);
    expect(crossings(times, values, 0, 1)).toEqual([{ sample: 0, alpha: 0.25 }]); // the jump at the end is none
    expect(crossings(times, values, 0, -1)).toEqual([{ sample: 2, alpha: 0.5 }]);
  });
  it('are after impacts', () => {
    const impacts = { times: Float64Array.of(1, 2), contacts: ['a', 'b'] };
    expect(atImpacts(Float64Array.of(0, 1, 1, 2), impacts, 'a')).toEqual([{ sample: 2, alpha: 0 }]);
  });
});
