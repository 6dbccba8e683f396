import { describe, expect, it } from 'vitest';
import { readReport, type TimePanel } from '../src/data';
import { contactsOf } from '../src/drawing';
import { energyRows } from '../src/energies';
import { encode } from './helpers';
import { comparisonDocument, pendulumDocument } from './pendulum';

const read = (document: unknown) => readReport(JSON.stringify(document))!;

describe('the replay of one run', () => {
  const report = read(pendulumDocument(200));
  const [replay] = report.replays;
  const [contact] = contactsOf(replay.drawing);
  const phi = (report.panels[0] as TimePanel).series[0].column.values;

  it('has the samples of the run', () => {
    expect(report.replayTrouble).toBe('');
    expect(replay.times.length).toBe(phi.length);
  });

  it('gives constants, coordinates and columns', () => {
    expect(replay.value(0.25, 7)).toBe(0.25);
    expect(replay.value({ q: 0 }, 7)).toBe(phi[7]);
    expect(replay.value({ c: 0 }, 7)).toBeCloseTo(Math.sin(phi[7]), 15); // a rod of length 1
  });

  it('gives the gap, and the forces with the normal first', () => {
    expect(replay.gap(contact, 0)).toBeCloseTo(Math.sin(0.9) - 0.25, 15);
    expect(replay.forces(contact, 0)).toEqual([NaN, NaN]);
    const last = replay.times.length - 1;
    expect(replay.forces(contact, last)[0]).toBeCloseTo(0.5 * 9.81 * Math.tan(Math.asin(0.25)), 12); // it leans
  });

  it('gives the impulse between two samples', () => {
    const k = replay.times.findIndex((time, i) => time === replay.times[i + 1]); // the first impact
    const u = (report.panels[1] as TimePanel).series[0].column.values;
    expect(replay.impulses(contact, k + 1)[0]).toBeCloseTo(0.5 * (u[k + 1] - u[k]), 12); // m l (u+ - u-)
    expect(replay.impulses(contact, 0)).toEqual([NaN, NaN]);
  });

  it('takes over a longer recording of the same drawing only', () => {
    const growing = read(pendulumDocument(100)).replays[0];
    const longer = read(pendulumDocument(200)).replays[0];
    expect(growing.adopt(longer)).toBe(true);
    expect(growing.times.length).toBe(longer.times.length);
    const other = pendulumDocument(200);
    other.replays[0].drawing.primitives.pop();
    expect(growing.adopt(read(other).replays[0])).toBe(false);
  });
});

describe('contacts that were found', () => {
  const withContacts = (contacts: object) => {
    const document = pendulumDocument(50) as { replays: Record<string, unknown>[] };
    document.replays[0].contacts = contacts;
    return read(document);
  };
  const { times } = read(pendulumDocument(50)).replays[0];
  const last = times.findIndex((time, k) => k > 0 && time > times[k - 1]);
  // One at the sample before that, two at it, then none.
  const start = Array.from({ length: times.length + 1 }, (_, k) => (k < last ? 0 : k === last ? 1 : 3));
  const numbers = encode([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const contacts = { start: encode(start), at: numbers, normal: numbers, impulse: numbers };

  it('are those of their sample, with forces from impulses', () => {
    const [replay] = withContacts(contacts).replays;
    expect(replay.mostFound).toBe(2);
    expect(replay.found(last + 1).count).toBe(0);
    const found = replay.found(last);
    expect(found.count).toBe(2);
    expect([...found.at]).toEqual([4, 5, 6, 7, 8, 9]);
    const dt = replay.times[last] - replay.times[last - 1];
    expect(found.force[0]).toBeCloseTo(4 / dt, 12);
  });

  it('must be counted for every sample', () => {
    expect(withContacts({ ...contacts, start: encode([0, 3]) }).replayTrouble).toContain('start');
    expect(withContacts({ ...contacts, at: encode([1, 2]) }).replayTrouble).toContain('at holds 2 numbers');
  });
});

describe('the replays of a comparison', () => {
  const report = read(comparisonDocument(200));
  it('take their coordinates from the panels of single quantities', () => {
    const panel = report.panels[1] as TimePanel;
    expect(report.replays.map((replay) => replay.value({ q: 0 }, 150))).toEqual(panel.series.map((series) => series.column.values[150]));
    expect(report.replays.map((replay) => replay.label)).toEqual(['restitution 0.6', 'restitution 0.4']);
  });
  it('know neither gaps nor forces', () => {
    const [contact] = contactsOf(report.replays[0].drawing);
    expect(report.replays[0].gap(contact, 3)).toBeNaN();
    expect(report.replays[0].forces(contact, 3)).toEqual([NaN, NaN]);
    expect(report.replays[0].hasForces(contact)).toBe(false);
  });
});

describe('a broken replay', () => {
  it.each<[string, (replay: any, document: any) => void, string]>([
    ['an unknown axis', (r) => (r.axis = 'days'), 'replays[0].axis names "days"'],
    ['a short column', (r) => (r.columns[1] = encode([1])), 'replays[0].columns[1] holds 1 numbers, but the axis "samples" has 200.'],
    ['a drawing without its columns', (r) => (r.columns = []), 'but there are 0 columns of the drawing'],
    ['a series beyond the last', (r) => (r.q = [{ panel: 'q', series: 4 }]), 'replays[0].q[0] is 4, but there are 1 series in panel "q".'],
    ['a panel with other times', (_, d) => ((d.axes.other = d.axes.samples), (d.panels[2].axis = 'other')), 'gap[0] refers to panel "gap", which has another axis'],
    ['an unknown panel', (r) => (r.q = [{ panel: 'w', series: 0 }]), 'replays[0].q[0] names panel "w"'],
    ['a run beyond the last', (r) => (r.run = 1), 'replays[0].run is 1, but there are 1 runs.'],
    ['two clocks', (r, d) => ((d.axes.other = d.axes.samples), d.replays.push({ ...r, axis: 'other', q: [], gap: [], force: [], impulse: [], drawing: { version: 1, space: 'plane', primitives: [] } })), 'replays[1].axis differs from that of the first'],
    ['no drawing', (r) => delete r.drawing, 'replays[0].drawing is missing, expected an object.'],
  ])('says so and leaves the plots: %s', (_name, change, message) => {
    const document = pendulumDocument(200);
    change(document.replays[0], document);
    const report = read(document);
    expect(report.replays).toEqual([]);
    expect(report.replayTrouble).toContain(message);
    expect(report.panels.length).toBe(7);
  });
});

describe('energyRows', () => {
  it('lists the ledger of one run', () => {
    const report = read(pendulumDocument(200));
    expect(energyRows(report.panels, report.replays[0].times, [0]).map((row) => row.label)).toEqual(['kinetic', 'potential', 'total', 'lost in contacts']);
  });
  it('has one column for each run of a comparison', () => {
    const report = read(comparisonDocument(200));
    const [row] = energyRows(report.panels, report.replays[0].times, [1, 0]);
    const { series } = report.panels[0] as TimePanel;
    expect(row).toEqual({ label: 'Total energy', columns: [series[1].column, series[0].column] });
  });
  it('leaves out what has other times', () => {
    const report = read(pendulumDocument(200));
    expect(energyRows(report.panels, new Float64Array(200), [0])).toEqual([]);
  });
});
