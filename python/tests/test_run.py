"""Running, and what a run holds."""

from __future__ import annotations

import math
import pathlib

import h5py
import numpy as np
import pytest

import tippe
from systems import breaking, falling_ball
from tippe.pages import inline_page


def test_a_ball_falls_and_bounces_as_the_closed_form_says() -> None:
    run = falling_ball(epsilon=0.5, dt=1e-5, until=1.2).run()
    first = math.sqrt(2 / 9.81)
    hits = [first, first * 2, first * 2.5]  # then 2 epsilon^k first later
    assert run.impacts.time[:3] == pytest.approx(hits, abs=1e-4)
    assert run.impacts.closing_speed[:3] == pytest.approx([9.81 * first / 2**k for k in range(3)], rel=1e-3)
    assert list(run.impacts.contact[:3]) == ["floor"] * 3
    # Each impact takes (1 - epsilon^2) of the kinetic energy, by the impulse (1 + epsilon) m v.
    speed = run.impacts.closing_speed[0]
    assert run.impacts.energy_lost[0] == pytest.approx(0.75 * 2.0 * speed**2 / 2, rel=1e-3)
    assert run.impacts.impulse[0] == pytest.approx([1.5 * 2.0 * speed, 0, 0, 0], rel=1e-3)
    assert run.status == "ok" and run.summary.impacts == len(run.impacts)


def test_columns_have_names() -> None:
    run = falling_ball(until=0.4).run()
    assert np.array_equal(run["y"], run.q[:, 0]) and np.array_equal(run["y'"], run.u[:, 0])
    assert np.array_equal(run["floor"], run.gap[:, 0]) and np.array_equal(run["floor.n"], run.impulse[:, 0])
    assert run["height_in_cm"] == pytest.approx(100 * run["y"])
    assert "y" in run and "z" not in run
    assert list(run) == list(run.names) and np.array_equal(dict(run)["y'"], run.u[:, 0])
    assert run.names == ("t", "y", "y'", "height_in_cm", "floor", "floor.n")
    with pytest.raises(KeyError, match="did you mean 'height_in_cm'"):
        run["height_in_m"]


def test_arrays_are_views_that_cannot_be_written_to_and_outlive_the_run() -> None:
    run = falling_ball(until=0.4).run()
    column = run["y"]
    assert np.shares_memory(column, run.q)
    first, second = run.q, run.q
    assert np.shares_memory(first, second)
    for array in (run.t, run.q, column, run.force, run.energy.total, run.steps.residual):
        assert array.dtype == np.float64 and not array.flags.writeable
    kept = column.copy()
    run.close()
    del run
    assert np.array_equal(column, kept)


def test_energy_is_booked_over_time() -> None:
    run = falling_ball(until=1.0).run()
    energy = run.energy
    assert energy.total == pytest.approx(energy.kinetic + energy.potential)
    assert energy.total[0] == pytest.approx(2.0 * 9.81)
    assert energy.lost_in_contacts[0] == 0 and np.all(np.diff(energy.lost_in_contacts) >= 0)
    assert energy.lost_in_contacts[-1] == run.summary.energy_lost_in_contacts == run.summary.lost_by_law["floor"]
    assert energy.total + energy.lost_in_contacts == pytest.approx(np.full(len(run.t), 2.0 * 9.81), abs=1e-2)


def test_the_mean_force_of_a_body_at_rest_is_its_weight() -> None:
    run = falling_ball(height=0.0, until=0.1).run()
    assert math.isnan(run.force[0, 0])
    assert run.force[1:, 0] == pytest.approx(2.0 * 9.81)


def test_every_sets_the_time_between_samples() -> None:
    run = falling_ball().run(until=0.4, every=0.1)
    assert run.t == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    with pytest.raises(tippe.InputError, match="^every: the time between samples must be positive"):
        falling_ball().run(every=0)


def test_events_are_told_with_their_modes() -> None:
    run = falling_ball().run(integrator="event-driven", until=0.7)
    start, impact = run.events[:2]
    assert start.kind == "start" and start.after == {"floor": "open"}
    assert impact.kind == "impact" and impact.laws == ("floor",)
    assert impact.time == pytest.approx(math.sqrt(2 / 9.81), rel=1e-9)
    assert impact.impulse is not None and impact.impulse[0] == pytest.approx(1.5 * 2 * math.sqrt(2 * 9.81), rel=1e-9)
    assert run.summary.events_by_kind["impact"] == 1
    assert falling_ball().run(until=0.01).events == []


def test_bilateral_constraints_are_summed_up(scenes: pathlib.Path) -> None:
    run = tippe.load(scenes / "pendulum_cartesian.toml").run(until=0.05)
    assert run.constraints and run.constraint_force.shape == (len(run.t), len(run.constraints))
    assert run.summary.constraints is not None and run.summary.constraints["rows"] == len(run.constraints)
    assert falling_ball(until=0.01).run().summary.constraints is None


def test_a_failed_step_raises_with_what_was_computed() -> None:
    with pytest.raises(tippe.NumericalError, match="<python>: step .* failed: .* finite") as caught:
        breaking().run()
    run = caught.value.run
    assert run is not None and run.status == "failed" and 0 < run.t[-1] < 1
    assert str(caught.value) == "<python>: " + run.summary.message


def test_what_the_program_warns_of_is_a_warning(scenes: pathlib.Path) -> None:
    stiff = tippe.system(
        lagrangian={"coordinates": ["x"], "kinetic": "0.5*x'^2", "potential": "0.5*1e6*x^2"},
        initial={"x": 1.0},
        run={"dt": 0.05, "until": 1.0, "integrator": "rk4"},
    )
    with pytest.warns(tippe.TippeWarning, match="% of the energy is unexplained") as caught:
        run = stiff.run()
    assert len(run.warnings) == len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.filterwarnings("error")
