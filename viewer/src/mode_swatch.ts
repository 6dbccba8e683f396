/** The colour of a mode, beside its name. */
import { element } from './dom';
import type { Mode } from './modes';
import { modeVariable } from './theme';

export function modeSwatch(mode: Mode): HTMLElement {
  const swatch = element('span', { class: 'mode-swatch', 'aria-hidden': 'true' });
  swatch.style.background = `var(${modeVariable(mode)})`;
  return swatch;
}
