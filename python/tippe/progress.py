"""Progress of a run: a bar in a terminal, a line in a notebook."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Generic, Optional, TypeVar, Union

ProgressFunction = Callable[[float, float, int], object]
"""Called some times a second with the time reached (s), the fraction done (0 to 1) and the number of steps."""

SweepProgressFunction = Callable[[int, int, int], object]
"""Called some times a second with the number of points that are done, of all, and of those that failed."""

OrbitProgressFunction = Callable[[str, float], object]
"""Called some times a second with what the search does at present, in words, and for how many seconds it has gone on."""

_QUIET = 0.2  # s: a run that is over by then shows nothing
_WIDTH = 30


class _Line:
    """One line that is rewritten, and cleared at the end."""

    def __init__(self) -> None:
        self._begin = time.monotonic()
        self._shown = False

    def show_run(self, t: float, fraction: float, steps: int) -> None:
        self._show(fraction, f"t = {t:.4g} s  {steps} steps")

    def show_sweep(self, done: int, total: int, failed: int) -> None:
        self._show(done / total, f"{done} of {total} points" + (f"  {failed} failed" if failed else ""))

    def show_orbit(self, doing: str, seconds: float) -> None:
        if seconds < _QUIET:
            return
        self.write(f"{doing} ({seconds:.0f} s)")
        self._shown = True

    def _show(self, fraction: float, words: str) -> None:
        elapsed = time.monotonic() - self._begin
        if elapsed < _QUIET:
            return
        filled = int(fraction * _WIDTH)
        left = elapsed * (1 - fraction) / fraction if fraction > 0 else 0.0
        bar = "=" * filled + " " * (_WIDTH - filled)
        self.write(f"[{bar}] {100 * fraction:3.0f} %  {words}  {left:.0f} s left")
        self._shown = True

    def close(self) -> None:
        if self._shown:
            self.clear()

    def write(self, text: str) -> None:
        print(f"\r{text}\033[K", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        print("\r\033[K", end="", file=sys.stderr, flush=True)


class _NotebookLine(_Line):
    def __init__(self, display: Any) -> None:
        super().__init__()
        self._display = display
        self._handle: Any = None

    def write(self, text: str) -> None:
        shown = {"text/plain": text}
        if self._handle is None:
            self._handle = self._display(shown, raw=True, display_id=True)
        else:
            self._handle.update(shown, raw=True)

    def clear(self) -> None:
        self._handle.update({"text/plain": ""}, raw=True)


def _notebook_display() -> Any:
    """IPython's display() if this is a notebook, else None."""
    ipython = sys.modules.get("IPython")
    if ipython is None or type(ipython.get_ipython()).__name__ != "ZMQInteractiveShell":
        return None
    from IPython.display import display

    return display


Function = TypeVar("Function", bound=Callable[..., object])


class _Progress(Generic[Function]):
    """What progress=... asks for, as a context manager: its value is the function to call, or None."""

    def __init__(self, wanted: Union[None, bool, Function]) -> None:
        self._line: Optional[_Line] = None
        self._function: Optional[Function] = None
        if callable(wanted):
            self._function = wanted
        elif wanted is not False:
            display = _notebook_display()
            if display is not None:
                self._line = _NotebookLine(display)
            elif wanted or (sys.stderr is not None and sys.stderr.isatty()):
                self._line = _Line()
            if self._line is not None:
                self._function = self._shown_by(self._line)

    def _shown_by(self, line: _Line) -> Function:
        raise NotImplementedError

    def __enter__(self) -> Optional[Function]:
        return self._function

    def __exit__(self, *_: object) -> None:
        if self._line is not None:
            self._line.close()


class Progress(_Progress[ProgressFunction]):
    """Of a run."""

    def _shown_by(self, line: _Line) -> ProgressFunction:
        return line.show_run


class SweepProgress(_Progress[SweepProgressFunction]):
    """Of many."""

    def _shown_by(self, line: _Line) -> SweepProgressFunction:
        return line.show_sweep


class OrbitProgress(_Progress[OrbitProgressFunction]):
    """Of a search for a periodic orbit."""

    def _shown_by(self, line: _Line) -> OrbitProgressFunction:
        return line.show_orbit
