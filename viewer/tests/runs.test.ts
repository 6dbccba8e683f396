import { describe, expect, it } from 'vitest';
import { RunChoice, runStyles, runWidths } from '../src/runs';
import { LINE_WIDTH, seriesDash } from '../src/theme';

const run = (integrator: string, dt: number | null, shown = true) => ({ label: `${integrator}, dt = ${dt}`, integrator, dt, shown });
const colour = (style: number) => style % 8;

describe('runStyles', () => {
  it('tells integrators by colour and steps by dash, the finest step solid', () => {
    const [moreau, fineMoreau, other, fineOther] = runStyles([run('moreau', 0.01), run('moreau', 0.001), run('rk4', 0.01), run('rk4', 0.001)]);
    expect(colour(moreau)).toBe(colour(fineMoreau));
    expect(colour(other)).toBe(colour(fineOther));
    expect(colour(moreau)).not.toBe(colour(other));
    expect(seriesDash(fineMoreau)).toEqual([]);
    expect(seriesDash(fineOther)).toEqual([]);
    expect(seriesDash(moreau)).toEqual(seriesDash(other));
    expect(seriesDash(moreau)).not.toEqual([]);
  });
  it('draws a run that chooses its steps solid', () => {
    const styles = runStyles([run('rk4', 0.1), run('rk4', 0.01), run('dopri5', null)]);
    expect(seriesDash(styles[2])).toEqual([]);
  });
  it('gives every run a colour where only steps or only integrators differ', () => {
    expect(runStyles([run('moreau', 0.1), run('moreau', 0.01), run('moreau', 0.001)])).toEqual([0, 1, 2]);
    expect(runStyles([run('moreau', 0.1), run('rk4', 0.1), run('dopri5', null)])).toEqual([0, 1, 2]);
  });
  it('gives every run a colour where some differ by neither', () => {
    expect(runStyles([run('moreau', 0.1), run('moreau', 0.1), run('rk4', 0.01)])).toEqual([0, 1, 2]);
  });
  it('gives no style twice to ten integrators with two steps', () => {
    const runs = Array.from({ length: 20 }, (_, i) => run(`scheme ${i >> 1}`, i % 2 === 0 ? 0.1 : 0.01));
    const looks = runStyles(runs).map((style) => `${colour(style)} ${seriesDash(style)}`);
    expect(new Set(looks).size).toBe(20);
  });
});

describe('runWidths', () => {
  it('draws later integrators thinner, over earlier ones that agree with them', () => {
    const [first, same, second] = runWidths([run('moreau', 0.1), run('moreau', 0.01), run('rk4', 0.1)]);
    expect(first).toBe(same);
    expect(first).toBeGreaterThan(second);
    expect(second).toBeCloseTo(LINE_WIDTH);
  });
  it('keeps the lines of many runs apart from each other and thin', () => {
    const widths = runWidths(Array.from({ length: 12 }, (_, i) => run('moreau', 1 / (i + 1))));
    for (let i = 1; i < 12; i++) expect(widths[i]).toBeLessThan(widths[i - 1]);
    expect(widths[0]).toBeLessThan(4);
  });
  it('draws a single run like any curve', () => {
    expect(runWidths([run('moreau', 0.1)])).toEqual([LINE_WIDTH]);
  });
});

describe('RunChoice', () => {
  it('begins as the document says and tells changes, once each', () => {
    const choice = new RunChoice([run('moreau', 0.1), run('rk4', 0.1, false)]);
    let changes = 0;
    choice.changed.listen(() => changes++);
    expect(choice.shown).toEqual([true, false]);
    choice.show(1, true);
    choice.show(1, true);
    expect(choice.shown).toEqual([true, true]);
    expect(changes).toBe(1);
  });
});
