import { describe, expect, it } from 'vitest';
import { impactColumns } from '../src/impacts';
import { indexAt, LAST_RANK } from '../src/ranges';
import { TimeView } from '../src/view';

const noImpacts = { times: new Float64Array(), contacts: [] };

describe('TimeView', () => {
  it('zooms within the run and tells its listeners', () => {
    const view = new TimeView({ min: 0, max: 10 }, noImpacts);
    let calls = 0;
    const end = view.rangeChanged.listen(() => calls++);
    view.zoomTo(-5, 4);
    expect(view.range).toEqual({ min: 0, max: 4 });
    expect(view.isZoomed).toBe(true);
    end();
    view.reset();
    expect(view.isZoomed).toBe(false);
    expect(calls).toBe(1);
  });

  it('ignores spans that cannot be shown', () => {
    const view = new TimeView({ min: 0, max: 10 }, noImpacts);
    for (const [from, to] of [[4, 4], [5, 4], [NaN, 4], [11, 12], [1, 1 + 1e-13]]) view.zoomTo(from, to);
    expect(view.range).toEqual({ min: 0, max: 10 });
  });

  it('zooms about the cursor while it is in view', () => {
    const view = new TimeView({ min: 0, max: 10 }, noImpacts);
    view.goTo(2);
    view.zoomBy(0.5);
    expect(view.range).toEqual({ min: 1, max: 6 });
    view.goTo(9);
    view.zoomBy(0.5);
    expect(view.range).toEqual({ min: 2.25, max: 4.75 });
  });
});

describe('cursor and position', () => {
  const times = [0, 1, 1, 1, 2];
  it('goes to what is after a jump by the last rank', () => {
    const view = new TimeView({ min: 0, max: 2 }, noImpacts);
    view.goTo(1, LAST_RANK);
    expect(view.sampleAt(times)).toBe(3);
    expect(indexAt(times, 1.1, LAST_RANK)).toBe(3);
    expect(indexAt(times, 2, LAST_RANK)).toBe(4);
  });
  it('returns to where it was, also to nowhere', () => {
    const view = new TimeView({ min: 0, max: 2 }, noImpacts);
    const before = view.position;
    view.goTo(1, 2);
    const there = view.position;
    view.goTo(2);
    view.returnTo(there);
    expect(view.position).toEqual({ time: 1, rank: 2 });
    view.returnTo(before);
    expect(view.position).toBeNull();
  });
  it('reads values where the mouse points, and at the position when it has left', () => {
    const view = new TimeView({ min: 0, max: 2 }, noImpacts);
    expect(view.sampleAt(times)).toBe(-1);
    view.goTo(2);
    view.pointAt(0.1);
    expect([view.cursor, view.sampleAt(times)]).toEqual([0.1, 0]);
    view.pointAt(null);
    expect([view.cursor, view.sampleAt(times)]).toEqual([2, 4]);
  });
  it('tells the samples of one time apart', () => {
    const view = new TimeView({ min: 0, max: 2 }, noImpacts);
    expect([0, 1, 2, 3].map((rank) => (view.goTo(1, rank), view.sampleAt(times)))).toEqual([1, 2, 3, 3]);
    expect(view.sampleAt([0, 1, 2])).toBe(1); // an axis without the jump
  });
  it('plays on while the mouse points elsewhere', () => {
    const view = new TimeView({ min: 0, max: 2 }, noImpacts);
    let moves = 0;
    view.positionChanged.listen(() => moves++);
    view.pointAt(0);
    view.follow({ time: 1, rank: 0 });
    view.follow({ time: 1, rank: 0 });
    view.follow({ time: 1, rank: 1 });
    expect([moves, view.cursor, view.position?.time]).toEqual([2, 0, 1]);
  });
  it('forgets its position only where no replay stands there', () => {
    const view = new TimeView({ min: 0, max: 2 }, noImpacts);
    view.goTo(1);
    view.clear();
    expect(view.cursor).toBeNull();
    view.stepper = () => {};
    view.goTo(1);
    view.pointAt(2);
    view.clear();
    expect(view.cursor).toBe(1);
  });
});

describe('impactColumns', () => {
  it('marks each column once, and only what is in view', () => {
    expect(impactColumns([-1, 0, 0.01, 0.02, 0.5, 1, 2], 0, 1, 10)).toEqual([0, 5, 9]);
  });
  it('is bounded by the columns', () => {
    const times = Float64Array.from({ length: 10000 }, (_, i) => i / 10000);
    expect(impactColumns(times, 0, 1, 50).length).toBe(50);
  });
});
