import { describe, expect, it } from 'vitest';
import { readReport } from '../src/data';
import { impactTable, sortedRows } from '../src/events';
import { marksOf, sampleOfNextMark } from '../src/marks';
import { choosePair } from '../src/pair';
import { pendulumDocument } from './pendulum';

describe('marks', () => {
  it('are the impacts and the events, ascending', () => {
    const document = pendulumDocument(200);
    document.impacts = [{ time: 0.5, contact: 'wall' }];
    document.events = { headings: ['time', 'kind'], rows: [['0.7', 'stick'], ['0.1', 'start'], ['', 'note']] };
    expect([...marksOf(readReport(JSON.stringify(document))!)]).toEqual([0, 0.1, 0.5, 0.7]);
  });

  const times = Float64Array.of(0, 1, 2, 2, 3, 4);
  const marks = Float64Array.of(0.9, 1.1, 2, 3.4);
  it('are passed one after the other, also where samples lie beside them', () => {
    const visited = [0];
    for (let k = 0; k < 4; k++) visited.push(sampleOfNextMark(marks, times, visited[k], 1));
    expect(visited).toEqual([0, 1, 3, 4, 4]);
    const back = [5];
    for (let k = 0; k < 4; k++) back.push(sampleOfNextMark(marks, times, back[k], -1));
    expect(back).toEqual([5, 4, 3, 1, 1]);
  });
  it('lead to what is after an impact, also from the sample before it', () => {
    expect(sampleOfNextMark(marks, times, 2, 1)).toBe(3);
  });
  it('lead out of both samples of an impact', () => {
    expect(sampleOfNextMark(marks, times, 2, -1)).toBe(1);
    expect(sampleOfNextMark(marks, times, 3, 1)).toBe(4);
    expect(sampleOfNextMark(marks, times, 3, -1)).toBe(1);
  });
  it('may be missing', () => {
    expect(sampleOfNextMark(new Float64Array(), times, 2, 1)).toBe(2);
  });
});

describe('impactTable', () => {
  it('has a row for each impact', () => {
    expect(impactTable({ times: Float64Array.of(0.5, 1 / 3), contacts: ['a', 'b'] })).toEqual({ headings: ['time [s]', 'contact'], rows: [['0.5', 'a'], ['0.333333333333', 'b']], note: '' });
    expect(impactTable({ times: new Float64Array(), contacts: [] })).toBeNull();
  });
  it('tells speed, impulse and loss where they are known', () => {
    const details = { laws: Float64Array.of(0), speeds: Float64Array.of(2), lost: Float64Array.of(0.5), impulses: Float64Array.of(3, 1, 0, 0) };
    const table = impactTable({ times: Float64Array.of(0.5), contacts: ['a'], details })!;
    expect(table.headings).toEqual(['time [s]', 'contact', 'closing speed [m/s]', 'normal impulse [N s]', 'energy lost [J]']);
    expect(table.rows).toEqual([['0.5', 'a', '2', '3', '0.5']]);
  });
  it('is sorted by numbers where there are some, and otherwise by words', () => {
    const rows = [['10', 'b', '\u22121'], ['9', 'a', '1e-3'], ['9', 'c', '0']];
    expect(sortedRows(rows, 0, false)).toEqual([1, 2, 0]);
    expect(sortedRows(rows, 1, true)).toEqual([2, 0, 1]);
    expect(sortedRows(rows, 2, false)).toEqual([0, 2, 1]);
  });
  it('says what it leaves out', () => {
    const table = impactTable({ times: new Float64Array(5000), contacts: Array(5000).fill('x') })!;
    expect(table.rows.length).toBe(2000);
    expect(table.note).toBe('the first 2000 of 5,000');
  });
});

describe('choosePair', () => {
  const replays = [{ run: 0 }, { run: 2 }, { run: 3 }];
  const all = () => true;
  it('draws the first two runs that are shown', () => {
    expect(choosePair(replays, all, null)).toEqual({ solid: 0, ghost: 1 });
    expect(choosePair(replays, (run) => run !== 0, null)).toEqual({ solid: 1, ghost: 2 });
    expect(choosePair(replays, (run) => run === 3, null)).toEqual({ solid: 2, ghost: null });
  });
  it('keeps what was chosen as far as it is shown', () => {
    expect(choosePair(replays, all, { solid: 2, ghost: 0 })).toEqual({ solid: 2, ghost: 0 });
    expect(choosePair(replays, (run) => run !== 0, { solid: 2, ghost: 0 })).toEqual({ solid: 2, ghost: 1 });
    expect(choosePair(replays, all, { solid: 1, ghost: null })).toEqual({ solid: 1, ghost: null });
  });
  it('does not draw a run over itself', () => {
    expect(choosePair(replays, all, { solid: 1, ghost: 1 })).toEqual({ solid: 1, ghost: 0 });
  });
  it('draws something even if all runs are hidden', () => {
    expect(choosePair(replays, () => false, null)).toEqual({ solid: 0, ghost: null });
  });
});
