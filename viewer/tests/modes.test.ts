import { describe, expect, it } from 'vitest';
import { modesOf, readBands, spanAt, spansWithin, type Band } from '../src/modes';
import { encode } from './helpers';

const beak: Band = { label: 'beak', times: Float64Array.of(0, 1, 1.5), modes: ['open', 'slide+', 'stick'] };
const END = 2;

describe('the span at a time', () => {
  it('reaches to the next change, the last to the end', () => {
    expect(spanAt(beak, 0.3, END)).toEqual({ mode: 'open', from: 0, to: 1 });
    expect(spanAt(beak, 1.2, END)).toEqual({ mode: 'slide+', from: 1, to: 1.5 });
    expect(spanAt(beak, 1.9, END)).toEqual({ mode: 'stick', from: 1.5, to: 2 });
  });
  it('begins at a change', () => {
    expect(spanAt(beak, 1, END)?.mode).toBe('slide+');
    expect(spanAt(beak, 0, END)?.mode).toBe('open');
    expect(spanAt(beak, 2, END)?.mode).toBe('stick');
  });
  it('is none before the first', () => {
    expect(spanAt(beak, -0.1, END)).toBeNull();
    expect(spanAt({ label: '', times: new Float64Array(), modes: [] }, 0, END)).toBeNull();
  });
});

describe('the spans of a visible piece of time', () => {
  it('are cut to it', () => {
    expect(spansWithin(beak, 0.5, 1.25, END)).toEqual([
      { mode: 'open', from: 0.5, to: 1 },
      { mode: 'slide+', from: 1, to: 1.25 },
    ]);
    expect(spansWithin(beak, 1.1, 1.2, END)).toEqual([{ mode: 'slide+', from: 1.1, to: 1.2 }]);
  });
  it('are all of them in the whole run, without holes', () => {
    const spans = spansWithin(beak, 0, END, END);
    expect(spans.map((span) => span.mode)).toEqual(['open', 'slide+', 'stick']);
    spans.slice(1).forEach((span, k) => expect(span.from).toBe(spans[k].to));
    expect(spans[2].to).toBe(END);
  });
  it('are none before the run', () => {
    expect(spansWithin(beak, -2, -1, END)).toEqual([]);
  });
});

describe('bands', () => {
  const entry = (times: number[], modes: unknown[]) => [{ label: 'beak', times: encode(times), modes }];
  it('are read', () => {
    expect(readBands(entry([0, 1, 1.5], ['open', 'slide+', 'stick']), 'bands')).toEqual([beak]);
  });
  it('name what is wrong', () => {
    expect(() => readBands(entry([0], ['rolling']), 'bands')).toThrow('bands[0].modes[0] is "rolling", expected one of open');
    expect(() => readBands(entry([0, 1], ['open']), 'bands')).toThrow('bands[0] has 1 modes, but 2 times.');
    expect(() => readBands(entry([1, 1], ['open', 'stick']), 'bands')).toThrow('does not ascend at index 1');
  });
  it('have a legend of the modes that occur', () => {
    const other: Band = { label: 'foot', times: Float64Array.of(0), modes: ['closed'] };
    expect(modesOf([beak, other])).toEqual(['open', 'closed', 'stick', 'slide+']);
  });
});
