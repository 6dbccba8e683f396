"""Ctrl-C in calls that compute without Python's lock."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any, Callable

import numpy as np
import pytest

import tippe
from tippe.interruptible import interruptible


def seconds_until_it_returns(call: Callable[[], object], after: float = 0.1) -> float:
    """From the signal on."""
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
            time.sleep(5)  # it was faster than the signal
            pytest.fail("no signal came")
        return time.monotonic() - sent[0]
    finally:
        timer.cancel()


def test_a_solver_is_left_at_once() -> None:
    rng = np.random.default_rng(1)
    A = rng.normal(size=(260, 260))
    hard = tippe.ContactProblem.from_lcp(A @ A.T / 260 - 0.2 * np.eye(260), rng.normal(size=260))  # seconds
    assert seconds_until_it_returns(lambda: tippe.solve(hard)) < 1.0


class _Slow:
    """Computes for some seconds, and hears nothing meanwhile."""

    def __getattr__(self, _: str) -> Callable[..., Any]:
        return lambda *_: time.sleep(3)


def test_questions_at_instants_are_left_at_once() -> None:
    instant = tippe.load("ladder").at()
    instant._instant = _Slow()  # type: ignore[assignment]
    assert seconds_until_it_returns(instant.analyze) < 1.0
    assert seconds_until_it_returns(instant.modes) < 1.0


def test_what_is_computed_or_raised_comes_back() -> None:
    assert interruptible(lambda x: x + 1, 2) == 3
    with pytest.raises(tippe.InputError, match="solver"):
        tippe.solve(tippe.ContactProblem.from_lcp([[1.0]], [1.0]), solver="there_is_none")
    found: list[int] = []
    other = threading.Thread(target=lambda: found.append(interruptible(lambda: 7)))
    other.start()
    other.join()
    assert found == [7]
