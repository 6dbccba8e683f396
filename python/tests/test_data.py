"""What runs hand to other packages and to notebooks."""

from __future__ import annotations

import importlib.util
import pathlib
import re
import sys
import traceback
import types
from typing import Any

import numpy as np
import pytest

import tippe
from conftest import ROOT
from systems import falling_ball
from tippe.table_names import SceneTables


def test_the_version_is_that_of_the_project() -> None:
    assert re.search(rf"project\(tippe VERSION {re.escape(tippe.__version__)}\b", (ROOT / "CMakeLists.txt").read_text())


def test_samples_as_a_table() -> None:
    pandas = pytest.importorskip("pandas")
    run = falling_ball(dt=1e-2).run()
    frame = run.to_pandas()
    assert frame.index.name == "t" and np.array_equal(frame.index, run.t)
    for name in run.names[1:]:
        assert np.array_equal(frame[name], run[name])
    assert np.array_equal(frame["energy.total"], run.energy.total)
    units = {"t": "s", "y": "m", "y'": "m/s", "floor": "m", "floor.n": "N s"} | {f"energy.{name}": "J" for name in vars(run.energy)}
    assert units.items() <= frame.attrs["units"].items(), frame.attrs["units"]
    assert list(pandas.DataFrame(run.impacts).columns) == ["time", "contact", "closing_speed", "energy_lost", "normal", "tangent1", "tangent2", "drilling"]


def test_samples_as_a_dataset() -> None:
    pytest.importorskip("xarray")
    run = falling_ball(dt=1e-2).run()
    data = run.to_xarray()
    assert data["floor.n"].attrs["units"] == "N s" and data["t"].attrs["units"] == "s" and data.attrs["title"] == run.title
    assert np.array_equal(data["y"].values, run["y"]) and float(data["y"].sel(t=0.0)) == 1.0


def test_impacts_are_flat() -> None:
    run = tippe.load("woodpecker", dt=1e-4).run(until=0.3)
    impacts = run.impacts
    assert impacts.impulse.shape == (len(impacts), 4) and np.array_equal(impacts.impulse[:, 0], impacts.normal)
    assert all(np.abs(impacts.tangent1) <= 0.3 * impacts.normal * (1 + 1e-9)) and not impacts.tangent2.any()


class _Axes:
    """What plot() asks of axes, without matplotlib."""

    def __init__(self) -> None:
        self.curves: dict[str, Any] = {}
        self.x = self.y = ""

    def plot(self, t: Any, values: Any, label: str) -> None:
        self.curves[label] = (t, values)

    def set_xlabel(self, text: str) -> None:
        self.x = text

    def set_ylabel(self, text: str) -> None:
        self.y = text

    def legend(self) -> None:
        pass

    def grid(self, alpha: float) -> None:
        pass


def test_columns_are_plotted(monkeypatch: pytest.MonkeyPatch) -> None:
    run = falling_ball(dt=1e-2).run()
    axes = run.plot("floor", ax=_Axes())
    assert np.array_equal(axes.curves["floor"][1], run["floor"]) and (axes.x, axes.y) == ("t [s]", "floor [m]")
    assert list(run.plot(ax=_Axes()).curves) == ["height_in_cm"]
    with pytest.raises(KeyError, match="did you mean 'floor'"):
        run.plot("flor", ax=_Axes())
    with pytest.raises(tippe.InputError, match="no samples"):
        falling_ball(dt=1e-2).run(samples=False).plot()
    if importlib.util.find_spec("matplotlib") is None:
        with pytest.raises(ImportError, match="pip install matplotlib"):
            run.plot("y")
    drawn = types.SimpleNamespace(subplots=lambda: (None, _Axes()))
    monkeypatch.setitem(sys.modules, "matplotlib", types.ModuleType("matplotlib"))
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", drawn)
    assert "y'" in run.plot("y", "y'").curves


