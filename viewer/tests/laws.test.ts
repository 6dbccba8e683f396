import { describe, expect, it } from 'vitest';
import { Column } from '../src/column';
import type { TimePanel } from '../src/data';
import { forcePanel, impactPanel, modesPanel, readImpacts, readLaws } from '../src/laws';
import { encode } from './helpers';

const laws = readLaws([
  { name: 'floor', row: 0, rows: 2, gap: 0, friction: [0.5, 0], limit: null },
  { name: 'pad', row: 2, rows: 1, gap: null, friction: null, limit: [2, 3] },
]);
const noImpacts = readImpacts([], laws);

function impulsePanel(times: number[], rows: number[][]): TimePanel {
  const series = rows.map((values, k) => ({ label: `row ${k}`, unit: 'N s', column: new Column(encode(values)) }));
  return { kind: 'time', id: 'impulse', title: '', note: '', unit: '', log: false, ofRuns: false, times: new Column(encode(times)), series };
}
const valuesOf = (panel: TimePanel, k: number) => [...panel.series[k].column.values];

describe('forcePanel', () => {
  // A weight of 10 N at rest, and at 0.2 s an impact of 7 N s in a step of 0.1 s.
  const times = [0, 0.1, 0.2, 0.3];
  const sums = [0, 1, 9, 10];
  it('leaves impacts out', () => {
    const impacts = readImpacts({ time: encode([0.2]), law: encode([0]), speed: encode([1]), lost: encode([2]), impulse: encode([7, 0, 0, 0]) }, laws);
    const panel = forcePanel(impulsePanel(times, [sums, [0, 0, 0, 0], [0, 0, 0, 0]]), impacts, laws);
    expect(panel.series[0].unit).toBe('N');
    const force = valuesOf(panel, 0);
    expect(force[0]).toBeNaN();
    expect(force.slice(1).map((value) => value.toFixed(9))).toEqual(['10.000000000', '10.000000000', '10.000000000']);
    expect(valuesOf(impactPanel(impacts, laws, ['N s', 'N s', 'N s'])!, 0)).toEqual([7]);
  });
  it('has no force where no time passes', () => {
    const panel = forcePanel(impulsePanel([0, 1, 1, 2], [[0, 2, 5, 6]]), noImpacts, laws);
    expect(valuesOf(panel, 0)).toEqual([NaN, 2, NaN, 1]);
    expect(impactPanel(noImpacts, laws, [])).toBeNull();
  });
});

describe('modesPanel', () => {
  it('tells open, stick and slip from the impulses, with the direction of the slip against that of friction', () => {
    const panel = modesPanel(impulsePanel([0, 1, 2, 3, 4, 5], [[0, 0, 4, 8, 12, 12], [0, 0, 1, -1, 1, 1], [0, -2, -3, 0, 1, 2]]), laws)!;
    expect(panel.bands[0].modes).toEqual(['open', 'stick', 'slide+', 'slide-', 'open']);
    expect([...panel.bands[0].times]).toEqual([0, 1, 2, 3, 4]);
    expect(panel.bands[1].modes).toEqual(['slide+', 'stick', 'slide-', 'stick']);
    expect([...panel.bands[1].times]).toEqual([0, 1, 2, 3]);
  });
});

describe('readImpacts', () => {
  it('refuses what does not fit', () => {
    expect(() => readImpacts({ time: encode([1]), law: encode([2]), speed: encode([1]), lost: encode([1]), impulse: encode([1, 1, 1, 1]) }, laws)).toThrow('impacts.law[0] is 2, but there are 2 laws');
    expect(() => readImpacts({ time: encode([1]), law: encode([0]), speed: encode([]), lost: encode([1]), impulse: encode([1, 1, 1, 1]) }, laws)).toThrow('differ in length');
  });
});
