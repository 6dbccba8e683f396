/** The rows of energies in the readout, taken from the panels of energies. */
import type { Column } from './column';
import type { Panel } from './data';

export interface EnergyRow {
  label: string;
  /** One for each of the runs asked for; null where it has none. */
  columns: (Column | null)[];
}

/** On the page of one run the lines of its ledger, on that of several one row per panel of energies. Only what is given at these times. */
export function energyRows(panels: readonly Panel[], times: Float64Array, runs: readonly number[]): EnergyRow[] {
  const rows: EnergyRow[] = [];
  for (const panel of panels) {
    if (panel.kind !== 'time' || !panel.id.startsWith('energy') || panel.times.values !== times) continue;
    if (panel.ofRuns) rows.push({ label: panel.title, columns: runs.map((run) => panel.series[run]?.column ?? null) });
    else if (panel.id === 'energy') for (const { label, column } of panel.series) rows.push({ label, columns: [column] });
  }
  return rows;
}
