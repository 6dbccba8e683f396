import { describe, expect, it } from 'vitest';
import { chooseArrangement } from '../src/arrangement';

const span = (width: number, middle = 0) => ({ min: middle - width / 2, max: middle + width / 2 });

describe('chooseArrangement', () => {
  it('overlays series of similar range', () => {
    expect(chooseArrangement([span(1), span(19)], false)).toBe('overlaid');
  });
  it('separates series whose ranges differ by more than 20', () => {
    expect(chooseArrangement([span(1), span(21)], false)).toBe('separate');
  });
  it('separates series of similar range that lie far apart', () => {
    expect(chooseArrangement([span(1, 0), span(1, 100)], false)).toBe('separate');
  });
  it('overlays a single series', () => {
    expect(chooseArrangement([span(1)], false)).toBe('overlaid');
  });
  it('overlays more than eight series', () => {
    const series = (count: number) => Array.from({ length: count }, (_, i) => span(100 ** i));
    expect(chooseArrangement(series(8), false)).toBe('separate');
    expect(chooseArrangement(series(9), false)).toBe('overlaid');
  });
  it('does not count constant or empty series', () => {
    expect(chooseArrangement([span(1), span(0, 3), null], false)).toBe('overlaid');
  });
  it('overlays on logarithmic axes, which hold all magnitudes', () => {
    expect(chooseArrangement([span(1), span(1e9)], true)).toBe('overlaid');
  });
});
