"""Progress, Ctrl-C, threads."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pytest

import tippe
from systems import falling_ball, long_run

HERE = pathlib.Path(__file__).parent


def test_a_function_sees_the_progress_and_may_end_the_run() -> None:
    class Enough(Exception):
        pass

    seen: list[tuple[float, float, int]] = []

    def look(t: float, fraction: float, steps: int) -> None:
        seen.append((t, fraction, steps))
        if len(seen) == 3:
            raise Enough

    with pytest.raises(Enough) as caught:
        long_run().run(progress=look)
    run = caught.value.run  # type: ignore[attr-defined]
    assert len(seen) == 3 and run.status == "interrupted"
    t, fraction, steps = seen[-1]
    assert fraction == pytest.approx(t / 1e4) and steps == pytest.approx(t / 1e-6)
    assert run.summary.time >= t


def test_ctrl_c_ends_a_run_and_keeps_what_was_computed(tmp_path: pathlib.Path) -> None:
    code = """
import sys, tippe
from systems import long_run
try:
    long_run().run(progress=lambda t, fraction, steps: print("running", flush=True), record=sys.argv[1])
except KeyboardInterrupt as stopped:
    print(stopped.run.status, stopped.run.t[-1] > 0)
"""
    file = str(tmp_path / "long.h5")
    process = subprocess.Popen([sys.executable, "-c", code, file], stdout=subprocess.PIPE, cwd=HERE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "running\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[0].splitlines()[-1] == "interrupted True"
    assert tippe.open(file).status == "interrupted"


def test_a_recording_can_be_read_while_its_run_goes_on(tmp_path: pathlib.Path) -> None:
    class Enough(Exception):
        pass

    file = tmp_path / "long.h5"
    seen: list[tippe.Run] = []

    def look(t: float, fraction: float, steps: int) -> None:
        if file.exists():
            seen.append(tippe.open(file))
            if seen[-1].summary.steps > 0:
                raise Enough

    with pytest.raises(Enough) as caught:
        long_run().run(progress=look, record=file)
    early, whole = seen[-1], caught.value.run  # type: ignore[attr-defined]
    assert early.status == "running" and len(early.t) <= len(whole.t)
    assert np.array_equal(early.steps.time, whole.steps.time[: early.summary.steps])


def test_other_threads_go_on_and_two_runs_of_one_system_do_not_disturb_each_other() -> None:
    ball = falling_ball()
    alone = ball.run(integrator="event-driven", until=1.4)
    runs: dict[int, tippe.Run] = {}

    def work(k: int) -> None:
        runs[k] = ball.run(integrator="event-driven" if k % 2 == 0 else "consistent-2", until=1.4)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert np.array_equal(runs[0].q, alone.q) and np.array_equal(runs[2].u, alone.u)
    assert np.array_equal(runs[1].q, runs[3].q)


def test_python_goes_on_while_a_run_computes() -> None:
    stop = threading.Event()
    looks = 0

    def look(t: float, fraction: float, steps: int) -> None:
        nonlocal looks
        looks += 1
        if stop.is_set():
            raise RuntimeError("enough")

    def work() -> None:
        with pytest.raises(RuntimeError, match="enough"):
            long_run().run(progress=look)

    thread = threading.Thread(target=work)
    thread.start()
    turns, end = 0, time.monotonic() + 30
    while turns < 100 and thread.is_alive() and time.monotonic() < end:
        time.sleep(0.001)
        turns += 1
    running = thread.is_alive()
    stop.set()
    thread.join(timeout=60)
    assert turns == 100 and running and turns > 3 * looks  # with the lock held there would be a turn only when the run looks up


def test_a_bar_is_shown_in_a_terminal_only(tmp_path: pathlib.Path) -> None:
    code = "from systems import long_run\ntry:\n  long_run().run(until=2.0)\nexcept KeyboardInterrupt:\n  pass"
    master, slave = os.openpty()
    process = subprocess.Popen([sys.executable, "-c", code], stderr=slave, cwd=HERE)
    os.close(slave)
    shown = b""
    while b"steps" not in shown and process.poll() is None:
        shown += os.read(master, 1000)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    assert b"] " in shown and b"% " in shown and b"s left" in shown
    os.close(master)
    quiet = subprocess.run([sys.executable, "-c", code.replace("2.0", "0.3")], stderr=subprocess.PIPE, cwd=HERE, check=True)
    assert quiet.stderr == b""


def test_a_notebook_gets_a_line_that_is_updated(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    class Handle:
        def update(self, data: dict[str, str], raw: bool) -> None:
            shown.append(data["text/plain"])

    def display(data: dict[str, str], raw: bool, display_id: bool) -> Handle:
        shown.append(data["text/plain"])
        return Handle()

    class ZMQInteractiveShell:
        pass

    notebook, notebook_display = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    notebook.get_ipython = ZMQInteractiveShell  # type: ignore[attr-defined]
    notebook_display.display = display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", notebook)
    monkeypatch.setitem(sys.modules, "IPython.display", notebook_display)
    monkeypatch.setattr("tippe.progress._QUIET", 0.0)
    long_run().run(until=0.3)
    assert len(shown) >= 2 and "steps" in shown[0] and shown[-1] == ""


@pytest.mark.parametrize("call", ["toy.run(until=1000, dt=1e-5)", "toy.compare(['moreau'], dt=[1e-6], until=100)"])
def test_threads_that_are_still_at_work_end_with_the_interpreter(call: str) -> None:
    code = f"""
import tippe, threading, time
toy = tippe.load("woodpecker")
begun = threading.Event()
def work():
    begun.set()
    {call}
threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.3)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stderr
    assert "leaked" not in result.stderr
