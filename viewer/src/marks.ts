/** Instants worth a look: impacts and events, on the slider and to jump between. */
import type { Report } from './data';
import { indexAt, LAST_RANK, lowerBound } from './ranges';

export function marksOf(report: Report): Float64Array {
  const events = report.events?.rows.map((cells) => Number(cells[0])).filter((time) => Number.isFinite(time)) ?? [];
  const marks = new Float64Array(report.impacts.times.length + events.length);
  marks.set(report.impacts.times);
  marks.set(events, report.impacts.times.length);
  return marks.sort();
}

/** The sample of the next mark before or after a sample, after the jump where it has one; that sample itself where there is no mark. */
export function sampleOfNextMark(marks: Float64Array, times: Float64Array, sample: number, direction: 1 | -1): number {
  let k = lowerBound(marks, times[sample]) - (direction < 0 ? 1 : 0);
  for (; k >= 0 && k < marks.length; k += direction) {
    const found = indexAt(times, marks[k], LAST_RANK);
    if (direction * (found - sample) > 0) return found;
  }
  return sample;
}
