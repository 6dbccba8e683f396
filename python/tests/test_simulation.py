"""Stepping by hand."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import tippe
from systems import breaking, falling_ball


@pytest.mark.parametrize("integrator", ["moreau", "moreau-jean", "consistent-2"])
def test_steps_are_those_of_a_run_to_the_bit(scenes: pathlib.Path, integrator: str) -> None:
    dt, steps = 2.0**-13, 1200
    toy = tippe.load(scenes / "woodpecker.toml")
    run = toy.run(dt=dt, until=steps * dt, every=dt, integrator=integrator)
    assert len(run.impacts) > 0
    sim = toy.simulation(dt=dt, integrator=integrator)
    states = {sim.t: (sim.q, sim.u)}
    for _ in range(steps):
        sim.step()
        states[sim.t] = (sim.q, sim.u)
    for t, q, u in zip(run.t, run.q, run.u):
        assert np.array_equal(states[t][0], q) and np.array_equal(states[t][1], u)


def test_adaptive_steps_are_those_of_a_run_to_the_bit() -> None:
    ball = falling_ball()
    run = ball.run(integrator="event-driven", until=1.5)
    sim = ball.simulation(integrator="event-driven", until=1.5)
    ends = []
    while sim.t < 1.5:
        sim.step()
        ends.append(sim.t)
    assert np.array_equal(ends, run.steps.time)
    assert np.array_equal(sim.q, run.summary.q) and np.array_equal(sim.u, run.summary.u)
    sim.step()
    assert sim.t > 1.5


def test_a_step_reports_and_the_simulation_tells_where_it_is() -> None:
    sim = falling_ball(height=0.0).simulation(dt=0.01)
    assert sim.gaps == pytest.approx([0.0])
    report = sim.step()
    assert report.status == "ok" and report.active_laws == 1 and 0 <= report.residual < 1e-10
    assert sim.impulses == pytest.approx([2.0 * 9.81 * 0.01])
    assert sim.t == 0.01 and sim.u == pytest.approx([0.0])
    assert sim.energy == (0.0, 0.0, 0.0) or sim.energy.total == pytest.approx(0.0, abs=1e-12)


def test_the_state_can_be_set() -> None:
    ball = falling_ball()
    sim = ball.simulation(dt=0.01)
    sim.step()
    sim.t, sim.q, sim.u = ball.start
    again = ball.simulation(dt=0.01)
    for _ in range(100):
        sim.step()
        again.step()
    assert (sim.t, sim.q[0], sim.u[0]) == (again.t, again.q[0], again.u[0])
    sim.q = [3.0]
    assert sim.q[0] == 3.0 and sim.energy.potential == pytest.approx(2.0 * 9.81 * 3.0)
    with pytest.raises(ValueError, match="read-only"):
        sim.q[0] = 1.0
    with pytest.raises(tippe.InputError, match="q has 2 entries and must have 1"):
        sim.q = [1.0, 2.0]
    with pytest.raises(tippe.InputError, match=r"u\[0\] is nan and must be finite"):
        sim.u = [np.nan]
    with pytest.raises(tippe.InputError, match="q has 2 dimensions and must be a vector"):
        sim.q = [[1.0]]
    with pytest.raises(tippe.InputError, match="t is 'now' and must be a number"):
        sim.t = "now"  # type: ignore[assignment]


def test_a_step_of_another_length() -> None:
    sim = falling_ball(height=1.0).simulation(dt=0.01)
    sim.step(0.25)
    assert sim.t == 0.25 and sim.u[0] == pytest.approx(-9.81 * 0.25)
    sim.step()
    assert sim.t == 0.26
    with pytest.raises(tippe.InputError, match="dt is -1 and must be positive and finite"):
        sim.step(-1)
    with pytest.raises(tippe.InputError, match="dt is nan and must be finite"):
        sim.step(float("nan"))


def test_a_failed_step_leaves_the_state_alone() -> None:
    sim = breaking().simulation()
    with pytest.raises(tippe.NumericalError, match="the step from t = .* failed: .* finite") as caught:
        while True:
            before = (sim.t, sim.q[0], sim.u[0])
            sim.step()
    assert (sim.t, sim.q[0], sim.u[0]) == before
    assert caught.value.report is not None and caught.value.report.status == "not finite"
