import { describe, expect, it } from 'vitest';
import { Column, decodeFloat64 } from '../src/column';
import { readReport, ReportError, type PhasePanel, type TimePanel } from '../src/data';
import type { ModesPanel } from '../src/modes';
import { encode } from './helpers';

function sampleDocument(): any {
  return {
    format: 'tippe-report',
    version: 1,
    title: 'Bouncing ball',
    source: 'a textbook',
    scene_file: 'ball.toml',
    scene_text: 'tippe = 1',
    program: 'tippe 0.1.0',
    integrator: 'moreau',
    dt: 1e-3,
    status: 'ok',
    message: null,
    summary: [{ label: 'steps', value: '3' }],
    axes: { samples: encode([0, 1, 2]), steps: encode([1, 2]) },
    panels: [
      {
        id: 'phase',
        title: 'Phase plots',
        kind: 'phase',
        pairs: [{ label: 'y', x_label: 'y', y_label: "y'", x: { panel: 'q', series: 0 }, y: { panel: 'u', series: 0 } }],
      },
      { id: 'q', title: 'Coordinates', kind: 'time', axis: 'samples', log: false, unit: 'm', series: [{ label: 'y', values: encode([1, NaN, 3]) }] },
      { id: 'u', title: 'Velocities', kind: 'time', axis: 'samples', log: false, unit: '', series: [{ label: "y'", values: encode([4, 5, 6]) }] },
      { id: 'r', title: 'Residual', kind: 'time', axis: 'steps', log: true, unit: '', series: [{ label: 'r', values: encode([0, 1e-12]) }] },
    ],
    impacts: [
      { time: 1.5, contact: 'wall' },
      { time: 0.5, contact: 'floor' },
    ],
  };
}

function readChanged(change: (document: any) => void) {
  const document = sampleDocument();
  change(document);
  return readReport(JSON.stringify(document));
}

/** The document of a comparison of two runs. */
function sampleComparison(): any {
  return {
    ...sampleDocument(),
    runs: [
      { label: 'moreau, dt = 0.01', integrator: 'moreau', dt: 0.01, shown: true },
      { label: 'dopri5', integrator: 'dopri5', dt: null, shown: false },
    ],
    table: { headings: ['integrator', 'steps'], rows: [['moreau', '100'], ['dopri5', '7']] },
    panels: [
      {
        id: 'energy',
        title: 'Total energy',
        kind: 'time',
        axis: 'samples',
        log: false,
        unit: '',
        runs: true,
        series: [
          { label: 'moreau, dt = 0.01', values: encode([1, 1, 1]) },
          { label: 'dopri5', values: encode([1, 2, NaN]) },
        ],
      },
    ],
  };
}

describe('columns', () => {
  it('decodes little-endian float64 exactly', () => {
    const values = [0, -0, 1, -1.5, 1e-310, Number.MAX_VALUE, Math.PI, NaN, Infinity];
    expect([...decodeFloat64(encode(values))]).toEqual(values);
    expect(Buffer.from(decodeFloat64('AAAAAAAA8D8=').buffer).toString('hex')).toBe('000000000000f03f'); // 1.0, spelled out
  });

  it('knows its length before it is decoded', () => {
    for (let length = 0; length < 7; length++) expect(new Column(encode(Array(length).fill(1))).length).toBe(length);
  });

  it('refuses a broken number', () => {
    expect(() => new Column('AAAA')).toThrow(/8-byte/);
  });
});

