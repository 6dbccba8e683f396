import { describe, expect, it } from 'vitest';
import { actionOf, type Focus, type ReplayActions } from '../src/keys';

/** What a key does, as text. */
function meaning(key: string, focus: Focus = 'elsewhere', shift = false, modified = false): string | null {
  let done: string | null = null;
  const note = (what: string) => () => void (done = what);
  const actions: ReplayActions = {
    toggle: note('toggle'),
    step: (direction, far) => (done = `step ${direction}${far ? ' far' : ''}`),
    faster: note('faster'),
    slower: note('slower'),
    toStart: note('start'),
    toEnd: note('end'),
    toggleLoop: note('loop'),
    frame: note('frame'),
    nextMark: (direction) => (done = `mark ${direction}`),
  };
  actionOf({ key, shift, modified }, focus, actions)?.();
  return done;
}

describe('keys', () => {
  it.each([
    [' ', 'toggle'],
    ['ArrowLeft', 'step -1'],
    ['ArrowRight', 'step 1'],
    [',', 'step -1'],
    ['.', 'step 1'],
    ['[', 'mark -1'],
    [']', 'mark 1'],
    ['+', 'faster'],
    ['=', 'faster'],
    ['-', 'slower'],
    ['Backspace', 'start'],
    ['Home', 'start'],
    ['End', 'end'],
    ['f', 'frame'],
    ['l', 'loop'],
    ['x', null],
  ])('%j means %s', (key, expected) => {
    expect(meaning(key)).toBe(expected);
  });
  it('step far with shift', () => {
    expect(meaning('ArrowRight', 'elsewhere', true)).toBe('step 1 far');
  });
  it('scroll the page up and down unless the replay has the focus', () => {
    expect(meaning('ArrowUp')).toBeNull();
    expect(meaning('ArrowUp', 'replay')).toBe('faster');
    expect(meaning('ArrowDown', 'replay')).toBe('slower');
  });
  it('belong to the field that is being typed in', () => {
    for (const key of [' ', 'ArrowLeft', 'Backspace', '.', 'f', '-', 'Home']) expect(meaning(key, 'text')).toBeNull();
  });
  it('leave the space bar to a button that was reached by keyboard', () => {
    expect(meaning(' ', 'control')).toBeNull();
    expect(meaning('ArrowLeft', 'control')).toBe('step -1');
  });
  it('leave shortcuts to the browser', () => {
    expect(meaning('f', 'elsewhere', false, true)).toBeNull();
  });
});
