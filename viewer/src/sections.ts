/** Poincaré sections: the instants of a run at which something happens. */
import type { Impacts } from './data';
import { indexAt, LAST_RANK } from './ranges';

/** Between a sample and the next one, by this part of the way. */
export interface Passing {
  sample: number;
  alpha: number;
}

/** Where a column rises (1) or falls (-1) through a level. A jump across it is no passing: nothing lies between its two samples. */
export function crossings(times: Float64Array, values: Float64Array, level: number, direction: 1 | -1): Passing[] {
  const passings: Passing[] = [];
  for (let k = 0; k + 1 < values.length; k++) {
    const from = direction * (values[k] - level);
    const to = direction * (values[k + 1] - level);
    if (!(from < 0 && to >= 0) || !(times[k + 1] > times[k])) continue;
    passings.push({ sample: k, alpha: from / (from - to) });
  }
  return passings;
}

/** The samples after the impacts of a law. */
export function atImpacts(times: Float64Array, impacts: Impacts, law: string): Passing[] {
  const passings: Passing[] = [];
  impacts.contacts.forEach((name, k) => {
    if (name === law) passings.push({ sample: Math.max(0, indexAt(times, impacts.times[k], LAST_RANK)), alpha: 0 });
  });
  return passings;
}
