"""Sweeps that are no plain grids: points that follow each other, basins, samples, tables; each as the program has it."""

from __future__ import annotations

import concurrent.futures
import pathlib
import pickle
import subprocess
from typing import Any, Dict, List, Optional

import h5py
import numpy as np
import pytest

import tippe
from conftest import ROOT
from systems import same_sweep


def oscillator() -> tippe.System:
    return tippe.load(ROOT / "scenes" / "impact_oscillator.toml")


def wells() -> tippe.System:
    """Two stable equilibria, x = -1 and 1."""
    return tippe.system(
        parameters={"d": 0.5},
        lagrangian={"coordinates": ["x"], "kinetic": "x'^2/2", "potential": "x^4/4 - x^2/2", "damping": "d*x'^2/2"},
        initial={"x": 1.0},
        run={"integrator": "dopri5", "dt": 1e-2, "until": 400.0},
    )


def program_file(program: str, folder: pathlib.Path, scene: pathlib.Path, *options: str) -> h5py.File:
    subprocess.run([program, "sweep", scene, *options, "--no-report", "--quiet", "--out", folder], cwd=ROOT, check=True)
    return h5py.File(folder / f"{scene.stem}.sweep.h5")


FOLLOWED: Dict[str, Any] = {"transient": 20, "keep": 6, "section": "stroboscopic"}


def test_points_that_follow_each_other_remember_where_they_come_from() -> None:
    forces = np.linspace(0.356, 0.372, 9)
    look = {**FOLLOWED, "transient": 60, "keep": 20}
    both = tippe.sweep(oscillator(), {"s": [1.0, 1.01], "F": forces}, "x:max", follow="both", **look)
    assert both.dims == ("s", "direction", "F") and both.shape == (2, 2, 9)
    assert both.coords["direction"].tolist() == ["up", "down"] and np.array_equal(both.coords["F"], forces)
    assert np.array_equal(both.points["F"], np.broadcast_to(forces, (2, 2, 9)))
    assert both.section["x"].shape == (2, 2, 9, 20)
    touches = both["x:max"][0] > 0.999  # the stop of s = 1; grazing is at 0.3688, and on the way down it goes on to touch
    assert touches.sum(axis=1).tolist() == [3, 4]
    up = tippe.sweep(oscillator(), {"s": [1.0, 1.01], "F": forces}, "x:max", follow="up", **look)
    assert up.dims == ("s", "F") and np.array_equal(up["x:max"], both["x:max"][:, 0])
    down = tippe.sweep(oscillator(), {"F": forces}, "x:max", follow="down", **look)
    assert np.array_equal(down.coords["F"], forces) and down["x:max"][1] == pytest.approx(both["x:max"][0, 1, 1], abs=1e-6)


def test_the_program_follows_with_the_same_bits(program: str, tmp_path: pathlib.Path) -> None:
    scene = ROOT / "scenes" / "impact_oscillator.toml"
    options = ["--vary", "F=0.356:0.372:5", "--follow", "both", "--transient", "20", "--keep", "6", "--section", "stroboscopic"]
    sweep = tippe.sweep(oscillator(), {"F": "0.356:0.372:5"}, "x:max", follow="both", **FOLLOWED)
    with program_file(program, tmp_path, scene, *options, "--quantity", "x:max") as file:
        rows = file["runs/quantity"][:, 0]
        assert np.array_equal(np.stack([rows[:5], rows[5:][::-1]]), sweep["x:max"])
        assert np.array_equal(file["points/value"][:5, 0], sweep.coords["F"])


def test_a_basin_has_the_symmetry_of_its_system_and_the_bits_of_the_program(program: str, tmp_path: pathlib.Path) -> None:
    vary = {"x": "-2:2:6", "x'": "-2:2:6"}
    sweep = tippe.sweep(wells(), vary, basin=True)
    assert [attractor.kind for attractor in sweep.attractors] == ["rest", "rest"]
    assert [attractor.runs for attractor in sweep.attractors] == [18, 18]
    assert sorted(float(attractor.points["x"][0]) for attractor in sweep.attractors) == pytest.approx([-1.0, 1.0])
    assert np.array_equal(sweep.attractor, 1 - sweep.attractor[::-1, ::-1])
    assert sweep.section == {}
    (tmp_path / "wells.toml").write_text(wells().text)
    options = [f"--vary={name}={values}" for name, values in vary.items()]
    with program_file(program, tmp_path, tmp_path / "wells.toml", *options, "--basin") as file:
        assert np.array_equal(file["runs/attractor"][:, 0], sweep.attractor.ravel())
        points = np.stack([attractor.points[name] for attractor in sweep.attractors for name in ("t", "x", "x'")]).reshape(2, 3)
        assert np.array_equal(file["attractors/point"][:, 1:], points)


