"""What users define themselves: events, contacts that act at times, forces, motors, definitions, friction that falls."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tippe


def thrown(integrator: str = "event-driven", **more: Any) -> tippe.System:
    """A ball that is reset on the floor: it hits at sqrt(2 h / g), then after 2*0.8^k of that each."""
    tables: dict[str, Any] = {
        "lagrangian": {"coordinates": ["y"], "kinetic": "0.5*y'^2", "potential": "10*y"},
        "event": [
            {"name": "floor", "when": "y", "reset": {"y'": "-0.8*y'"}},
            {"name": "top", "when": "y'", "direction": "falling"},
        ],
        "initial": {"y": 1},
        "run": {"integrator": integrator, "dt": 0.01, "until": 3},
    }
    return tippe.system(**{**tables, **more})


@pytest.mark.parametrize("integrator", ["event-driven", "moreau"])
def test_events_are_counted_recorded_and_change_the_state(integrator: str) -> None:
    run = thrown(integrator).run()
    first = math.sqrt(0.2)
    expected = [first * (1 + 2 * sum(0.8**j for j in range(1, k + 1))) for k in range(6)]
    assert [event.time for event in run.events if event.kind == "event" and event.note == "floor"] == pytest.approx(expected)
    assert run.summary.own_events == {"floor": 6, "top": 6}
    assert run.summary.energy_work_done == pytest.approx(-10 * (1 - 0.64**6))
    assert run.verify()


def test_an_event_or_a_count_ends_a_run() -> None:
    stopping = [{"name": "low", "when": "y - 0.5", "stop": True}]
    run = thrown(event=stopping).run()
    assert run.summary.stopped_because == "event low" and run.t[-1] == pytest.approx(math.sqrt(0.1))
    counted = {"integrator": "event-driven", "until": 3, "stop_after": {"floor": 2}}
    run = thrown(run=counted).run()
    assert run.summary.stopped_because == "stop_after floor" and run.summary.own_events["floor"] == 2


def test_steps_one_by_one_make_the_resets_of_a_run() -> None:
    run = thrown("moreau").run(until=1.5)
    sim = thrown("moreau").simulation()
    while sim.t < 1.5 - 1e-9:
        sim.step()
    assert sim.run().summary.own_events == run.summary.own_events and run.summary.own_events["floor"] > 1
    assert np.array_equal(sim.q, run.summary.q) and np.array_equal(sim.u, run.summary.u)


def test_orbits_refuse_resets() -> None:
    with pytest.raises(tippe.InputError, match="'floor' resets the state"):
        thrown().orbit()


def test_a_contact_waits_until_its_gap_was_positive() -> None:
    system = thrown(
        event=None,
        contact=[{"name": "floor", "gap": "y", "restitution": 0.5, "active_when": "t - 0.1"}],
        initial={"y": -0.8, "y'": 5},
    )
    run = system.run(until=1)
    assert run.impacts.time == pytest.approx([0.8])
    assert run["floor.active"][0] == 0 and run["floor.active"][-1] == 1


def test_forces_motors_and_definitions() -> None:
    system = tippe.system(
        lagrangian={"coordinates": ["x"], "kinetic": "0.5*x'^2"},
        define={"load": "10*t"},
        force=[{"on": "x", "force": "load"}],
        motor=[{"on": "x", "speed": 0, "limit": {"static": 5, "kinetic": 3}}],
        run={"integrator": "event-driven", "until": 1},
    )
    assert system.run()["x'"][-1] == pytest.approx(2.25)  # it gives way at 0.5 s, then 10 t - 3
