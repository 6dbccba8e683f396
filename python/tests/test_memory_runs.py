"""Runs without files: the numbers of recordings, and what they cost."""

from __future__ import annotations

import pathlib
import threading
import time

import numpy as np
import pytest

import tippe
from systems import falling_ball
from tippe.overrides import Overrides
from tippe.system import read_system


@pytest.mark.parametrize("scene, integrator", [("woodpecker", None), ("woodpecker", "event-driven"), ("tippe_top", "moreau"), ("dominoes", None), ("double_four_bar", None)])
def test_memory_holds_what_a_file_holds(scene: str, integrator: str, tmp_path: pathlib.Path) -> None:
    system = tippe.load(scene, integrator=integrator)
    until = system.start.t + 0.01 * (system.until - system.start.t)
    mine, file = system.run(until=until), system.run(until=until, record=tmp_path / "run.h5")
    assert mine.names == file.names and mine.path is None
    for name in mine.names:
        assert np.array_equal(mine[name], file[name], equal_nan=True), name
    for table in ("force", "constraint_force", "control_force", "constraint_position", "constraint_velocity"):
        assert np.array_equal(getattr(mine, table), getattr(file, table), equal_nan=True), table
    assert [np.array_equal(a, b) for a, b in zip(mine.steps, file.steps)] == [True] * 3
    assert mine.impacts.tobytes() == file.impacts.tobytes() and [repr(e) for e in mine.events] == [repr(e) for e in file.events]
    if mine.found_contacts is not None and file.found_contacts is not None:
        for one, other in zip(vars(mine.found_contacts).values(), vars(file.found_contacts).values()):
            assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
    a, b = vars(mine.summary), vars(file.summary)
    assert {k: repr(v) for k, v in a.items() if k != "wall_time"} == {k: repr(v) for k, v in b.items() if k != "wall_time"}
    assert len(mine._record.page()) == pytest.approx(len(file._record.page()), abs=100)


# Measured in seconds of the processor, which others at work do not change much; the figures are in docs/python.md.
def test_a_run_costs_little_beyond_its_steps() -> None:
    ball = falling_ball(dt=1e-3)

    def cost(until: float, count: int) -> float:
        ball.run(until=until, samples=False)
        best = np.inf
        for _ in range(3):
            begin = time.process_time()
            for _ in range(count):
                ball.run(until=until, samples=False)
            best = min(best, (time.process_time() - begin) / count)
        return best

    assert cost(2e-3, 100) < 250e-6  # 35 us where nobody else is at work
    assert cost(2.0, 10) < 20e-3  # 1 ms


def test_without_samples_the_summary_is_left() -> None:
    ball = falling_ball(dt=1e-3)
    run, full = ball.run(samples=False), ball.run()
    assert len(run.t) == 0 and run.q.shape == (0, 1)
    assert np.array_equal(run.summary.q, full.summary.q) and run.summary.impacts == full.summary.impacts
    assert run.summary.energy_lost_in_contacts == full.summary.energy_lost_in_contacts
    with pytest.raises(tippe.InputError, match="samples"):
        ball.run(samples=False, record="run.h5")


def test_threads_run_the_same_system() -> None:
    ball = falling_ball(dt=1e-3)
    alone = ball.run().u.tobytes()
    found: list[bytes] = []

    def work() -> None:
        found.extend(ball.run().u.tobytes() for _ in range(10))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 40


# Two threads that never wait for each other: whatever else is at work, each runs or waits for a processor alone. Then two processors are twice as fast.
@pytest.mark.skipif(not pathlib.Path("/proc/self/schedstat").exists(), reason="no statistics of the scheduler")
def test_two_threads_do_not_wait_for_each_other() -> None:
    ball = falling_ball(dt=1e-3)
    ball.run(samples=False)
    shares: list[float] = []

    def runnable() -> float:
        """s of this thread, on a processor or waiting for one."""
        ran, waited, _ = pathlib.Path(f"/proc/self/task/{threading.get_native_id()}/schedstat").read_text().split()
        return 1e-9 * (int(ran) + int(waited))

    def work() -> None:
        begin, ready = time.perf_counter(), runnable()
        for _ in range(100):
            ball.run(samples=False)
        shares.append((runnable() - ready) / (time.perf_counter() - begin))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert min(shares) > 0.9, shares


def test_other_steps_ends_and_integrators_are_those_of_a_scene_read_with_them() -> None:
    ball = falling_ball(dt=1e-3)
    for changed in ({"until": 0.5}, {"dt": 2e-3}, {"every": 0.1}, {"until": "h/2"}, {"integrator": "event-driven", "until": 1.5}):
        mine = ball.run(**changed)
        again = read_system(ball.text, ball.file, Overrides(**changed)).run()
        assert np.array_equal(mine.t, again.t) and np.array_equal(mine.u, again.u) and mine.dt == again.dt
    for wrong in ({"until": -1.0}, {"dt": 0.0}, {"every": -1.0}, {"integrator": "moro"}):
        with pytest.raises(tippe.InputError):
            ball.run(**wrong)
