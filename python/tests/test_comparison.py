"""Comparisons of integrators, and periodic orbits."""

from __future__ import annotations

import os
import pathlib
import signal
import threading

import numpy as np
import pytest

import tippe
from conftest import ROOT
from program import answer, text_of, without_clocks
from systems import breaking, falling_ball


@pytest.mark.filterwarnings("ignore::tippe.TippeWarning")
@pytest.mark.parametrize(
    "name, integrators, steps",
    [("bouncing_ball", ["moreau", "event-driven"], [1e-2, 1e-3]), ("heavy_top", ["rk4", "moreau"], [1e-2, 5e-3]), ("belt", [], [])],
)
def test_comparisons_are_those_of_the_program(
    name: str, integrators: list[str], steps: list[float], program: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    options = ["--integrators", ",".join(integrators)] * bool(integrators) + ["--dt", ",".join(map(repr, steps))] * bool(steps)
    command = ["compare", f"scenes/{name}.toml", *options, "--until", "0.5", "-o", str(tmp_path / "page.html")]
    expected = answer(program, *command)
    expected["files"] = []
    comparison = tippe.load(f"scenes/{name}.toml").compare(integrators, dt=steps, until=0.5)
    assert without_clocks(comparison.to_dict()) == expected
    assert str(comparison).splitlines()[0] == text_of(program, *command).splitlines()[0]
    comparison.report(tmp_path / "ours.html")
    assert len((tmp_path / "ours.html").read_text()) == pytest.approx(len((tmp_path / "page.html").read_text()), rel=0.01)
    assert "<iframe" in comparison._repr_html_()


# Before its first impact the ball falls freely: y = h - g t^2/2, which Moreau's midpoint rule has exactly.
def test_trajectories_are_at_hand() -> None:
    comparison = falling_ball().compare(["moreau", "event-driven"], dt=[1e-2, 5e-3, 2.5e-3], until=0.4)
    assert comparison.labels == ("moreau, dt = 0.01", "moreau, dt = 0.005", "moreau, dt = 0.0025", "event-driven")
    assert comparison.reference == "event-driven" and comparison.status == "ok" and comparison.message == ""
    np.testing.assert_allclose(comparison["y"], np.tile(1 - 9.81 * comparison.t**2 / 2, (4, 1)), atol=1e-13)
    np.testing.assert_array_equal(comparison["floor"], comparison["y"])
    assert set(comparison.quantities) >= {"y", "y'", "floor", "height_in_cm", "energy"}
    np.testing.assert_array_equal(comparison.dt, [1e-2, 5e-3, 2.5e-3, np.nan])
    with pytest.raises(KeyError, match="did you mean 'energy'"):
        comparison["energi"]


# x = cos(t). The reference has that to round-off, and the errors of the others are those of their own trajectories.
def test_steps_and_names_may_be_arrays() -> None:
    comparison = tippe.load("bouncing_ball").compare(np.array(["moreau", "moreau-jean"]), dt=np.array([1e-2, 5e-3]), until=0.1)
    assert [(run.integrator, run.dt) for run in comparison.runs] == [
        ("moreau", 1e-2), ("moreau", 5e-3), ("moreau-jean", 1e-2), ("moreau-jean", 5e-3)]  # fmt: skip


def test_errors_and_orders_follow_from_the_trajectories() -> None:
    oscillator = tippe.system(
        lagrangian={"coordinates": ["x"], "kinetic": "0.5*x'^2", "potential": "0.5*x^2"},
        initial={"x": 1.0},
        run={"dt": 0.1, "until": 2.0},
    )
    comparison = oscillator.compare(["moreau", "event-driven"], dt=["1/10", 0.05, 0.025])
    errors = np.abs(comparison["x"] - np.cos(comparison.t)).max(axis=1)
    assert errors[3] <= 1e-13 and np.isnan(comparison.errors[3])
    np.testing.assert_allclose(comparison.errors[:3], errors[:3], rtol=1e-9)
    np.testing.assert_allclose(comparison.velocity_errors[:3], np.abs(comparison["x'"] + np.sin(comparison.t)).max(axis=1)[:3], rtol=1e-9)
    np.testing.assert_allclose(comparison.observed_orders[1:3], np.log2(errors[:2] / errors[1:3]), rtol=1e-9)
    order = comparison.orders["moreau"]
    assert order.positions == pytest.approx(np.polyfit(np.log(comparison.dt[:3]), np.log(errors[:3]), 1)[0], rel=1e-9)
    assert order.positions == pytest.approx(2.0, abs=0.02)  # the midpoint rule
    run = comparison.runs[0]
    assert run.deviation is not None and run.deviation.coordinate == "x" and run.summary["steps"] == run.steps == 20


def test_a_run_that_fails_is_told() -> None:
    with pytest.warns(tippe.TippeWarning, match="rk4, dt = 0.001"):
        comparison = breaking().compare(["rk4"])
    assert comparison.status == "failed" and comparison.runs[0].status == "failed" and "1 of 1 runs failed" in comparison.message


def test_wrong_comparisons_are_refused() -> None:
    with pytest.raises(tippe.InputError, match="^integrators: unknown integrator 'moro'"):
        falling_ball().compare("moro")
    with pytest.raises(tippe.InputError, match="^integrators: the run with moreau and dt = 0.01 is asked for twice$"):
        falling_ball().compare("moreau", dt=[1e-2, 0.01])


def test_ctrl_c_keeps_what_was_compared() -> None:
    def interrupt(t: float, fraction: float, steps: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        falling_ball(dt=1e-6, until=20.0).compare(["moreau", "moreau-jean"], progress=interrupt)
    comparison = caught.value.comparison  # type: ignore[attr-defined]
    assert comparison.status == "interrupted" and comparison.not_run == ("moreau-jean, dt = 1e-06",)


# Guckenheimer and Holmes, section 2.4, exactly: the ball leaves with pi g/w at the phase p, cos p = pi g (1 - e)/(A w^2 (1 + e)); the return map has the
# determinant e^2 and the trace 1 + e^2 - (1 + e)^2 (A w^2/g) sin p.
@pytest.mark.parametrize("amplitude, stable", [(0.002, True), (0.003, False)])
def test_a_ball_on_a_vibrating_table(amplitude: float, stable: bool, scenes: pathlib.Path) -> None:
    e, w, g = 0.8, 20 * np.pi, 9.81
    orbit = tippe.load(scenes / "vibrating_table.toml", settings={"A": amplitude}).orbit(returns=1)
    assert orbit.found and orbit.status == "ok" and orbit.message == "" and orbit.returns == 1
    assert orbit.period == pytest.approx(0.1, abs=1e-13)
    phase = np.arccos(np.pi * g * (1 - e) / (amplitude * w**2 * (1 + e)))
    assert orbit.state is not None and orbit.multipliers is not None and orbit.residual is not None
    assert orbit.state.u[0] == pytest.approx(np.pi * g / w, abs=1e-12)
    assert np.cos(w * orbit.state.t - phase) == pytest.approx(1, abs=1e-12)
    trace = 1 + e**2 - (1 + e) ** 2 * amplitude * w**2 / g * np.sin(phase)
    np.testing.assert_allclose(sorted(orbit.multipliers, key=abs), sorted(np.roots([1, -trace, e**2]), key=abs), atol=1e-7)
    assert orbit.stable is stable and orbit.residual <= 1e-11
    assert [event.kind for event in orbit.events] == ["impact"] and orbit.events[0].energy_lost == pytest.approx(orbit.energy_lost)


def test_orbits_are_those_of_the_program(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    path = "scenes/woodpecker.toml"
    orbit = tippe.load(path).orbit(section="impact:beak")
    assert orbit.to_dict() == answer(program, "orbit", path, "--section", "impact:beak")
    assert str(orbit) == text_of(program, "orbit", path, "--section", "impact:beak")
    assert orbit.drift is not None and list(orbit.drift) == ["y"] and orbit.drift["y"] < 0


def test_ctrl_c_ends_the_search_of_an_orbit(scenes: pathlib.Path) -> None:
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        tippe.load(scenes / "double_pendulum_wall.toml").orbit(until=1e5)
    timer.join()
    orbit = caught.value.orbit  # type: ignore[attr-defined]
    assert isinstance(orbit, tippe.Orbit) and not orbit.found and orbit.status == "interrupted"


def test_a_function_sees_what_a_search_tries_and_may_end_it(scenes: pathlib.Path) -> None:
    seen: list[tuple[str, float]] = []

    def look(doing: str, seconds: float) -> None:
        seen.append((doing, seconds))
        if len(seen) == 3:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough") as caught:
        tippe.load(scenes / "double_pendulum_wall.toml").orbit(until=1e5, progress=look)
    assert caught.value.orbit.status == "interrupted"  # type: ignore[attr-defined]
    assert len(seen) == 3 and all("simulating until t = 100000" in doing for doing, _ in seen[1:])
    assert 0.0 < seen[0][1] < seen[1][1] < seen[2][1] < 5.0


def test_a_line_shows_what_a_search_tries(
    scenes: pathlib.Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tippe.progress._QUIET", 0.0)
    orbit = tippe.load(scenes / "woodpecker.toml").orbit(progress=True)
    shown = capsys.readouterr().err  # where the search takes no time, only its end
    assert orbit.found and ("close return" in shown or "multipliers of the orbit" in shown)


def test_a_motion_that_ends_has_no_orbit() -> None:
    orbit = falling_ball().orbit()
    assert not orbit.found and orbit.status == "failed" and orbit.message and orbit.period is None and orbit.events == []
    assert str(orbit).startswith("Falling ball: no periodic orbit found")
    with pytest.raises(tippe.InputError, match="floor"):
        falling_ball().orbit(section="impact:flor")
    with pytest.raises(tippe.InputError, match="returns is 0"):
        falling_ball().orbit(returns=0)
