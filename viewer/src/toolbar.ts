/** The bar that stays in sight: visible span of time, cursor, impacts. */
import { element } from './dom';
import { formatForInput, formatValue } from './format';
import { nearestIndex } from './ranges';
import type { TimeView } from './view';

/** An impact is named beside the cursor when it is this close, as a fraction of the visible span. */
const NEAR = 0.004;

/** `hasImpacts`: not where several runs would each have their own. */
export function toolbar(view: TimeView, hasImpacts: boolean): HTMLElement {
  const bar = element('div', { class: 'toolbar', role: 'group', 'aria-label': 'Time range and cursor' });
  bar.append(rangeFields(view), zoomButtons(view), ...(hasImpacts ? [impactsSwitch(view)] : []), cursorReadout(view));
  return bar;
}

function rangeFields(view: TimeView): HTMLElement {
  const from = element('input', { type: 'number', step: 'any', 'aria-label': 'Start of the visible time in seconds' });
  const to = element('input', { type: 'number', step: 'any', 'aria-label': 'End of the visible time in seconds' });
  const show = () => {
    const resolution = (view.range.max - view.range.min) / 1000;
    from.value = formatForInput(view.range.min, resolution);
    to.value = formatForInput(view.range.max, resolution);
  };
  const apply = () => {
    view.zoomTo(from.valueAsNumber, to.valueAsNumber);
    show(); // what could not be shown goes back to what is
  };
  from.addEventListener('change', apply);
  to.addEventListener('change', apply);
  view.rangeChanged.listen(show);
  show();
  return element('span', { class: 'tool' }, element('span', { class: 'tool-name' }, 'Time'), from, '–', to, 's');
}

function zoomButtons(view: TimeView): HTMLElement {
  const button = (text: string, title: string, action: () => void) => {
    // A name that can be read is the name; signs get one.
    const node = element('button', { type: 'button', title, ...(/\w/.test(text) ? {} : { 'aria-label': title }) }, text);
    node.addEventListener('click', action);
    return node;
  };
  const zoomOut = button('−', 'Zoom out', () => view.zoomBy(2));
  const reset = button('Reset', 'Show the whole run', () => view.reset());
  const update = () => {
    zoomOut.disabled = !view.isZoomed;
    reset.disabled = !view.isZoomed;
  };
  view.rangeChanged.listen(update);
  update();
  return element('span', { class: 'tool' }, button('+', 'Zoom in', () => view.zoomBy(0.5)), zoomOut, reset);
}

function impactsSwitch(view: TimeView): HTMLElement {
  const count = view.impacts.times.length;
  const box = element('input', { type: 'checkbox' });
  box.checked = view.impactsShown;
  box.disabled = count === 0;
  box.addEventListener('change', () => view.showImpacts(box.checked));
  return element('label', { class: 'tool' }, box, `Impacts (${count.toLocaleString('en')})`);
}

function cursorReadout(view: TimeView): HTMLElement {
  const readout = element('output', { class: 'tool cursor-readout', 'aria-live': 'off' });
  const hint = matchMedia('(hover: none)').matches ? 'Tap a plot to read values' : 'Drag to zoom, double-click to reset';
  const show = () => {
    if (view.cursor === null) {
      readout.textContent = hint;
      return;
    }
    const impact = nearestIndex(view.impacts.times, view.cursor);
    const distance = impact < 0 ? Infinity : Math.abs(view.impacts.times[impact] - view.cursor);
    const near = view.impactsShown && distance <= NEAR * (view.range.max - view.range.min);
    const struck = near ? ` · impact ${view.impacts.contacts[impact]} at ${formatValue(view.impacts.times[impact], 9)} s` : '';
    readout.textContent = `t = ${formatValue(view.cursor, 9)} s${struck}`;
  };
  view.cursorChanged.listen(show);
  view.rangeChanged.listen(show);
  show();
  return readout;
}
