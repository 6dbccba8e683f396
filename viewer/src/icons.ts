/** The signs on the buttons of the replay, drawn rather than taken from fonts, which differ. */
const SVG = 'http://www.w3.org/2000/svg';

const PATHS = {
  play: 'M4 2.5v11l9.5-5.5z',
  pause: 'M4 2.5h3v11h-3zM9.5 2.5h3v11h-3z',
  start: 'M3 3h2v10h-2zM13.5 3v10l-8-5z',
  end: 'M11 3h2v10h-2zM2.5 3v10l8-5z',
  back: 'M11 3h2v10h-2zM9.5 3.5v9l-7-4.5z',
  forward: 'M3 3h2v10h-2zM6.5 3.5v9l7-4.5z',
  loop: 'M11 2l3.5 2.75-3.5 2.75v-2h-6.5v3h-1.5v-4.5h8zM5 14l-3.5-2.75 3.5-2.75v2h6.5v-3h1.5v4.5h-8z',
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
