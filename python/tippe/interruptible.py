"""Calls into the library that hear Ctrl-C."""

from __future__ import annotations

import atexit
import threading
import time
from typing import Any, Callable, List, Set, TypeVar

Value = TypeVar("Value")

_GRACE = 5.0  # s that the exit of the interpreter waits for calls that were left
_left: Set[threading.Thread] = set()


def interruptible(function: Callable[..., Value], *arguments: Any) -> Value:
    """function(*arguments), which may take long without Python's lock. What a signal handler raises meanwhile, KeyboardInterrupt above all, leaves
    the call at once; the computation itself goes on in a thread of its own to its end, and what it finds is dropped."""
    if threading.current_thread() is not threading.main_thread():
        return function(*arguments)  # signals are for the main thread
    found: List[Value] = []
    raised: List[BaseException] = []

    def work() -> None:
        try:
            found.append(function(*arguments))
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=work, name="tippe", daemon=True)
    thread.start()
    try:
        thread.join()
    except BaseException:
        _left.add(thread)
        raise
    if raised:
        raise raised[0]
    return found[0]


@atexit.register
def _wait_for_those_left() -> None:
    """Threads in the middle of C++ do not survive the end of the interpreter."""
    end = time.monotonic() + _GRACE
    for thread in _left:
        thread.join(max(0.0, end - time.monotonic()))
