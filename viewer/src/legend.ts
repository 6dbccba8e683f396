/** One entry of a legend: shows colour, name and value at the cursor; a click toggles the series. */
import { element } from './dom';
import { formatValue } from './format';
import { seriesColourVariable, seriesDash } from './theme';

const SVG = 'http://www.w3.org/2000/svg';

export class LegendEntry {
  readonly node: HTMLButtonElement;
  readonly #unit: string;
  readonly #value = element('span', { class: 'legend-value' });

  constructor(label: string, style: number, shown: boolean, onToggle: () => void, unit = '') {
    this.#unit = unit === '1' || unit === '' ? '' : ` ${unit}`;
    this.node = element('button', { type: 'button', class: 'legend-entry' }, swatch(style), element('span', { class: 'legend-label' }, label), this.#value);
    this.node.title = 'Show or hide';
    this.setShown(shown);
    this.node.addEventListener('click', onToggle);
  }

  setShown(shown: boolean): void {
    this.node.setAttribute('aria-pressed', String(shown));
  }

  setValue(value: number | null): void {
    this.#value.textContent = value === null ? '' : `${formatValue(value)}${Number.isFinite(value) ? this.#unit : ''}`;
  }
}

function swatch(style: number): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'swatch');
  svg.setAttribute('viewBox', '0 0 20 8');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', 'M0 4H20');
  line.setAttribute('stroke-dasharray', seriesDash(style).join(' '));
  line.style.stroke = seriesColourVariable(style);
  svg.append(line);
  return svg;
}
