// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// The page of branches, without its data.
inline constexpr const char* kBranchPage = R"HTML(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Branches of periodic orbits</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { font: 15px/1.4 system-ui, sans-serif; margin: 1rem auto; max-width: 70rem; padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 1.3rem; } svg { width: 100%; height: auto; } text { font: 12px system-ui, sans-serif; fill: #222; }
.axis { stroke: #888; } .stable { fill: none; stroke-width: 2; } .unstable { fill: none; stroke-width: 2; stroke-dasharray: 6 4; }
.dots { stroke: #8886; stroke-width: 2; stroke-linecap: round; } circle.mark { stroke: #fff; cursor: pointer; fill: #b00020; } circle.hit { fill: transparent; cursor: pointer; } circle.hit:hover, circle.hit:focus { fill: #8884; outline: none; }
table { border-collapse: collapse; margin-top: 1rem; } td { padding: 0.1rem 1rem 0.1rem 0; font-variant-numeric: tabular-nums; }
</style></head><body>
<h1></h1><p><label>Over the parameter: <select></select></label> &nbsp; solid: stable, dashed: unstable; click an orbit for its numbers</p>
<svg viewBox="0 0 900 480" role="img" aria-label="Branches of periodic orbits over the parameter"></svg><div aria-live="polite"></div>
<script type="application/json">@DATA@</script>
<script>
const data = JSON.parse(document.querySelector('script').textContent), svg = document.querySelector('svg'), select = document.querySelector('select');
const colours = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00'], left = 80, right = 880, top_ = 20, bottom = 430;
document.title = data.title; document.querySelector('h1').textContent = data.title;
data.columns.forEach((name, k) => { if (k > 0 && name !== 'stable') select.add(new Option(name, k)); });
const known = data.columns.findLastIndex((name, k) => k > 5 && data.background[name]);
if (known > 0) select.value = known;
const element = (name, attributes, text) => {
  const node = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  if (text) node.textContent = text;
  svg.append(node);
  return node;
};
const range = values => { const low = Math.min(...values), high = Math.max(...values), margin = low < high ? 0.04 * (high - low) : Math.abs(low) || 1; return [low - margin, high + margin]; };
const row = (name, value) => { const tr = document.createElement('tr'); for (const text of [name, value]) { const td = document.createElement('td'); td.textContent = text; tr.append(td); } return tr; };
const tell = point => {
  const table = document.createElement('table');
  if (point.kind) table.append(row(point.kind, point.note));
  data.columns.forEach((name, k) => table.append(row(name, point.values[k])));
  table.append(row('stability', point.stability), row('multipliers', point.multipliers.map(([re, im]) => im ? `${re} ${im < 0 ? '-' : '+'} ${Math.abs(im)} i` : re).join(', ')), row('section', point.section));
  point.events.forEach((event, k) => table.append(row(k ? '' : 'events of one period', event)));
  document.querySelector('div').replaceChildren(table);
};
const draw = () => {
  svg.replaceChildren();
  const column = +select.value, all = data.branches.flatMap(branch => branch.points);
  const dots = data.background[data.columns[column]] || [], at = data.background[data.columns[0]] || [];
  const [x0, x1] = range(all.map(point => point.values[0])), [y0, y1] = range([...all.map(point => point.values[column]), ...dots.filter(Number.isFinite)]);
  const x = point => left + (point.values[0] - x0) / (x1 - x0) * (right - left), y = point => bottom - (point.values[column] - y0) / (y1 - y0) * (bottom - top_);
  for (let k = 0; k <= 5; ++k) {
    const px = left + k / 5 * (right - left), py = bottom - k / 5 * (bottom - top_);
    element('text', { x: px, y: bottom + 20, 'text-anchor': 'middle' }, (x0 + k / 5 * (x1 - x0)).toPrecision(4));
    element('text', { x: left - 8, y: py + 4, 'text-anchor': 'end' }, (y0 + k / 5 * (y1 - y0)).toPrecision(4));
  }
  const inside = dots.map((y, k) => [at[k], y]).filter(([x, y]) => x >= x0 && x <= x1 && Number.isFinite(y));
  if (inside.length) element('path', { class: 'dots', d: inside.map(([x, y]) => `M${(left + (x - x0) / (x1 - x0) * (right - left)).toFixed(1)} ${(bottom - (y - y0) / (y1 - y0) * (bottom - top_)).toFixed(1)}h0`).join('') });
  element('path', { class: 'axis', fill: 'none', d: `M${left} ${top_}V${bottom}H${right}` });
  element('text', { x: (left + right) / 2, y: bottom + 42, 'text-anchor': 'middle' }, data.columns[0]);
  data.branches.forEach((branch, b) => {
    const points = branch.points;
    for (let k = 0; k + 1 < points.length; ++k) {
      const both = points[k].stability === 'stable' && points[k + 1].stability === 'stable';
      element('path', { class: both ? 'stable' : 'unstable', stroke: colours[b % colours.length], d: `M${x(points[k])} ${y(points[k])}L${x(points[k + 1])} ${y(points[k + 1])}` });
    }
    for (const point of points) click(element('circle', { class: 'hit', cx: x(point), cy: y(point), r: 6 }), point);
    branch.marks.forEach((mark, k) => {
      click(element('circle', { class: 'mark', cx: x(mark), cy: y(mark), r: 5, tabindex: 0 }), mark);
      element('text', { x: x(mark) + 8, y: y(mark) - 6 - 14 * (k % 4) }, mark.kind);
    });
  });
};
const click = (node, point) => { node.addEventListener('click', () => tell(point)); node.addEventListener('keydown', event => { if (event.key === 'Enter') tell(point); }); };
select.addEventListener('change', draw);
draw();
</script></body></html>
)HTML";

}  // namespace tippe
