/**
 * Reads the data of a run and checks it against version 1 of the report format.
 *
 * A report may be written by another version of the program or by a user's own script, so every
 * complaint names the place in the document and what was expected there.
 */
import type { Column } from './column';
import { array, column, explained, number, object, ReportError, show, text, type Fields } from './fields';
import { readBands, type ModesPanel } from './modes';
import { readReplays, type Replay } from './replay';

export { ReportError };

export const FORMAT = 'tippe-report';
export const VERSION = 1;

export interface Series {
  label: string;
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
  pairs: PhasePair[];
}

export type Panel = TimePanel | ModesPanel | PhasePanel;

export interface Impacts {
  /** Ascending. */
  times: Float64Array;
  contacts: string[];
}

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
  summary: { label: string; value: string }[];
  /** Empty on the page of a single run. */
  runs: Run[];
  table: Table | null;
  axes: Column[];
  panels: Panel[];
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
  const panels = readPanels(array(root.panels, 'panels'), axes, runs.length);
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
    summary: array(root.summary ?? [], 'summary').map((entry, i) => {
      const row = object(entry, `summary[${i}]`);
      return { label: text(row.label, `summary[${i}].label`), value: text(row.value, `summary[${i}].value`) };
    }),
    runs,
    table: root.table == null ? null : readRunTable(object(root.table, 'table'), runs.length),
    axes: [...axes.values()],
    panels,
    impacts: readImpacts(array(root.impacts ?? [], 'impacts')),
    events: root.events == null ? null : readEvents(object(root.events, 'events')),
    ...tryReplays(root.replays, axes, panels, runs.length),
  };
}

function tryReplays(entries: unknown, axes: Map<string, Column>, panels: Panel[], runs: number): Pick<Report, 'replays' | 'replayTrouble'> {
  const timePanels = new Map(panels.flatMap((panel) => (panel.kind === 'time' ? [[panel.id, panel]] : [])));
  try {
    return { replays: readReplays(entries, axes, timePanels, runs), replayTrouble: '' };
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
      panels.push({ kind: 'modes', id, title, times: readAxis(panel, axes, at).times, bands: readBands(panel.bands, `${at}.bands`) });
    } else if (panel.kind === 'phase') {
      const pairs: PhasePair[] = [];
      panels.push({ kind: 'phase', id, title, pairs });
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
  const series = array(panel.series, `${at}.series`).map((entry, i) => {
    const where = `${at}.series[${i}]`;
    const fields = object(entry, where);
    const values = column(fields.values, `${where}.values`);
    if (values.length !== times.length) {
      throw new ReportError(`${where}.values holds ${values.length} numbers, but the axis "${axisName}" has ${times.length}.`);
    }
    return { label: text(fields.label, `${where}.label`), column: values };
  });
  const ofRuns = panel.runs === true;
  if (ofRuns && series.length !== runs) throw new ReportError(`${at}.series has ${series.length} entries, but there are ${runs} runs.`);
  const note = text(panel.note, `${at}.note`);
  return { kind: 'time', id, title, note, unit: text(panel.unit, `${at}.unit`), log: panel.log === true, ofRuns, times, series };
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

function readImpacts(entries: unknown[]): Impacts {
  const impacts = entries.map((entry, i) => {
    const impact = object(entry, `impacts[${i}]`);
    return { time: number(impact.time, `impacts[${i}].time`), contact: text(impact.contact, `impacts[${i}].contact`) };
  });
  impacts.sort((a, b) => a.time - b.time);
  return { times: Float64Array.from(impacts, (impact) => impact.time), contacts: impacts.map((impact) => impact.contact) };
}

/** Cursor and zoom search the axes by bisection, which needs them sorted. */
function checkAscending(axis: Column, at: string): void {
  const times = explained(() => axis.values, at);
  for (let i = 0; i < times.length; i++) {
    if (!Number.isFinite(times[i])) throw new ReportError(`${at}[${i}] is not a finite time.`);
    if (i > 0 && times[i] < times[i - 1]) throw new ReportError(`${at} runs backwards at index ${i}.`);
  }
}
