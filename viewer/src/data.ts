/**
 * Reads the data of a run and checks it against version 1 of the report format.
 *
 * A report may be written by another version of the program or by a user's own script, so every
 * complaint names the place in the document and what was expected there.
 */
import type { Column } from './column';
import { array, column, explained, number, object, ReportError, show, text, type Fields } from './fields';
import { foldQuaternions } from './angles';
import { forcePanel, impactPanel, modesPanel, readImpacts, readLaws, type Impacts, type Law } from './laws';
import { readBands, type ModesPanel } from './modes';
import { readReplays, type Replay } from './replay';

export { ReportError };

export const FORMAT = 'tippe-report';
export const VERSION = 1;

export type { Impacts, Law };

export interface Series {
  label: string;
  /** Empty if nothing is known. */
  unit: string;
  column: Column;
}

export interface TimePanel {
  kind: 'time';
  id: string;
  title: string;
  /** What the reader must know of the numbers; empty if nothing. */
  note: string;
  unit: string;
  log: boolean;
  /** Whether the series are one quantity of all runs, in their order. */
  ofRuns: boolean;
  /** Few values far above all others do not squeeze these. */
  robust?: boolean;
  /** Values at instants, drawn as stems. */
  stems?: boolean;
  times: Column;
  series: Series[];
}

export interface PhasePair {
  label: string;
  xLabel: string;
  yLabel: string;
  times: Column;
  x: Column;
  y: Column;
}

export interface PhasePanel {
  kind: 'phase';
  id: string;
  title: string;
  /** What comes first to mind: a coordinate and its velocity. */
  pairs: PhasePair[];
  /** All that can be drawn over each other, at the times of the samples. */
  columns: Series[];
  times: Column | null;
}

export type Panel = TimePanel | ModesPanel | PhasePanel;

/** One of several runs that a page compares. */
export interface Run {
  label: string;
  integrator: string;
  /** Null if the integrator chooses its steps. */
  dt: number | null;
  /** False for one that would squeeze all others out of sight, until the reader asks for it. */
  shown: boolean;
}

export interface Table {
  headings: string[];
  rows: string[][];
}

/** What happened at instants, as text; the first cell of a row is its time. */
export interface EventTable extends Table {
  /** What is left out; empty if nothing. */
  note: string;
}

export interface Outcome {
  tone: 'good' | 'look' | 'bad';
  sentences: string[];
}

export interface Report {
  title: string;
  source: string;
  sceneFile: string;
  sceneText: string;
  program: string;
  integrator: string;
  dt: number | null;
  status: string;
  message: string;
  /** What to know before the numbers; null in older reports and comparisons. */
  outcome: Outcome | null;
  summary: { label: string; value: string }[];
  /** Empty on the page of a single run. */
  runs: Run[];
  table: Table | null;
  axes: Column[];
  panels: Panel[];
  laws: Law[];
  impacts: Impacts;
  /** Null for integrators that do not look for events. */
  events: EventTable | null;
  /** One per run that has a drawing; they share one axis of times. */
  replays: Replay[];
  /** Why the drawings cannot be shown; empty if they can. They must not take the plots with them. */
  replayTrouble: string;
}

/** Returns null when the page still holds the placeholder, that is, when no run was written to it. */
export function readReport(text: string): Report | null {
  const document = parseDocument(text);
  return document === null ? null : checkReport(document);
}

/** The JSON in a page; null for the placeholder. */
export function parseDocument(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === 'null' || trimmed.startsWith('/*')) return null;
  try {
    return JSON.parse(trimmed);
  } catch (error) {
    throw new ReportError(`The data in this page are not JSON: ${(error as Error).message}`);
  }
}

export function checkReport(document: unknown): Report {
  const root = object(document, 'the document');
  if (root.format !== FORMAT) {
    throw new ReportError(`The data in this page are not a Tippe report: "format" is ${show(root.format)}, expected "${FORMAT}".`);
  }
  if (root.version !== VERSION) {
    throw new ReportError(
      `This page reads version ${VERSION} of the report format, but the data have version ${show(root.version)}. ` +
        'Write the report again with the program this page belongs to.',
    );
  }

  const axes = new Map<string, Column>();
  for (const [name, encoded] of Object.entries(object(root.axes, 'axes'))) {
    const axis = column(encoded, `axes.${name}`);
    checkAscending(axis, `axes.${name}`);
    axes.set(name, axis);
  }

  const runs = readRuns(array(root.runs ?? [], 'runs'));
  const laws = readLaws(root.laws);
  const impacts = readImpacts(root.impacts, laws);
  const panels = addDerived(readPanels(array(root.panels, 'panels'), axes, runs.length), impacts, laws);
  return {
    title: text(root.title, 'title') || 'Untitled run',
    source: text(root.source, 'source'),
    sceneFile: text(root.scene_file, 'scene_file'),
    sceneText: text(root.scene_text, 'scene_text'),
    program: text(root.program, 'program'),
    integrator: text(root.integrator, 'integrator'),
    dt: root.dt == null ? null : number(root.dt, 'dt'),
    status: text(root.status, 'status'),
    message: text(root.message, 'message'),
    outcome: root.outcome == null ? null : readOutcome(object(root.outcome, 'outcome')),
    summary: array(root.summary ?? [], 'summary').map((entry, i) => {
      const row = object(entry, `summary[${i}]`);
      return { label: text(row.label, `summary[${i}].label`), value: text(row.value, `summary[${i}].value`) };
    }),
    runs,
    table: root.table == null ? null : readRunTable(object(root.table, 'table'), runs.length),
    axes: [...axes.values()],
    panels: arranged(panels),
    laws,
    impacts,
    events: root.events == null ? null : readEvents(object(root.events, 'events')),
    ...tryReplays(root.replays, axes, panels, runs.length, impacts),
  };
}

