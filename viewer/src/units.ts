/** Series by their units: those of one unit share an axis. */

export interface UnitGroup<One> {
  unit: string;
  series: One[];
}

/** In the order in which the units come first. */
export function chooseUnits<One extends { unit: string }>(series: readonly One[]): UnitGroup<One>[] {
  const groups = new Map<string, One[]>();
  for (const one of series) groups.set(one.unit, [...(groups.get(one.unit) ?? []), one]);
  return [...groups].map(([unit, members]) => ({ unit, series: members }));
}

/** "m/s^2" as it is printed: "m/s²". */
export function unitText(unit: string): string {
  return unit.replace(/\^2/g, '²').replace(/\^3/g, '³').replace(/(?<=[A-Za-z]) (?=[A-Za-z])/g, '\u2009');
}