def test_orbits_of_a_basin(program: str, tmp_path: pathlib.Path) -> None:
    look: Dict[str, Any] = {"transient": 60, "keep": 12}
    sweep = tippe.sweep(oscillator(), {"x": "-1:0.5:4", "F": [0.3, 0.372]}, basin=True, **look)
    assert {attractor.kind for attractor in sweep.attractors} >= {"orbit"}
    orbit = next(attractor for attractor in sweep.attractors if attractor.kind == "orbit")
    assert len(orbit.points["x"]) == orbit.period and sorted(orbit.points) == ["t", "x", "x'"]
    with program_file(
        program, tmp_path, ROOT / "scenes" / "impact_oscillator.toml", "--vary=x=-1:0.5:4", "--vary=F=0.3,0.372", "--basin", "--transient=60", "--keep=12"
    ) as file:
        assert np.array_equal(file["runs/attractor"][:, 0], sweep.attractor.ravel())
        assert file["attractors/list"][:, 1].tolist() == [attractor.period for attractor in sweep.attractors]
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        assert same_sweep(tippe.sweep(oscillator(), {"x": "-1:0.5:4", "F": [0.3, 0.372]}, basin=True, executor=threads, **look), sweep)
    assert same_sweep(pickle.loads(pickle.dumps(sweep)), sweep)


@pytest.mark.parametrize("sobol, seed", [(False, 7), (True, 0), (True, 3)])
def test_samples_are_those_of_the_program(sobol: bool, seed: int, program: str, tmp_path: pathlib.Path) -> None:
    scene = ROOT / "scenes" / "bouncing_ball.toml"
    vary = {"h": (0.5, 1.5), "epsilon": [0.5, 0.9]}
    sweep = tippe.sweep(tippe.load(scene), vary, "y:max", samples=20, sobol=sobol, seed=seed, until=0.01)
    assert sweep.dims == ("point",) and sweep.shape == (20,) and np.array_equal(sweep.coords["point"], np.arange(20))
    assert (sweep.points["h"] >= 0.5).all() and (sweep.points["h"] < 1.5).all() and len(np.unique(sweep.points["h"])) == 20
    assert set(sweep.points["epsilon"]) == {0.5, 0.9}
    options = ["--vary=h=0.5:1.5", "--vary=epsilon=0.5,0.9", "--sample=20", f"--seed={seed}", "--until=0.01", "--quantity=y:max"]
    with program_file(program, tmp_path, scene, *options, *["--sobol"] * sobol) as file:
        assert np.array_equal(file["points/value"][:, 0], sweep.points["h"])
        assert np.array_equal(file["runs/quantity"][:, 0], sweep["y:max"])


def test_a_table_of_points_and_what_becomes_of_it() -> None:
    table: Dict[str, List[float]] = {"h": [1.0, 2.0, 1.0 / 3.0], "y'": [0.0, -1.0, 0.1]}
    ball = tippe.load("bouncing_ball", until=0.01)
    sweep = tippe.sweep(ball, table=table, quantities="y:max")
    assert sweep.dims == ("point",) and sweep.points["h"].tolist() == table["h"]
    assert sweep["y:max"][:2].tolist() == [1.0, 2.0] and "point: 3" in repr(sweep)
    pandas = pytest.importorskip("pandas")
    frame = sweep.to_pandas()
    assert frame.index.names == ["h", "y'"] and frame.loc[(2.0, -1.0), "y:max"] == 2.0
    assert same_sweep(tippe.sweep(ball, table=pandas.DataFrame(table), quantities="y:max"), sweep)
    pytest.importorskip("xarray")
    data = sweep.to_xarray()
    assert dict(data.sizes) == {"point": 3} and data["h"].values.tolist() == table["h"]


def test_frames_tell_the_direction_and_the_attractor() -> None:
    pytest.importorskip("pandas")
    followed = tippe.sweep(oscillator(), {"F": [0.3, 0.31]}, follow="both", transient=1, keep=1, section="stroboscopic").to_pandas()
    assert followed.index.names == ["F", "direction"] and list(followed.index) == [(0.3, "up"), (0.31, "up"), (0.3, "down"), (0.31, "down")]
    assert "attractor" in tippe.sweep(wells(), {"x": [1.0, -1.0]}, basin=True).to_pandas()


@pytest.mark.parametrize(
    "vary, options, message",
    [
        ({"h": (0.1, 0.5)}, {"samples": 0}, "^samples is 0 and must be a whole number, at least 1"),
        ({"h": (0.1, 0.5)}, {"seed": 3}, "^seed and sobol are of samples"),
        ({"h": [1.0]}, {"table": {"h": [1.0]}}, "^give vary or table, not both"),
        (None, {"table": {"h": [1.0], "epsilon": [0.5, 0.6]}}, "^table\\['epsilon'\\] has 2 numbers"),
        (None, {"table": {"h": [1.0, float("nan")]}}, "^table\\['h'\\]\\[1\\] is nan"),
        (None, {"table": {"hh": [1.0]}}, "the scene has no parameter 'hh'"),
        (None, {"table": {}}, "^table must have at least one column"),
        (None, {}, "^vary must be a dictionary"),
        ({"h": [1.0]}, {"follow": "sideways"}, "'sideways' is no direction"),
        ({"h": [1.0]}, {"follow": "up", "basin": True}, "a basin is of starts"),
        ({"h": "1:2"}, {}, "needs the number of its values"),
        ({"h": (0.1, 0.5)}, {"samples": 3, "follow": "up"}, "points are followed along the last of the ranges of a grid"),
    ],
)
def test_what_cannot_be_is_said(vary: Optional[Dict[str, Any]], options: Dict[str, Any], message: str) -> None:
    with pytest.raises(tippe.InputError, match=message):
        tippe.sweep(tippe.load("bouncing_ball", until=0.01), vary, **options)
