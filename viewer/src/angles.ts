/** Unit quaternions among the coordinates, shown as angles: about z, then the new y, then the new x. */
import { Column } from './column';
import type { Series, TimePanel } from './data';

const PARTS = ['qw', 'qx', 'qy', 'qz'];
const ANGLES = ['yaw', 'pitch', 'roll'] as const;
const TURN = 2 * Math.PI;

export const ANGLES_NOTE = 'orientations as yaw about z, pitch about the new y, roll about the new x';

/** The panel with three angles for the four numbers of each orientation; the same panel where there are none. */
export function foldQuaternions(panel: TimePanel): TimePanel {
  const series: Series[] = [];
  for (let k = 0; k < panel.series.length; k++) {
    const body = quaternionAt(panel.series, k);
    if (body === null) {
      series.push(panel.series[k]);
      continue;
    }
    const parts = panel.series.slice(k, k + 4).map(({ column }) => column);
    let decoded: Float64Array[] | null = null;
    const angles = () => (decoded ??= anglesOf(parts.map((part) => part.values)));
    ANGLES.forEach((name, i) => series.push({ label: `${body}.${name}`, unit: 'rad', column: Column.lazy(parts[0].length, () => angles()[i]) }));
    k += 3;
  }
  if (series.length === panel.series.length) return panel;
  return { ...panel, note: panel.note === '' ? ANGLES_NOTE : `${panel.note}; ${ANGLES_NOTE}`, series };
}

function quaternionAt(series: readonly Series[], k: number): string | null {
  const label = series[k].label;
  if (!label.endsWith('.qw')) return null;
  const body = label.slice(0, -3);
  return PARTS.every((part, i) => series[k + i]?.label === `${body}.${part}`) ? body : null;
}

/** Without jumps by whole turns. */
function anglesOf([w, x, y, z]: Float64Array[]): Float64Array[] {
  const n = w.length;
  const [yaw, pitch, roll] = ANGLES.map(() => new Float64Array(n));
  for (let k = 0; k < n; k++) {
    const size = w[k] * w[k] + x[k] * x[k] + y[k] * y[k] + z[k] * z[k];
    yaw[k] = Math.atan2(2 * (w[k] * z[k] + x[k] * y[k]), w[k] * w[k] + x[k] * x[k] - y[k] * y[k] - z[k] * z[k]);
    pitch[k] = Math.asin(Math.min(1, Math.max(-1, (2 * (w[k] * y[k] - x[k] * z[k])) / size)));
    roll[k] = Math.atan2(2 * (w[k] * x[k] + y[k] * z[k]), w[k] * w[k] - x[k] * x[k] - y[k] * y[k] + z[k] * z[k]);
  }
  for (const angle of [yaw, roll]) {
    for (let k = 1; k < n; k++) angle[k] -= TURN * Math.round((angle[k] - angle[k - 1]) / TURN);
  }
  return [yaw, pitch, roll];
}
