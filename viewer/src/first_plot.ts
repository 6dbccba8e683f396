/** The plot that comes first: what the scene itself calls its quantities, or the few coordinates that move most. */
import { chooseUnits } from './units';
import type { Report, Series, TimePanel } from './data';
import { finiteRange } from './ranges';

export const MOST_CURVES = 8;
/** Of coordinates, where the scene says nothing. */
const MOST_OF_A_UNIT = 4;
/** What moves less than this, of what moves most in the same unit, is left out. */
const LITTLE = 0.05;
/** Of the largest number in the same unit, and of a radian: less is no motion, but settling and round-off. */
const STILL = 1e-4;

/** Null where there is nothing over time. */
export function firstPlot(report: Report): TimePanel | null {
  if (report.runs.length > 0) return null;
  const find = (id: string) => report.panels.find((panel): panel is TimePanel => panel.kind === 'time' && panel.id === id);
  const quantities = find('quantity');
  const coordinates = find('q');
  // Momenta of bodies, which the program adds, are for those who look for them.
  const own = quantities === undefined ? [] : quantities.series.filter(({ label }) => !/^(angular_)?momentum\./.test(label));
  const moving = (panel: TimePanel | undefined) => (panel === undefined || panel.times.length === 0 ? [] : panel.series.filter(({ column }) => span(column.values) > 0));
  if (quantities !== undefined && own.some((one) => moving(quantities).includes(one))) return chosen(quantities, own.length <= MOST_CURVES ? own : mostMoving(moving(quantities).filter((one) => own.includes(one)), MOST_CURVES));
  if (coordinates === undefined || coordinates.times.length === 0 || coordinates.series.length === 0) return null;
  const groups = chooseUnits(coordinates.series).map(({ unit, series }) => {
    const least = STILL * Math.max(unit === 'rad' ? 1 : 0, ...series.map(({ column }) => largest(column.values)));
    return mostMoving(series.filter(({ column }) => span(column.values) > least), MOST_OF_A_UNIT);
  });
  // Pure numbers are switches: of interest where nothing else moves.
  const few = groups.filter(([first]) => first !== undefined && first.unit !== '1').flat();
  const any = few.length > 0 ? few : groups.flat();
  return chosen(coordinates, any.length > 0 ? any.slice(0, MOST_CURVES) : coordinates.series.slice(0, MOST_OF_A_UNIT));
}

function chosen(panel: TimePanel, series: readonly Series[]): TimePanel {
  const isAll = series.length === panel.series.length;
  const words = panel.id === 'quantity' ? 'quantities of the scene' : 'coordinates that move most';
  const left = isAll ? '' : `${series.length} of ${panel.series.length} ${words}`;
  return { ...panel, id: 'first', title: panel.id === 'quantity' ? 'Quantities' : 'Coordinates', note: left, series: panel.series.filter((one) => series.includes(one)) };
}

function mostMoving(series: readonly Series[], most: number): Series[] {
  const spans = new Map(series.map((one) => [one, span(one.column.values)]));
  const widest = Math.max(...spans.values());
  return [...series]
    .filter((one) => spans.get(one)! >= LITTLE * widest)
    .sort((a, b) => spans.get(b)! - spans.get(a)!)
    .slice(0, most);
}

function span(values: Float64Array): number {
  const range = finiteRange(values);
  return range === null ? 0 : range.max - range.min;
}

function largest(values: Float64Array): number {
  const range = finiteRange(values);
  return range === null ? 0 : Math.max(Math.abs(range.min), Math.abs(range.max));
}
