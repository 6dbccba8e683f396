"""Sweeps by executors, and what travels to their workers."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
import pathlib
import pickle
import signal
import threading
from typing import Any

import numpy as np
import pytest

import tippe
from conftest import ROOT
from systems import breaking, falling_ball, long_run, same_sweep


def table() -> tippe.System:
    return tippe.load(ROOT / "scenes" / "vibrating_table.toml", settings={"m": "2*0.05"})


def amplitudes(executor: Any = None, **options: Any) -> tippe.Sweep:
    """134 points: chunks of two."""
    look: dict[str, Any] = {"section": "impact:table", "transient": 5, "keep": 3}
    return tippe.sweep(table(), {"A": np.linspace(0.002, 0.003, 67), "e": [0.8, 0.79]}, "y:max", executor=executor, **look, **options)


def test_threads_and_processes_give_the_bits_of_the_serial_sweep() -> None:
    serial = amplitudes(jobs=1)
    assert len(np.unique(serial["y:max"])) == 134
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        assert same_sweep(amplitudes(threads), serial)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        assert same_sweep(amplitudes(processes, jobs=2), serial)
        with pytest.warns(tippe.TippeWarning, match="1 of 2 runs failed"):
            broken = tippe.sweep(breaking(), {"x": [-50.0, 0.999]}, until=0.5, executor=processes)
    assert broken.status.tolist() == ["until", "failed"] and broken.reason[0] == "" and broken.reason[1]


class _Killing(concurrent.futures.Executor):
    """Another one, a process of which is killed before its 40th task."""

    def __init__(self, executor: concurrent.futures.Executor, process: int) -> None:
        self.executor, self.process, self.given = executor, process, 0

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Any:
        self.given += 1
        if self.given == 40:
            os.kill(self.process, signal.SIGKILL)
        return self.executor.submit(function, *arguments, **options)


def test_a_cluster_of_dask_one_of_whose_workers_is_killed_gives_the_bits_of_the_serial_sweep(tmp_path: pathlib.Path) -> None:
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
    )
    with cluster, distributed.Client(cluster) as client:
        executor = _Killing(client.get_executor(), next(iter(client.run(os.getpid).values())))
        assert same_sweep(amplitudes(executor), amplitudes(jobs=1))
    assert executor.given == 67


class _Tardy(concurrent.futures.ThreadPoolExecutor):
    """Begins its third task only when it may."""

    def __init__(self) -> None:
        super().__init__(1)
        self.go_on = threading.Event()
        self.given = 0

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Any:
        self.given += 1
        if self.given == 3:
            super().submit(self.go_on.wait, 60)
        return super().submit(function, *arguments, **options)


def test_what_is_raised_ends_a_sweep_and_keeps_what_is_done() -> None:
    class Enough(Exception):
        pass

    seen: list[int] = []

    def look(done: int, total: int, failed: int) -> None:
        assert (total, failed) == (5, 0)
        seen.append(done)
        if done == 2:
            raise Enough

    with _Tardy() as executor, pytest.raises(Enough) as caught:
        try:
            tippe.sweep(long_run(), {"x": range(1, 6)}, "x:max", until=1e-3, executor=executor, progress=look)
        finally:
            executor.go_on.set()
    sweep: tippe.Sweep = caught.value.sweep  # type: ignore[attr-defined]
    assert seen[-1] == 2
    assert sweep.status.tolist() == ["until", "until", "interrupted", "interrupted", "interrupted"]
    assert sweep["x:max"].tolist()[:2] == [1.0, 2.0]


@pytest.mark.parametrize("system", [table(), falling_ball(), tippe.load("woodpecker", settings={"phi": 0.1}, until=0.1, dt=1e-3)], ids=repr)
def test_a_system_that_travelled_is_the_same(system: tippe.System) -> None:
    copy: tippe.System = pickle.loads(pickle.dumps(system))
    assert (copy.text, copy.file, copy.parameters, copy.dt, copy.until) == (
        system.text,
        system.file,
        system.parameters,
        system.dt,
        system.until,
    )
    assert copy.start.t == system.start.t and np.array_equal(copy.start.q, system.start.q)
    assert np.array_equal(copy.run(until=0.05).q, system.run(until=0.05).q)


def test_a_sweep_and_errors_travel() -> None:
    sweep = tippe.sweep(falling_ball(), {"h": [1.0, 2.0]}, until=0.01)
    assert same_sweep(pickle.loads(pickle.dumps(sweep)), sweep)
    with pytest.raises(tippe.InputError) as caught:
        tippe.system(lagrangian={"coordinates": ["x"], "kinetic": "y"}, run={"dt": 1, "until": 2})
    error = pickle.loads(pickle.dumps(caught.value))
    assert str(error) == str(caught.value) and (error.line, error.column) == (caught.value.line, caught.value.column)
