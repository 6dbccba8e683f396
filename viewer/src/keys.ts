/** The keyboard of the replay, as it is known from viewers of simulations. */
import { element } from './dom';

export interface ReplayActions {
  toggle(): void;
  step(direction: 1 | -1, far: boolean): void;
  faster(): void;
  slower(): void;
  toStart(): void;
  toEnd(): void;
  toggleLoop(): void;
  frame(): void;
  nextMark(direction: 1 | -1): void;
}

/** What a key press meant, apart from the browser's event. */
export interface KeyPress {
  key: string;
  shift: boolean;
  /** With Control, Alt or Meta it belongs to the browser. */
  modified: boolean;
}

/** Where the focus is: in a field for text, on a control reached by keyboard, inside the replay, elsewhere. */
export type Focus = 'text' | 'control' | 'replay' | 'elsewhere';

export const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['Space', 'play, pause'],
  ['← →  or  , .', 'one sample back, on'],
  ['Shift + ← →', 'a fiftieth of the visible time back, on'],
  ['[ ]', 'to the impact or event before, after'],
  ['+ −', 'faster, slower'],
  ['↑ ↓', 'faster, slower (when the replay has the focus)'],
  ['Backspace, Home', 'to the start'],
  ['End', 'to the end'],
  ['L', 'loop at the end, or stop there'],
  ['F', 'frame the whole motion'],
  ['Double click', 'follow the part there; beside all parts frame the motion'],
  ['Wheel', 'closer to the place under the pointer'],
  ['?', 'this list'],
];

const PLOT_KEYS: typeof KEYS = [
  ['+ −', 'zoom in, out'],
  ['0', 'the whole run'],
  ['Esc', 'take the cursor away'],
  ['Click', 'the replay goes there'],
  ['Drag', 'zoom to the span; double-click shows the whole run'],
];

/** The action of a key press, or null if it is none of ours. */
export function actionOf(press: KeyPress, focus: Focus, actions: ReplayActions): (() => void) | null {
  if (press.modified || focus === 'text') return null;
  switch (press.key) {
    case ' ':
      return focus === 'control' ? null : () => actions.toggle();
    case 'ArrowLeft':
    case ',':
    case '<': // comma with shift
      return () => actions.step(-1, press.shift);
    case 'ArrowRight':
    case '.':
    case '>':
      return () => actions.step(1, press.shift);
    case '[':
      return () => actions.nextMark(-1);
    case ']':
      return () => actions.nextMark(1);
    case '+':
    case '=':
      return () => actions.faster();
    case '-':
      return () => actions.slower();
    case 'ArrowUp':
      return focus === 'replay' ? () => actions.faster() : null;
    case 'ArrowDown':
      return focus === 'replay' ? () => actions.slower() : null;
    case 'Backspace':
    case 'Home':
      return () => actions.toStart();
    case 'End':
      return () => actions.toEnd();
    case 'l':
    case 'L':
      return () => actions.toggleLoop();
    case 'f':
    case 'F':
      return () => actions.frame();
    default:
      return null;
  }
}

/** Returns the function that ends listening. */
export function listenForKeys(replay: HTMLElement, actions: ReplayActions, help: HTMLDialogElement): () => void {
  // A button that was clicked keeps the focus, but the space bar then means the replay; one that was
  // reached by the Tab key is meant itself.
  let byKeyboard = false;
  const onPointer = (): void => {
    byKeyboard = false;
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') byKeyboard = true;
    if (event.defaultPrevented || help.open) return;
    const focus = focusOf(event.target, replay, byKeyboard);
    const modified = event.ctrlKey || event.altKey || event.metaKey;
    const action = event.key === '?' && focus !== 'text' && !modified ? () => help.showModal() : actionOf({ key: event.key, shift: event.shiftKey, modified }, focus, actions);
    if (action === null) return;
    event.preventDefault();
    action();
  };
  document.addEventListener('keydown', onKey);
  document.addEventListener('pointerdown', onPointer, true);
  return () => {
    document.removeEventListener('keydown', onKey);
    document.removeEventListener('pointerdown', onPointer, true);
  };
}

/** A list of all keys over the page. */
export function keyHelp(): HTMLDialogElement {
  const list = (rows: typeof KEYS) =>
    element('dl', { class: 'key-list' }, ...rows.flatMap(([keys, meaning]) => [element('dt', {}, keys), element('dd', {}, meaning)]));
  const close = element('button', { type: 'button' }, 'Close');
  const dialog = element(
    'dialog',
    { class: 'key-help', 'aria-label': 'Keys' },
    element('h2', {}, 'Keys'),
    list(KEYS),
    element('h3', {}, 'In a plot'),
    list(PLOT_KEYS),
    close,
  );
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close(); // beside the list
  });
  return dialog;
}

function focusOf(target: EventTarget | null, replay: HTMLElement, byKeyboard: boolean): Focus {
  if (!(target instanceof HTMLElement)) return 'elsewhere';
  const typed = target.closest<HTMLElement>('input, select, textarea, [contenteditable]');
  if (typed !== null && !(typed instanceof HTMLInputElement && ['checkbox', 'range', 'button'].includes(typed.type))) return 'text';
  // A slider of the options has its own arrows; the one of the time is a step of the replay.
  if (typed instanceof HTMLInputElement && typed.type === 'range' && !typed.classList.contains('scrubber')) return 'text';
  if (byKeyboard && target.closest('button, summary, a, input[type="checkbox"]') !== null) return 'control';
  return replay.contains(target) ? 'replay' : 'elsewhere';
}