describe('readReport', () => {
  it('reads the note of a panel, which most panels do not have', () => {
    const report = readChanged((document) => (document.panels[2].note = 'not unique'))!;
    expect(report.panels.map((panel) => (panel.kind === 'time' ? panel.note : ''))).toEqual(['', 'not unique', '', '']);
  });

  it('reads bands of modes and events, which most runs do not have', () => {
    expect(readReport(JSON.stringify(sampleDocument()))!.events).toBeNull();
    const report = readChanged((document) => {
      document.panels.push({ id: 'modes', title: 'Modes', kind: 'modes', axis: 'samples', bands: [{ label: 'floor', times: encode([0, 1]), modes: ['open', 'closed'] }] });
      document.events = { headings: ['time', 'kind'], rows: [['0.5', 'impact']], note: '' };
    })!;
    const panel = report.panels[2] as ModesPanel;
    expect(panel.bands[0].modes).toEqual(['open', 'closed']);
    expect([...panel.times.values]).toEqual([0, 1, 2]);
    expect(report.events).toEqual({ headings: ['time', 'kind'], rows: [['0.5', 'impact']], note: '' });
    expect(() => readChanged((document) => (document.events = { headings: ['time'], rows: [['1', '2']] }))).toThrow('events.rows[0] has 2 cells');
    expect(() => readChanged((document) => document.panels.push({ id: 'm', title: '', kind: 'modes', axis: 'none', bands: [] }))).toThrow('which is not among the axes');
  });

  it('takes the placeholder for a page without a run', () => {
    expect(readReport('/*TIPPE-DATA*/null')).toBeNull();
    expect(readReport(' null ')).toBeNull();
    expect(readReport('')).toBeNull();
  });

  it('reads a whole report', () => {
    const report = readReport(JSON.stringify(sampleDocument()))!;
    expect(report.title).toBe('Bouncing ball');
    expect(report.message).toBe('');
    expect(report.summary).toEqual([{ label: 'steps', value: '3' }]);
    expect(report.panels.map((panel) => panel.id)).toEqual(['q', 'u', 'phase', 'r']); // in the order of their interest
    const coordinates = report.panels[0] as TimePanel;
    expect([...coordinates.series[0].column.values]).toEqual([1, NaN, 3]);
    expect([...coordinates.times.values]).toEqual([0, 1, 2]);
    expect((report.panels[3] as TimePanel).log).toBe(true);
  });

  it('resolves phase pairs, also from panels that follow', () => {
    const phase = readReport(JSON.stringify(sampleDocument()))!.panels[2] as PhasePanel;
    expect(phase.columns.map(({ label }) => label)).toEqual(['y', "y'"]);
    expect([...phase.pairs[0].y.values]).toEqual([4, 5, 6]);
    expect(phase.pairs[0].yLabel).toBe("y'");
  });

  it('sorts impacts with their contacts', () => {
    const { impacts } = readReport(JSON.stringify(sampleDocument()))!;
    expect([...impacts.times]).toEqual([0.5, 1.5]);
    expect(impacts.contacts).toEqual(['floor', 'wall']);
  });

  it('unescapes what the program escapes', () => {
    const json = JSON.stringify({ ...sampleDocument(), scene_text: '</script>' }).replaceAll('<', '\\u003c');
    expect(json).not.toContain('<');
    expect(readReport(json)!.sceneText).toBe('</script>');
  });

  it.each<[string, (document: ReturnType<typeof sampleDocument>) => void, RegExp]>([
    ['another format', (d) => (d.format = 'vtk'), /not a Tippe report.*"vtk".*"tippe-report"/],
    ['a newer version', (d) => (d.version = 2), /reads version 1.*version 2/],
    ['no version', (d) => delete d.version, /version missing/],
    ['no panels', (d) => delete d.panels, /panels is missing, expected a list/],
    ['an unknown kind', (d) => (d.panels[1].kind = 'pie'), /panels\[1\]\.kind is "pie"/],
    ['an unknown axis', (d) => (d.panels[1].axis = 'days'), /panels\[1\]\.axis names "days"/],
    ['a short series', (d) => (d.panels[1].series[0].values = encode([1])), /panels\[1\]\.series\[0\]\.values holds 1 numbers.*"samples" has 3/],
    ['a broken column', (d) => (d.panels[1].series[0].values = 'AAAA'), /panels\[1\]\.series\[0\]\.values is not base64/],
    ['numbers in clear', (d) => (d.axes.samples = [1, 2]), /axes\.samples is \[1,2\], expected a base64 text/],
    ['letters outside the alphabet', (d) => (d.axes.samples = '!!!!!!!!!!8='), /axes\.samples is not base64/],
    ['time running backwards', (d) => (d.axes.samples = encode([0, 2, 1])), /axes\.samples runs backwards at index 2/],
    ['a time that is NaN', (d) => (d.axes.samples = encode([0, NaN, 1])), /axes\.samples\[1\] is not a finite time/],
    ['a dangling pair', (d) => (d.panels[0].pairs[0].y.panel = 'w'), /panels\[0\]\.pairs\[0\]\.y\.panel names "w"/],
    ['a pair beyond the series', (d) => (d.panels[0].pairs[0].y.series = 7), /series is 7, but panel "u" has 1/],
    ['a pair of different axes', (d) => (d.panels[0].pairs[0].y.panel = 'r'), /different axes/],
    ['an impact without time', (d) => delete d.impacts[0].time, /impacts\[0\]\.time is missing, expected a finite number/],
  ])('explains %s', (_name, change, message) => {
    expect(() => readChanged(change)).toThrow(ReportError);
    expect(() => readChanged(change)).toThrow(message);
  });

  it('reads several runs, with their table', () => {
    const report = readReport(JSON.stringify(sampleComparison()))!;
    expect(report.runs[1]).toEqual({ label: 'dopri5', integrator: 'dopri5', dt: null, shown: false });
    expect(report.table).toEqual({ headings: ['integrator', 'steps'], rows: [['moreau', '100'], ['dopri5', '7']] });
    expect((report.panels[0] as TimePanel).ofRuns).toBe(true);
  });

  it('takes a document without runs for a single run', () => {
    const report = readReport(JSON.stringify(sampleDocument()))!;
    expect(report.runs).toEqual([]);
    expect(report.table).toBeNull();
    expect((report.panels[1] as TimePanel).ofRuns).toBe(false);
    expect((report.panels[0] as TimePanel).series[0].unit).toBe('m'); // of older reports that of the panel
  });

  it.each<[string, (document: any) => void, RegExp]>([
    ['a panel without a run', (d) => d.panels[0].series.pop(), /panels\[0\]\.series has 1 entries, but there are 2 runs/],
    ['a table without a run', (d) => d.table.rows.pop(), /table\.rows has 1 rows, but there are 2 runs/],
    ['a short row', (d) => d.table.rows[1].pop(), /table\.rows\[1\] has 1 cells, but there are 2 headings/],
    ['a step that is a text', (d) => (d.runs[0].dt = '0.01'), /runs\[0\]\.dt is "0\.01", expected a finite number/],
  ])('explains %s', (_name, change, message) => {
    const document = sampleComparison();
    change(document);
    expect(() => readReport(JSON.stringify(document))).toThrow(message);
  });

  it('explains text that is not JSON', () => {
    expect(() => readReport('{"format":')).toThrow(/not JSON/);
  });
});