/** Forces, impulses of impacts and modes, where the report leaves them to be found from the impulses. */
function addDerived(panels: Panel[], impacts: Impacts, laws: Law[]): Panel[] {
  const find = (id: string) => panels.find((panel) => panel.id === id);
  const impulse = find('impulse');
  if (impulse?.kind !== 'time' || impulse.ofRuns || find('force') !== undefined) return panels;
  const modes = find('modes') === undefined ? modesPanel(impulse, laws) : null;
  const struck = impactPanel(impacts, laws, impulse.series.map(({ unit }) => unit));
  return [...panels, forcePanel(impulse, impacts, laws), ...(struck === null ? [] : [struck]), ...(modes === null ? [] : [modes])];
}

/** What comes first; all others follow as they stand. */
const ORDER = ['quantity', 'q', 'u', 'gap', 'modes', 'force', 'impact', 'energy', 'phase', 'constraint_force', 'control_force', 'constraint_position', 'constraint_velocity', 'impulse', 'residual'];

function arranged(panels: Panel[]): Panel[] {
  const place = ({ id }: Panel) => (ORDER.indexOf(id) + ORDER.length + 1) % (ORDER.length + 1);
  // Of runs that are compared the errors come first.
  if (panels.some((panel) => panel.kind === 'time' && panel.ofRuns)) return [...panels.filter(({ id }) => id === 'deviation'), ...panels.filter(({ id }) => id !== 'deviation')];
  const shown = panels.map((panel) => (panel.kind === 'time' && panel.id === 'q' ? foldQuaternions(panel) : panel));
  const order = new Map(shown.map((panel) => [panel, ORDER.includes(panel.id) ? place(panel) : ORDER.length]));
  shown.sort((a, b) => order.get(a)! - order.get(b)!);
  for (const panel of shown) if (panel.kind === 'phase') addColumns(panel, shown);
  return shown;
}

function addColumns(phase: PhasePanel, panels: Panel[]): void {
  const times = panels.find((panel): panel is TimePanel => panel.kind === 'time' && panel.id === 'q')?.times ?? null;
  phase.times = times;
  const seen = new Set<string>();
  for (const panel of panels) {
    if (panel.kind !== 'time' || panel.log || panel.stems || panel.times !== times || panel.id === 'impulse') continue;
    for (const series of panel.series) {
      const label = seen.has(series.label) ? `${series.label} (${panel.title.toLowerCase()})` : series.label;
      seen.add(label);
      phase.columns.push({ ...series, label });
    }
  }
}

function readOutcome(fields: Fields): Outcome {
  const tone = text(fields.tone, 'outcome.tone');
  return { tone: tone === 'good' || tone === 'bad' ? tone : 'look', sentences: array(fields.sentences, 'outcome.sentences').map((entry, i) => text(entry, `outcome.sentences[${i}]`)) };
}

function tryReplays(entries: unknown, axes: Map<string, Column>, panels: Panel[], runs: number, impacts: Impacts): Pick<Report, 'replays' | 'replayTrouble'> {
  const timePanels = new Map(panels.flatMap((panel) => (panel.kind === 'time' ? [[panel.id, panel]] : [])));
  try {
    const replays = readReplays(entries, axes, timePanels, runs);
    if (runs === 0) for (const replay of replays) replay.watchImpacts(impacts);
    return { replays, replayTrouble: '' };
  } catch (error) {
    return { replays: [], replayTrouble: (error as Error).message };
  }
}

function readRuns(entries: unknown[]): Run[] {
  return entries.map((entry, i) => {
    const run = object(entry, `runs[${i}]`);
    return {
      label: text(run.label, `runs[${i}].label`),
      integrator: text(run.integrator, `runs[${i}].integrator`),
      dt: run.dt == null ? null : number(run.dt, `runs[${i}].dt`),
      shown: run.shown !== false,
    };
  });
}

function readRunTable(fields: Fields, runs: number): Table {
  const table = readTable(fields, 'table');
  if (table.rows.length !== runs) throw new ReportError(`table.rows has ${table.rows.length} rows, but there are ${runs} runs.`);
  return table;
}

function readEvents(fields: Fields): EventTable {
  return { ...readTable(fields, 'events'), note: text(fields.note, 'events.note') };
}

