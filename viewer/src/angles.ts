/**
 * Unit quaternions among the coordinates, shown as angles: about z, then the new y, then the new x. Where the second comes close to a quarter
 * turn, the other two mean nothing, and there are the tilt of the body's z axis and the turn since the start instead.
 */
import { Column } from './column';
import type { Series, TimePanel } from './data';

const PARTS = ['qw', 'qx', 'qy', 'qz'];
const TURN = 2 * Math.PI;
/** Sine of the second angle from which on the others are not worth showing. */
const QUARTER = 0.98;

export const ANGLES_NOTE = 'orientations as yaw about z, pitch about the new y, roll about the new x; near a quarter turn of pitch as tilt of the z axis and turn since the start';

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
    const angles = anglesOf(parts.map((part) => part.values));
    for (const [name, values] of angles) series.push({ label: `${body}.${name}`, unit: 'rad', column: Column.lazy(values.length, () => values) });
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
function anglesOf([w, x, y, z]: Float64Array[]): [name: string, values: Float64Array][] {
  const n = w.length;
  const [yaw, pitch, roll, tilt, turn] = [0, 1, 2, 3, 4].map(() => new Float64Array(n));
  let steepest = 0;
  for (let k = 0; k < n; k++) {
    const size = w[k] * w[k] + x[k] * x[k] + y[k] * y[k] + z[k] * z[k];
    const sine = Math.min(1, Math.max(-1, (2 * (w[k] * y[k] - x[k] * z[k])) / size));
    steepest = Math.max(steepest, Math.abs(sine));
    yaw[k] = Math.atan2(2 * (w[k] * z[k] + x[k] * y[k]), w[k] * w[k] + x[k] * x[k] - y[k] * y[k] - z[k] * z[k]);
    pitch[k] = Math.asin(sine);
    roll[k] = Math.atan2(2 * (w[k] * x[k] + y[k] * z[k]), w[k] * w[k] - x[k] * x[k] - y[k] * y[k] + z[k] * z[k]);
    tilt[k] = 2 * Math.atan2(Math.hypot(x[k], y[k]), Math.hypot(w[k], z[k]));
    // Of the rotation from the start: its quaternion is that of the start, conjugate, times this one.
    const real = w[0] * w[k] + x[0] * x[k] + y[0] * y[k] + z[0] * z[k];
    const rest = Math.hypot(w[0] * x[k] - x[0] * w[k] - y[0] * z[k] + z[0] * y[k], w[0] * y[k] - y[0] * w[k] - z[0] * x[k] + x[0] * z[k], w[0] * z[k] - z[0] * w[k] - x[0] * y[k] + y[0] * x[k]);
    turn[k] = 2 * Math.atan2(rest, Math.abs(real));
  }
  if (steepest > QUARTER) return [['tilt', tilt], ['turn', turn]];
  for (const angle of [yaw, roll]) {
    for (let k = 1; k < n; k++) angle[k] -= TURN * Math.round((angle[k] - angle[k - 1]) / TURN);
  }
  return [['yaw', yaw], ['pitch', pitch], ['roll', roll]];
}
