"""Sweeps: many runs at once, as arrays."""

from __future__ import annotations

import math
import pathlib
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import h5py
import numpy as np
import pytest

import tippe
from conftest import ROOT
from systems import breaking, long_run, same_sweep

HERE = pathlib.Path(__file__).parent
HEIGHTS, RESTITUTIONS = np.array([1.0, 1.2, 1.5]), [0.25, 0.5]


def ball() -> tippe.System:
    """Hits the floor once until 0.6 s from the heights above."""
    return tippe.system(
        parameters={"m": 2.0, "g": 10.0, "h": 1.0, "e": 0.5},
        lagrangian={"coordinates": ["y"], "kinetic": "0.5*m*y'^2", "potential": "m*g*y"},
        contact=[{"name": "floor", "gap": "y", "restitution": "e"}],
        initial={"y": "h"},
        run={"integrator": "event-driven", "dt": 1e-3, "until": 0.6},
        output={"quantities": {"height_in_cm": "100*y"}},
    )


def balls(**options: Any) -> tippe.Sweep:
    return tippe.sweep(ball(), {"h": HEIGHTS, "e": RESTITUTIONS}, ["height_in_cm:max", "y':last"], **options)


def test_arrays_have_a_dimension_for_each_name_and_obey_the_closed_form() -> None:
    sweep = balls()
    assert sweep.dims == ("h", "e") and sweep.shape == (3, 2)
    assert np.array_equal(sweep.coords["h"], HEIGHTS) and np.array_equal(sweep.coords["e"], RESTITUTIONS)
    h, e = np.meshgrid(HEIGHTS, RESTITUTIONS, indexing="ij")
    speed = np.sqrt(20.0 * h)
    assert sweep["height_in_cm:max"] == pytest.approx(100.0 * h, rel=1e-12)
    assert sweep["y':last"] == pytest.approx(e * speed - 10.0 * (0.6 - speed / 10.0), abs=1e-9)
    assert sweep["lost_in_contacts"] == pytest.approx(20.0 * h * (1.0 - e**2), rel=1e-9)
    assert (sweep["impacts"] == 1).all() and (sweep.status == "until").all() and (sweep.reason == "").all()
    assert not sweep["impacts"].flags.writeable
    with pytest.raises(KeyError, match="did you mean 'impacts'"):
        sweep["impact"]


def test_a_run_has_the_bits_of_a_single_one_also_for_initial_values(tmp_path: pathlib.Path) -> None:
    values = [0.1 + 0.2, 1.0 / 3.0]
    sweep = tippe.sweep(ball(), {"y'": values, "m": 0.7}, until="3*0.2")
    assert sweep["final y"].shape == (2, 1)
    (tmp_path / "ball.toml").write_text(ball().text)
    for k, value in enumerate(values):
        run = tippe.load(tmp_path / "ball.toml", settings={"y'": value, "m": 0.7}).run(until="3*0.2")
        assert (run.summary.q[0], run.summary.u[0]) == (sweep["final y"][k, 0], sweep["final y'"][k, 0])
        assert run.summary.energy_final == sweep["energy_final"][k, 0]


def test_the_program_writes_the_same_bits(program: str, tmp_path: pathlib.Path) -> None:
    options = ["--vary", "A=0.002,0.0027,0.003", "--section", "impact:table", "--transient", "150", "--keep", "8", "--quantity", "y:rms"]
    subprocess.run([program, "sweep", "vibrating_table", *options, "--no-report", "--quiet", "--out", tmp_path], cwd=ROOT, check=True)
    table = tippe.load(ROOT / "scenes" / "vibrating_table.toml")
    sweep = tippe.sweep(table, {"A": [0.002, 0.0027, 0.003]}, "y:rms", section="impact:table", transient=150, keep=8)
    with h5py.File(tmp_path / "vibrating_table.sweep.h5") as file:
        assert np.array_equal(file["runs/quantity"][:, 0], sweep["y:rms"])
        assert np.array_equal(file["runs/final"][:], np.stack([sweep["final y"], sweep["final y'"]], axis=1))
        assert np.array_equal(file["runs/result"][:, 5], sweep["period"])
        points = np.stack([sweep.section[name].ravel() for name in ("t", "y", "y'")], axis=1)
        assert np.array_equal(file["section/point"][:, 2:], points)


def test_points_of_a_section_and_their_period() -> None:
    table = tippe.load(ROOT / "scenes" / "vibrating_table.toml")
    sweep = tippe.sweep(table, {"A": [0.0022, 0.0027]}, section="impact:table", transient=400, keep=6)
    assert sweep["period"].tolist() == [1, 2] and (sweep.status == "section").all()
    assert sorted(sweep.section) == ["t", "y", "y'"] and sweep.section["y'"].shape == (2, 6)
    w = table.parameters["w"]
    assert sweep.section["y'"][0] == pytest.approx(math.pi * 9.81 / w, rel=1e-4)  # flies for one period of the table
    assert np.diff(sweep.section["t"][0]) == pytest.approx(2 * math.pi / w, rel=1e-4)
    with pytest.raises(tippe.InputError, match="^section: there is no law 'tabel'; did you mean 'table'"):
        tippe.sweep(table, {"A": 0.002}, section="impact:tabel")


def test_a_run_that_comes_to_rest_has_fewer_points() -> None:
    sweep = tippe.sweep(ball(), {"e": 0.5}, section="impact:floor", transient=2, keep=200, until=10.0)
    assert sweep.status[0] == "accumulation"
    times = sweep.section["t"][0]
    count = int(np.isfinite(times).sum())
    first = math.sqrt(0.2)
    assert 3 < count < 200 and np.isnan(times[count:]).all()
    assert times[:3] == pytest.approx([first * (1 + 2 * sum(0.5**j for j in range(1, k + 1))) for k in (2, 3, 4)], rel=1e-9)