function readTable(table: Fields, at: string): Table {
  const headings = array(table.headings, `${at}.headings`).map((entry, i) => text(entry, `${at}.headings[${i}]`));
  const rows = array(table.rows, `${at}.rows`).map((entry, i) => {
    const cells = array(entry, `${at}.rows[${i}]`).map((cell, j) => text(cell, `${at}.rows[${i}][${j}]`));
    if (cells.length !== headings.length) throw new ReportError(`${at}.rows[${i}] has ${cells.length} cells, but there are ${headings.length} headings.`);
    return cells;
  });
  return { headings, rows };
}

function readPanels(entries: unknown[], axes: Map<string, Column>, runs: number): Panel[] {
  const panels: Panel[] = [];
  const timePanels = new Map<string, TimePanel>();
  const unresolved: (() => void)[] = [];

  entries.forEach((entry, i) => {
    const at = `panels[${i}]`;
    const panel = object(entry, at);
    const id = text(panel.id, `${at}.id`);
    const title = text(panel.title, `${at}.title`);
    if (panel.kind === 'time') {
      const timePanel = readTimePanel(panel, id, title, axes, runs, at);
      timePanels.set(id, timePanel);
      panels.push(timePanel);
    } else if (panel.kind === 'modes') {
      panels.push({ kind: 'modes', id, title, note: text(panel.note, `${at}.note`), times: readAxis(panel, axes, at).times, bands: readBands(panel.bands, `${at}.bands`) });
    } else if (panel.kind === 'phase') {
      const pairs: PhasePair[] = [];
      panels.push({ kind: 'phase', id, title, pairs, columns: [], times: null });
      // A phase panel may stand before the panels it draws from.
      unresolved.push(() => {
        array(panel.pairs, `${at}.pairs`).forEach((pair, j) => pairs.push(readPair(pair, timePanels, `${at}.pairs[${j}]`)));
      });
    } else {
      throw new ReportError(`${at}.kind is ${show(panel.kind)}, expected "time", "modes" or "phase".`);
    }
  });

  for (const resolve of unresolved) resolve();
  return panels;
}

function readAxis(panel: Fields, axes: Map<string, Column>, at: string): { axisName: string; times: Column } {
  const axisName = text(panel.axis, `${at}.axis`);
  const times = axes.get(axisName);
  if (times === undefined) throw new ReportError(`${at}.axis names "${axisName}", which is not among the axes.`);
  return { axisName, times };
}

function readTimePanel(panel: Fields, id: string, title: string, axes: Map<string, Column>, runs: number, at: string): TimePanel {
  const { axisName, times } = readAxis(panel, axes, at);
  const unit = text(panel.unit, `${at}.unit`);
  const series = array(panel.series, `${at}.series`).map((entry, i) => {
    const where = `${at}.series[${i}]`;
    const fields = object(entry, where);
    const values = column(fields.values, `${where}.values`);
    if (values.length !== times.length) {
      throw new ReportError(`${where}.values holds ${values.length} numbers, but the axis "${axisName}" has ${times.length}.`);
    }
    return { label: text(fields.label, `${where}.label`), unit: text(fields.unit, `${where}.unit`) || unit, column: values };
  });
  const ofRuns = panel.runs === true;
  if (ofRuns && series.length !== runs) throw new ReportError(`${at}.series has ${series.length} entries, but there are ${runs} runs.`);
  const note = text(panel.note, `${at}.note`);
  return { kind: 'time', id, title, note, unit, log: panel.log === true, ofRuns, times, series };
}

function readPair(entry: unknown, timePanels: Map<string, TimePanel>, at: string): PhasePair {
  const pair = object(entry, at);
  const x = resolveReference(pair.x, timePanels, `${at}.x`);
  const y = resolveReference(pair.y, timePanels, `${at}.y`);
  if (x.times !== y.times) throw new ReportError(`${at} joins two series with different axes.`);
  return {
    label: text(pair.label, `${at}.label`),
    xLabel: text(pair.x_label, `${at}.x_label`),
    yLabel: text(pair.y_label, `${at}.y_label`),
    times: x.times,
    x: x.column,
    y: y.column,
  };
}

function resolveReference(entry: unknown, timePanels: Map<string, TimePanel>, at: string): { times: Column; column: Column } {
  const reference = object(entry, at);
  const panel = timePanels.get(text(reference.panel, `${at}.panel`));
  if (panel === undefined) throw new ReportError(`${at}.panel names ${show(reference.panel)}, which is not a time panel.`);
  const series = panel.series[number(reference.series, `${at}.series`)];
  if (series === undefined) {
    throw new ReportError(`${at}.series is ${show(reference.series)}, but panel "${panel.id}" has ${panel.series.length} series.`);
  }
  return { times: panel.times, column: series.column };
}

/** Cursor and zoom search the axes by bisection, which needs them sorted. */
function checkAscending(axis: Column, at: string): void {
  const times = explained(() => axis.values, at);
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(times[i])) throw new ReportError(`${at}[${i}] is not a finite time.`);
    if (i > 0 && times[i] < times[i - 1]) throw new ReportError(`${at} runs backwards at index ${i}.`);
  }
}
