/** Drag, wheel and pinch over an element, told as moves and zooms in its CSS pixels. */

export interface GestureListener {
  pan(dx: number, dy: number): void;
  zoom(factor: number, x: number, y: number): void;
  doubleClick(x: number, y: number): void;
}

/** Zoom per pixel of the wheel; lines and pages count as so many pixels. */
const WHEEL_RATE = 0.0015;
const WHEEL_UNITS = [1, 18, 400];

/** Returns the function that stops listening. */
export function watchGestures(element: HTMLElement, listener: GestureListener): () => void {
  const pointers = new Map<number, { x: number; y: number }>();
  const place = (event: MouseEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  const down = (event: PointerEvent) => {
    pointers.set(event.pointerId, place(event));
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = place(event);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    if (other === undefined) {
      listener.pan(now.x - before.x, now.y - before.y);
      return;
    }
    // The middle of the two fingers carries the plane along, their distance stretches it.
    listener.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    const stretch = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
    if (stretch > 0) listener.zoom(stretch, (now.x + other.x) / 2, (now.y + other.y) / 2);
  };
  const up = (event: PointerEvent) => pointers.delete(event.pointerId);
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const { x, y } = place(event);
    // Trackpads tell a pinch as a wheel with the control key, in small steps.
    const rate = event.ctrlKey ? 6 * WHEEL_RATE : WHEEL_RATE;
    listener.zoom(Math.exp(-rate * event.deltaY * WHEEL_UNITS[event.deltaMode]), x, y);
  };
  const doubleClick = (event: MouseEvent) => {
    const { x, y } = place(event);
    listener.doubleClick(x, y);
  };

  element.addEventListener('pointerdown', down);
  element.addEventListener('pointermove', move);
  element.addEventListener('pointerup', up);
  element.addEventListener('pointercancel', up);
  element.addEventListener('wheel', wheel, { passive: false });
  element.addEventListener('dblclick', doubleClick);
  return () => {
    element.removeEventListener('pointerdown', down);
    element.removeEventListener('pointermove', move);
    element.removeEventListener('pointerup', up);
    element.removeEventListener('pointercancel', up);
    element.removeEventListener('wheel', wheel);
    element.removeEventListener('dblclick', doubleClick);
  };
}
