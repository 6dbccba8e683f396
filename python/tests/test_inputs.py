"""Inputs of scenes: set between steps, by tables, and what they do to energies and recordings."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
import pytest

import tippe


def pushed(integrator: str = "moreau", **more: object) -> tippe.System:
    """1 kg that F pushes towards a stop at x = 1 m."""
    tables: dict[str, Any] = dict(
        inputs={"F": 0.0},
        lagrangian={"coordinates": ["x"], "kinetic": "x'^2/2"},
        force=[{"on": "x", "force": "F"}],
        contact=[{"name": "stop", "gap": "1 - x", "restitution": 0.0}],
        initial={"x": 0.0},
        run={"integrator": integrator, "dt": 1e-3, "until": 4.0},
    )
    return tippe.system(**{**tables, **more})


# 20 N for 4 s against a stop that is 1 m away: reached after sqrt(0.1) s, with 20 J; then nothing moves.
@pytest.mark.parametrize("integrator", ["moreau", "moreau-jean", "consistent-2", "event-driven"])
def test_a_mass_pushed_against_a_stop_stays_there(integrator: str) -> None:
    sim = pushed(integrator).simulation()
    sim.input["F"] = 20.0
    assert sim.input["F"] == 20.0 and dict(sim.input) == {"F": 20.0}
    while sim.t < 3.9995:
        sim.step()
    assert abs(sim.gaps[0]) < 7e-3  # one step at 6.3 m/s; not 40 mm
    run = sim.run()
    assert run.verify()
    assert run.energy.work_done[-1] == pytest.approx(20.0, rel=0.01)
    assert run.energy.lost_in_contacts[-1] == pytest.approx(20.0, rel=0.01)
    assert list(run["F"][[0, 1, -1]]) == [0.0, 20.0, 20.0] and run.t[1] == 0.0


def test_tables_and_steps_by_hand_are_the_same_to_the_bit(tmp_path: pathlib.Path) -> None:
    system = pushed(lagrangian={"coordinates": ["x"], "kinetic": "x'^2/2", "potential": "-F*x"}, force=None)
    times, forces = [0.0, 0.25, 1.5, 2.5], [1.0, 40.0, -10.0, 0.0]
    run = system.run(inputs={"t": times, "F": forces})
    table = tmp_path / "push.csv"
    table.write_text("t,F\n" + "".join(f"{t},{force}\n" for t, force in zip(times, forces)))
    assert np.array_equal(system.run(inputs=table)["x"], run["x"])
    sim = system.simulation()
    for step in range(4000):
        if step / 1000 in times:
            sim.input["F"] = forces[times.index(step / 1000)]
        sim.step()
    assert np.array_equal(sim.q, run.summary.q) and np.array_equal(sim.u, run.summary.u)
    assert sim.run().energy.work_done[-1] == pytest.approx(run.energy.work_done[-1], rel=1e-12)
    assert run.verify() and sim.run().verify()


def test_inputs_have_defaults_that_settings_replace() -> None:
    system = pushed()
    assert system.inputs == ("F",) and system.coordinates == ("x", "F")
    assert system.with_(F=2.0).run(until=0.5).summary.q[0] == pytest.approx(0.25)
    assert system.run(q=[0.0, 2.0], until=0.5).summary.q[0] == pytest.approx(0.25)
    forces = system.at(q=[1.0, 3.0]).analyze().forces
    assert forces is not None and forces.bounds is not None and forces.bounds["stop.n"] == pytest.approx((3.0, 3.0))


def test_wrong_inputs_are_told() -> None:
    sim = pushed().simulation()
    with pytest.raises(KeyError, match="did you mean 'F'"):
        sim.input["f"] = 1.0
    with pytest.raises(tippe.InputError, match="must be finite"):
        sim.input["F"] = float("nan")
    with pytest.raises(tippe.InputError, match="<inputs>:3:1: times must rise"):
        pushed().run(inputs={"t": [0.0, 0.0], "F": [1.0, 2.0]})
    with pytest.raises(tippe.InputError, match="'G' is no input"):
        pushed().run(inputs={"t": [0.0], "G": [1.0]})
    with pytest.raises(tippe.FileError, match="there_is_none.csv"):
        pushed().run(inputs="there_is_none.csv")


# A controller that writes velocities instead of forces sinks the mass into the stop: half a step's way with each of them.
def test_velocities_that_go_deeper_into_a_contact_are_refused() -> None:
    system = pushed(initial={"x": 1.0})
    sim = system.simulation()
    with pytest.raises(tippe.InputError, match="deep inside 'stop'.*\\[inputs\\]"):
        for _ in range(3):
            sim.u = sim.u + 0.02
            sim.step()
    assert sim.gaps[0] > -3e-5
    sim.u = [-1.0]  # away from it is fine, however deep
    sim.step()
    with pytest.raises(tippe.InputError, match="deep inside 'stop'"):
        sim.q = [1.01, 0.0]
    assert sim.q[0] < 1.0


def test_runs_with_inputs_go_on_from_their_recordings(tmp_path: pathlib.Path) -> None:
    whole = pushed().run(inputs={"t": [0.0, 2.0], "F": [20.0, -5.0]}, record=tmp_path / "whole.h5")
    assert tippe.open(tmp_path / "whole.h5").verify() and whole.path is not None
