// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tippe {

/// What draws the page of a sweep. Its functions in the first part know no page.
inline constexpr const char* kSweepScript = R"JS(
const ticks = (low, high, most) => {
  const raw = (high - low) / most, power = 10 ** Math.floor(Math.log10(raw)), share = raw / power;
  const step = power * (share > 5 ? 10 : share > 2 ? 5 : share > 1 ? 2 : 1), list = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) list.push(k * step);
  return list;
};
const shown = number => +number.toPrecision(6) + '';
const range = values => {
  let low = Infinity, high = -Infinity;
  for (const value of values) if (Number.isFinite(value)) { low = Math.min(low, value); high = Math.max(high, value); }
  if (!(low <= high)) return [0, 1];
  const margin = low < high ? 0 : Math.abs(low) * 0.05 || 1;
  return [low - margin, high + margin];
};
/// How many points fall on each pixel.
const density = (xs, ys, [x0, x1], [y0, y1], width, height) => {
  const counts = new Uint32Array(width * height);
  for (let k = 0; k < xs.length; ++k) {
    const i = Math.floor((xs[k] - x0) / (x1 - x0) * (width - 1) + 0.5), j = Math.floor((y1 - ys[k]) / (y1 - y0) * (height - 1) + 0.5);
    if (i >= 0 && i < width && j >= 0 && j < height) ++counts[j * width + i];
  }
  return counts;
};
/// The value of the run that is nearest to each pixel, of a grid of runs; NaN where there is none.
const picture = (xs, ys, values, [x0, x1], [y0, y1], columns, rows) => {
  const cells = new Float64Array(columns * rows).fill(NaN);
  for (let k = 0; k < xs.length; ++k) {
    const i = columns > 1 ? Math.round((xs[k] - x0) / (x1 - x0) * (columns - 1)) : 0, j = rows > 1 ? Math.round((y1 - ys[k]) / (y1 - y0) * (rows - 1)) : 0;
    if (i >= 0 && i < columns && j >= 0 && j < rows) cells[j * columns + i] = values[k];
  }
  return cells;
};
const kinds = [[0, 114, 178], [230, 159, 0], [0, 158, 115], [204, 121, 167], [86, 180, 233], [213, 94, 0], [240, 228, 66], [110, 110, 110]];
const shade = share => {  // dark blue to yellow, of even lightness
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]], at = Math.min(Math.max(share, 0), 1) * 4, k = Math.min(Math.floor(at), 3);
  return stops[k].map((c, n) => c + (at - k) * (stops[k + 1][n] - c));
};
const paintDensity = (counts, pixels, ink) => {
  let most = 1;
  for (const count of counts) most = Math.max(most, count);
  counts.forEach((count, k) => {
    pixels[4 * k] = ink[0]; pixels[4 * k + 1] = ink[1]; pixels[4 * k + 2] = ink[2];
    pixels[4 * k + 3] = count === 0 ? 0 : 130 + 125 * Math.log(1 + count) / Math.log(1 + most);
  });
};
const paintPicture = (cells, pixels, discrete) => {
  const [low, high] = range(cells);
  cells.forEach((value, k) => {
    const known = Number.isFinite(value) && !(discrete && value < 0);
    const color = !known ? [213, 0, 0] : discrete ? kinds[value % 8] : shade((value - low) / (high - low));
    pixels.set([...color, Number.isNaN(value) ? 0 : 255], 4 * k);
  });
};
const unpack = text => {
  const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
  return new Float64Array(bytes.buffer);
};
)JS"
                                            R"JS(