def test_warnings_that_are_errors_lose_neither_the_run_nor_another_error() -> None:
    class Enough(Exception):
        pass

    def end(t: float, fraction: float, steps: int) -> None:
        raise Enough

    oscillator = {"coordinates": ["x"], "kinetic": "0.5*x'^2", "potential": "0.5*1e6*x^2"}
    # The energy of rk4 with steps of 50 / omega is wrong from the first one on; the other ends when somebody looks.
    stiff = tippe.system(lagrangian=oscillator, initial={"x": 1.0}, run={"dt": 0.05, "until": 0.2, "integrator": "rk4"})
    with pytest.raises(tippe.TippeWarning, match="% of the energy is unexplained") as warned:
        stiff.run()
    assert warned.value.run.status == "ok" and warned.value.run.t[-1] == 0.2  # type: ignore[attr-defined]
    with pytest.raises(tippe.TippeWarning) as compared:
        stiff.compare("rk4")
    assert compared.value.comparison.runs[0].status == "ok"  # type: ignore[attr-defined]
    slow = tippe.system(lagrangian=oscillator, initial={"x": 1.0}, run={"dt": 2e-3, "until": 1e5, "integrator": "rk4"})
    with pytest.raises(Enough) as ended:
        slow.run(progress=end)
    run = ended.value.run  # type: ignore[attr-defined]
    assert run.status == "interrupted" and run.warnings


def test_a_recording_is_written_and_read_again(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "new" / "ball.h5"
    run = falling_ball(until=0.6).run(record=file)
    assert run.path == str(file)
    with tippe.open(file) as again:
        assert np.array_equal(again.q, run.q) and again.names == run.names
        assert again.summary.steps == run.summary.steps and again.text == run.text
        assert repr(again) == repr(run)
        q = again.q
    assert np.array_equal(q, run.q)
    with pytest.raises(ValueError, match="closed"):
        again.q
    with h5py.File(file) as other:
        assert np.array_equal(other["samples/q"][:], run.q) and np.array_equal(other["steps/time"][:], run.steps.time)


def test_without_a_recording_nothing_is_left(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run = falling_ball(until=0.01).run()
    assert run.path is None and list(tmp_path.iterdir()) == []


def test_what_is_no_recording_is_a_file_error(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "text.h5"
    file.write_text("not HDF5")
    with pytest.raises(tippe.FileError, match="text.h5"):
        tippe.open(file)
    with pytest.raises(OSError):
        tippe.open(tmp_path / "nothing.h5")
    with pytest.raises(tippe.FileError):
        falling_ball(until=0.01).run(record=tmp_path)


@pytest.mark.parametrize("law", [-1, 1])
def test_an_impact_of_a_law_that_there_is_not_is_a_file_error(tmp_path: pathlib.Path, law: int) -> None:
    file = tmp_path / "ball.h5"
    assert len(falling_ball(until=0.6).run(record=file).impacts) == 1
    with h5py.File(file, "r+") as recording:
        recording["impacts/law"][0] = law
    with pytest.raises(tippe.FileError, match="ball.h5: damaged: impacts/law"):
        tippe.open(file).impacts


@pytest.mark.parametrize("table, place, value", [("kind", 0, 99), ("mode_after", (0, 0), -1), ("note", 0, 7)])
def test_an_event_that_does_not_fit_is_a_file_error(tmp_path: pathlib.Path, table: str, place: object, value: int) -> None:
    file = tmp_path / "ball.h5"
    falling_ball(until=0.6).run(record=file, integrator="event-driven")
    with h5py.File(file, "r+") as recording:
        recording["events"][table][place] = value
    with pytest.raises(tippe.FileError, match=f"ball.h5: damaged: events/{table}"):
        tippe.open(file).events


def test_a_scene_is_not_overwritten_by_its_recording(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "ball.toml"
    file.write_text(falling_ball().text)
    with pytest.raises(tippe.InputError, match="overwritten"):
        tippe.load(file).run(record=file)
    assert file.read_text() == falling_ball().text


def test_a_run_shows_itself(tmp_path: pathlib.Path) -> None:
    run = falling_ball(until=0.6).run()
    assert repr(run).startswith("Falling ball: moreau, dt = 0.0001\n  steps                   6000 to t = 0.6\n")
    page = tmp_path / "ball.html"
    run.report(page)
    text = page.read_text(encoding="utf-8")
    assert text.lower().startswith("<!doctype html") and '"title":"Falling ball"' in text
    inline = run._repr_html_()
    assert inline.startswith("<iframe srcdoc=") and "&quot;Falling ball&quot;" in inline
    assert "steps = 6000" in repr(run.summary)


def test_a_run_is_judged() -> None:
    run = falling_ball(until=0.6).run()
    verdict = run.verify()
    assert verdict and verdict.obeys and verdict.violated == ()
    assert verdict.checks["pull"]["checks"] > 0
    assert str(verdict).startswith("obeys: no check found a violation\n")
    assert verdict.to_dict()["verdict"] == "obeys"


def test_a_page_that_is_too_large_for_a_notebook_is_replaced_by_its_text() -> None:
    largest = 32_000_000  # bytes, docs/python_reference.md
    assert inline_page("x" * largest, "Ball", "6000 steps").startswith('<iframe srcdoc="xxx')
    assert inline_page("x" * (largest + 1), "Ball", "6000 < 7000 steps").startswith("<pre>6000 &lt; 7000 steps</pre>")
    assert inline_page("ü" * (largest // 2 + 1), "Ball", "6000 steps").startswith("<pre>")  # two bytes each
