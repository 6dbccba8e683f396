/** What is drawn besides the bodies: switches and the length of the force arrows. */
import { element } from './dom';
import { formatValue } from './format';
import { Signal } from './signal';
import { DEFAULT_OPTIONS, type StageOptions } from './stage/types';

type Switch = Exclude<keyof StageOptions, 'forceScale'>;

const CONTACT_SWITCHES: readonly (readonly [Switch, string, string])[] = [
  ['forces', 'Forces', 'Contact forces on the first partner, mean since the sample before; broad arrows are impulses of impacts'],
  ['cones', 'Cones', 'Friction cones'],
  ['normals', 'Normals', 'Normals, and points of open contacts'],
];
const SWITCHES: readonly (readonly [Switch, string, string])[] = [
  ['trails', 'Trails', 'Paths of the bodies until now'],
  ['names', 'Names', 'Names of bodies and contacts'],
];

/** The slider moves by powers of ten. */
const WIDEST_SCALE = 1.5;

export class ReplayOptions {
  readonly changed = new Signal();
  readonly values: StageOptions = { ...DEFAULT_OPTIONS };

  set(change: Partial<StageOptions>): void {
    Object.assign(this.values, change);
    this.changed.emit();
  }
}

export function optionControls(options: ReplayOptions, hasContacts: boolean): HTMLElement[] {
  const switches = (hasContacts ? [...CONTACT_SWITCHES, ...SWITCHES] : SWITCHES).map(([key, label, title]) => {
    const box = element('input', { type: 'checkbox' });
    box.checked = options.values[key];
    box.addEventListener('change', () => options.set({ [key]: box.checked }));
    return element('label', { class: 'tool', title }, box, label);
  });
  return hasContacts ? [...switches, scaleSlider(options)] : switches;
}

function scaleSlider(options: ReplayOptions): HTMLElement {
  const limit = String(WIDEST_SCALE);
  const slider = element('input', { type: 'range', class: 'scale', min: `-${limit}`, max: limit, step: '0.05', 'aria-label': 'Length of the force arrows' });
  const factor = element('output', { class: 'scale-value' });
  const show = () => {
    slider.value = String(Math.log10(options.values.forceScale));
    factor.textContent = `×${formatValue(options.values.forceScale, 2)}`;
    slider.setAttribute('aria-valuetext', `times ${formatValue(options.values.forceScale, 2)}`);
  };
  slider.addEventListener('input', () => options.set({ forceScale: 10 ** slider.valueAsNumber }));
  slider.addEventListener('dblclick', () => options.set({ forceScale: 1 }));
  options.changed.listen(show);
  show();
  return element('label', { class: 'tool', title: 'Length of the force arrows; double-click for the automatic length' }, 'Arrows', slider, factor);
}