if (typeof document !== 'undefined') {
  const data = JSON.parse(document.getElementById('data').textContent), byId = id => document.getElementById(id);
  const runs = data.runs.map(unpack), section = data.section.map(unpack), failed = [];
  const end = runs[data.names.indexOf('end')];
  end.forEach((e, k) => { if (data.ends[e] === 'failed' || data.ends[e] === 'refused') failed.push(k); });
  const options = [];  // what may be drawn over the first axis
  if (section.length > 0) data.sectionNames.forEach((name, c) => { if (c > 1) options.push({ label: name + ' at the section', section: c }); });
  data.names.forEach((name, c) => { if (c >= data.varied && !['end', 'reason'].includes(name)) options.push({ label: name, column: c }); });
  const select = (id, labels, chosen) => {
    byId(id).innerHTML = labels.map((label, k) => '<option value="' + k + '"></option>').join('');
    labels.forEach((label, k) => { byId(id).options[k].textContent = label; });
    byId(id).value = chosen;
    byId(id).addEventListener('change', draw);
  };
  const axes = data.names.slice(0, data.varied);
  // What people look for first: the attractors of a basin, speeds after impacts, else where the motion goes.
  const first = test => options.findIndex(test), isRate = o => o.section !== undefined && /'$|[.]v[xyz]$/.test(o.label.replace(' at the section', ''));
  const preferred = [first(o => o.label === 'attractor'), data.ofImpacts ? first(isRate) : -1, first(o => o.section !== undefined && !o.label.startsWith('t ')), 0].find(k => k >= 0);
  select('x', axes, 0);
  select('y', axes.length > 1 ? ['what is shown', ...axes.slice(1)] : ['what is shown'], axes.length > 1 && !data.sampled ? 1 : 0);
  select('value', options.map(o => o.label), preferred);
  select('form', ['points', 'histogram'], 0);
  /// What the colours of a picture mean: kinds with their shares, or the ends of the scale.
  const entry = (color, words) => {
    const node = document.createElement('span'), swatch = document.createElement('span');
    swatch.className = 'swatch'; swatch.style.background = 'rgb(' + color + ')';
    node.append(swatch, words);
    return node;
  };
  const colorsOf = (values, label) => {
    const counts = new Map(); let all = 0;
    for (const value of values) if (value >= 0) { counts.set(value, (counts.get(value) || 0) + 1); ++all; }
    return [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).slice(0, 16).map(value => {
      const name = label === 'attractor' ? data.attractors[value] || 'attractor ' + value : value > 0 ? 'period ' + value : 'no period';
      return entry(kinds[value % 8], name + ', ' + (100 * counts.get(value) / all).toPrecision(3) + ' %');
    });
  };
  const rangeOf = values => {
    const [low, high] = range(values);
    return [entry(shade(0), shown(low)), entry(shade(1), shown(high))];
  };
  const canvas = byId('plot'), left = 70, bottom = 40, top = 14, right = 24;
  let place = null;  // of what is drawn, for clicks
  function draw() {
    const scale = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight, context = canvas.getContext('2d');
    canvas.width = width * scale; canvas.height = height * scale;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    const text = getComputedStyle(document.body).color, grid = 'rgba(128, 128, 128, 0.25)', ink = kinds[0];
    const w = width - left - right, h = height - top - bottom, option = options[+byId('value').value];
    const histogram = byId('form').value === '1', second = +byId('y').value;
    const values = option.section === undefined ? runs[option.column] : section[option.section];
    const runOf = k => option.section === undefined ? k : section[0][k] / data.stride;
    const of = axis => option.section === undefined ? runs[axis] : Float64Array.from(values, (_, k) => runs[axis][section[0][k] / data.stride]);
    byId('y').disabled = histogram || option.section !== undefined;
    const asPicture = !histogram && second > 0 && option.section === undefined;
    const xs = histogram ? values : of(+byId('x').value), ys = asPicture ? runs[second] : values;
    const across = range(xs), up = histogram ? null : range(ys);
    const frame = (xRange, yRange, xName, yName) => {
      context.font = '12px system-ui, sans-serif'; context.fillStyle = text; context.strokeStyle = grid;
      context.textAlign = 'center';
      for (const t of ticks(...xRange, w / 90)) { const x = left + (t - xRange[0]) / (xRange[1] - xRange[0]) * w; context.beginPath(); context.moveTo(x, top); context.lineTo(x, top + h); context.stroke(); context.fillText(shown(t), x, top + h + 16); }
      context.textAlign = 'right';
      for (const t of ticks(...yRange, h / 50)) { const y = top + (yRange[1] - t) / (yRange[1] - yRange[0]) * h; context.beginPath(); context.moveTo(left, y); context.lineTo(left + w, y); context.stroke(); context.fillText(shown(t), left - 6, y + 4); }
      context.textAlign = 'center'; context.fillText(xName, left + w / 2, top + h + 34);
      context.save(); context.translate(14, top + h / 2); context.rotate(-Math.PI / 2); context.fillText(yName, 0, 0); context.restore();
    };
    const blit = (columns, rows, paint) => {
      const image = new ImageData(columns, rows), buffer = document.createElement('canvas');
      paint(image.data);
      buffer.width = columns; buffer.height = rows;
      buffer.getContext('2d').putImageData(image, 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(buffer, left, top, w, h);
    };
    const xName = axes[+byId('x').value];
    const discrete = option.label === 'attractor' || option.label === 'period';
    byId('colors').replaceChildren(...(asPicture && discrete ? colorsOf(values, option.label) : asPicture ? rangeOf(values) : []));
    if (histogram) {
      const bins = 80, counts = new Float64Array(bins);
      for (const value of values) if (Number.isFinite(value)) ++counts[Math.min(bins - 1, Math.floor((value - across[0]) / (across[1] - across[0]) * bins))];
      const most = Math.max(1, ...counts);
      frame(across, [0, most], option.label, 'count');
      context.fillStyle = 'rgb(' + ink + ')';
      counts.forEach((count, k) => context.fillRect(left + k * w / bins, top + h * (1 - count / most), w / bins - 1, h * count / most));
      place = null;
    } else if (asPicture) {
      const coarse = Math.ceil(Math.sqrt(data.stride)), different = column => Math.ceil(Math.min(new Set(column).size, 2000) / coarse), columns = different(xs), rows = different(ys);
      frame(across, up, xName, axes[second]);
      blit(columns, rows, pixels => paintPicture(picture(xs, ys, values, across, up, columns, rows), pixels, discrete));
      place = { xs, ys, across, up, runOf };
    } else {
      frame(across, up, xName, option.label);
      const columns = Math.round(w / 1.5), rows = Math.round(h / 1.5);  // a point is seen
      blit(columns, rows, pixels => paintDensity(density(xs, ys, across, up, columns, rows), pixels, ink));
      place = { xs, ys, across, up, runOf };
    }
    if (!histogram) {
      context.strokeStyle = '#d50000';
      for (const k of failed) {
        const x = left + (runs[+byId('x').value][k] - across[0]) / (across[1] - across[0]) * w, y = asPicture ? top + (up[1] - runs[second][k]) / (up[1] - up[0]) * h : top + h - 5;
        context.beginPath(); context.moveTo(x - 4, y - 4); context.lineTo(x + 4, y + 4); context.moveTo(x - 4, y + 4); context.lineTo(x + 4, y - 4); context.stroke();
      }
    }
    place = place && { ...place, w, h };
  }
  const tell = row => {
    const line = data.command + axes.map((name, c) => ' ' + data.option + ' ' + (/^\w+$/.test(name) ? name + '=' + runs[c][row] : '"' + name + '=' + runs[c][row] + '"')).join('');
    byId('command').textContent = line;
    byId('run').textContent = data.names.map((name, c) => name === 'end' ? 'end ' + data.ends[runs[c][row]] : name === 'reason' ? (runs[c][row] < 0 ? '' : data.reasons[runs[c][row]]) : name + ' ' + shown(runs[c][row])).filter(Boolean).join(',  ');
  };
  canvas.addEventListener('click', event => {
    if (!place) return;
    const box = canvas.getBoundingClientRect(), x = (event.clientX - box.left - left) / place.w, y = (event.clientY - box.top - top) / place.h;
    let best = -1, least = Infinity;
    for (let k = 0; k < place.xs.length; ++k) {
      const dx = (place.xs[k] - place.across[0]) / (place.across[1] - place.across[0]) - x, dy = (place.up[1] - place.ys[k]) / (place.up[1] - place.up[0]) - y;
      const d = dx * dx + (Number.isFinite(dy) ? dy * dy : 0);
      if (d < least) { least = d; best = k; }
    }
    if (best >= 0) tell(place.runOf(best));
  });
  window.addEventListener('resize', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  draw();
}
)JS";

}  // namespace tippe