def test_runs_are_compared(tmp_path: pathlib.Path) -> None:
    ball = falling_ball(dt=1e-3)
    a = ball.run(every=0.01, record=tmp_path / "a.h5")
    b = ball.run(dt=5e-4, every=0.01)
    exact = ball.run(integrator="event-driven", every=0.01)
    both = tippe.compare_runs([a, b, exact])
    assert both.labels == ("moreau, dt = 0.001", "moreau, dt = 0.0005", "event-driven") and both.reference == "event-driven"
    assert both["y"].shape == (3, 201) and 0 < both.errors[1] < both.errors[0] < 1e-2
    assert np.allclose(both["y"][0], np.interp(both.t, a.t, a["y"]), atol=0.1)
    varied = tippe.compare_runs([ball.run(), ball.with_(m=3.0).run()])
    assert varied.labels == ("run 1", "run 2, m=3.0")
    assert tippe.compare_runs([a, ball.run(every=0.01)], names=["mine", "yours"]).labels == ("mine", "yours")
    with pytest.raises(tippe.InputError, match="another system"):
        tippe.compare_runs([a, tippe.load("woodpecker").run(until=0.01)])
    with pytest.raises(tippe.InputError, match="must be a list of runs"):
        tippe.compare_runs(a)  # type: ignore[arg-type]


def test_notebooks_complete_keys_and_show_answers() -> None:
    toy = tippe.load("woodpecker")
    run = toy.run(until=0.01, dt=1e-4)
    instant = toy.at()
    assert run._ipython_key_completions_() == list(run.names) and instant.gaps._ipython_key_completions_() == ["beak", "sleeve top", "sleeve bottom"]
    shown = tippe.load("painleve_rod", settings={"mu": 2.0}).at().modes()._repr_html_()
    assert shown.startswith("<table>") and "tip slide-" in shown and "-36.7875 N" in shown
    orbit = toy.orbit(until=3.0)
    assert orbit.found and "0.145976" in orbit._repr_html_() and "-0.839156" in orbit._repr_html_()


def test_a_page_in_a_cell_is_small() -> None:
    run = tippe.load("woodpecker", dt=2e-5).run(until=0.1)
    full = len(run._record.page().encode())
    few = run._record.small_page(full - 20_000)
    assert len(few.encode()) <= full - 20_000 and few.startswith("<!")
    assert len(run._repr_html_()) < 3_000_000  # at most 2 MB, with quotes escaped


def _frames(call: Any) -> int:
    with pytest.raises((tippe.InputError, KeyError)) as raised:
        call()
    return len(traceback.extract_tb(raised.value.__traceback__))


def test_tracebacks_of_wrong_arguments_are_short() -> None:
    ball = falling_ball()
    for call in (
        lambda: ball.run(dt=-1),
        lambda: ball.run(integrator="moro"),
        lambda: ball.with_(mu=0.3),
        lambda: tippe.load("woodpeker"),
        lambda: tippe.system(lagrangian={"coordinates": ["x"], "kinetic": "m*x'^2"}),
        lambda: tippe.sweep(ball, {}),
        lambda: ball.at(-1.0),
    ):
        assert _frames(call) <= 4  # two of them are of this test


def test_names_of_tables_are_known_to_type_checkers_and_to_the_reader() -> None:
    names = set(re.findall(r"`\[+([a-z_]+)\]+`", (ROOT / "docs" / "scene.md").read_text().split("## ")[1]))
    known = set(SceneTables.__annotations__)
    assert len(names) > 20 and names <= known, names - known
    for name in names:
        table: Any = {"there_is_no_such_key": 1}
        with pytest.raises(tippe.InputError) as raised:
            tippe.system(**{name: table})
        assert f"unknown key '{name}'" not in str(raised.value)
    with pytest.raises(tippe.InputError, match="did you mean 'contact'"):
        tippe.system(contcat=[])  # type: ignore[call-arg]