def test_the_number_of_threads_changes_nothing() -> None:
    assert same_sweep(balls(jobs=1), balls(jobs=3))
    assert same_sweep(balls(jobs=1), balls())


def test_a_run_that_fails_is_told_and_ends_nothing() -> None:
    with pytest.warns(tippe.TippeWarning, match="2 of 3 runs failed; the first: .*"):
        sweep = tippe.sweep(breaking(), {"x": [-50.0, 0.999, 2.0]}, ["x:last"], until=0.5)
    assert sweep.failed == 2 and sweep.status.tolist()[:2] == ["until", "failed"] and sweep.status[2] in ("failed", "refused")
    assert sweep.reason[0] == "" and all(sweep.reason[1:])
    assert sweep["x:last"][0] == sweep["final x"][0] and np.isnan(sweep["x:last"][2])
    assert "2 failed" in repr(sweep)


@pytest.mark.parametrize(
    "vary, options, message",
    [
        ({}, {}, "^vary must be a dictionary"),
        ({"h": []}, {}, "^vary\\['h'\\] has no values"),
        ({"h": [1.0, math.nan]}, {}, "^vary\\['h'\\]\\[1\\] is nan"),
        ({"hh": [1.0]}, {}, "hh"),
        ({"h": [1.0]}, {"quantities": ["z:max"]}, "^quantities: there is no quantity, coordinate or velocity 'z'"),
        ({"h": [1.0]}, {"jobs": 0}, "^jobs is 0 and must be a whole number, at least 1"),
        ({"h": [1.0]}, {"section": "impact:floor", "keep": 2.5}, "^keep is 2.5"),
    ],
)
def test_what_cannot_run_is_an_input_error(vary: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(tippe.InputError, match=message):
        tippe.sweep(ball(), vary, **options)


def test_a_function_sees_the_progress_and_may_end_the_sweep() -> None:
    class Enough(Exception):
        pass

    seen: list[tuple[int, int, int]] = []

    def look(done: int, total: int, failed: int) -> None:
        seen.append((done, total, failed))
        if done >= 2:
            raise Enough

    with pytest.raises(Enough) as caught:
        tippe.sweep(long_run(), {"x": np.linspace(1.0, 2.0, 1000)}, ["x:max"], until=0.02, progress=look, jobs=1)
    sweep: tippe.Sweep = caught.value.sweep  # type: ignore[attr-defined]
    done = int((sweep.status == "until").sum())
    assert seen[-1][0] <= done < 1000 and seen[-1][1:] == (1000, 0)
    assert (sweep.status[done:] == "interrupted").all()
    assert np.array_equal(sweep["x:max"][:done], sweep.coords["x"][:done]) and np.isnan(sweep["x:max"][done:]).all()


def test_ctrl_c_ends_a_sweep_and_keeps_what_is_done() -> None:
    code = """
import tippe
from systems import long_run
try:
    tippe.sweep(long_run(), {"x": range(1, 1000)}, until=0.1, progress=lambda done, total, failed: print(done, flush=True))
except KeyboardInterrupt as stopped:
    print(*sorted(set(stopped.sweep.status)))
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=HERE, text=True)
    assert process.stdout is not None
    while process.stdout.readline() == "0\n":
        pass
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[0].splitlines()[-1] == "interrupted until"


def test_python_goes_on_while_a_sweep_computes() -> None:
    stop = threading.Event()
    looks = 0

    def look(done: int, total: int, failed: int) -> None:
        nonlocal looks
        looks += 1
        if stop.is_set():
            raise RuntimeError("enough")

    def work() -> None:
        with pytest.raises(RuntimeError, match="enough"):
            tippe.sweep(long_run(), {"x": range(1, 5)}, progress=look)

    thread = threading.Thread(target=work)
    thread.start()
    turns, end = 0, time.monotonic() + 30
    while turns < 100 and thread.is_alive() and time.monotonic() < end:
        time.sleep(0.001)
        turns += 1
    running, seen = thread.is_alive(), looks
    stop.set()
    thread.join(timeout=60)
    assert turns == 100 and running and turns > 3 * seen  # with the lock held there would be a turn only when the sweep looks up


def test_tables_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    sweep = balls()
    frame = sweep.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.index.names == ["h", "e"] and len(frame) == 6
    assert frame.loc[(1.5, 0.25), "height_in_cm:max"] == sweep["height_in_cm:max"][2, 0]
    assert frame.loc[(1.0, 0.5), "status"] == "until"
    single = tippe.sweep(ball(), {"h": HEIGHTS}).to_pandas()
    assert single.index.name == "h" and single.loc[1.0, "impacts"] == 1


def test_data_sets_of_xarray() -> None:
    pytest.importorskip("xarray")
    sweep = balls(section="impact:floor", transient=0, keep=1)
    data = sweep.to_xarray()
    assert dict(data.sizes) == {"h": 3, "e": 2, "section point": 1}
    assert float(data["lost_in_contacts"].sel(h=1.5, e=0.25)) == sweep["lost_in_contacts"][2, 0]
    assert float(data["section t"].sel(h=1.0, e=0.5)[0]) == pytest.approx(math.sqrt(0.2))
    assert str(data["status"].sel(h=1.0, e=0.5).values) == "section"


@pytest.mark.parametrize("module, method", [("pandas", "to_pandas"), ("xarray", "to_xarray")])
def test_a_missing_package_is_named(module: str, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = tippe.sweep(ball(), {"h": 1.0})
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=f"^{method}\\(\\) needs {module}, which is not installed: pip install {module}$"):
        getattr(sweep, method)()
