"""Derivatives of runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tippe

BALL: dict[str, Any] = {
    "parameters": {"g": 9.81, "e": 0.8, "h": 1.3},
    "lagrangian": {"coordinates": ["y"], "kinetic": "0.5*y'^2", "potential": "g*y"},
    "contact": [{"name": "floor", "gap": "y", "restitution": "e"}],
    "initial": {"y": "h"},
    "output": {"quantities": {"energy": "0.5*y'^2 + g*y"}},
    "run": {"integrator": "event-driven", "dt": 0.1, "until": 1.0},
}


def test_a_ball_has_its_closed_form() -> None:
    # One impact at t1 = sqrt(2 h/g), then y = V s - g s^2/2 with V = e sqrt(2 g h), s = t - t1.
    gradient = tippe.system(**BALL).gradient(["e", "h"], [0.0, 0.4, 0.8, 1.0])
    assert gradient.parameters == ("e", "h")
    assert gradient.at == {"e": 0.8, "h": 1.3}
    g, e, h, t = 9.81, 0.8, 1.3, np.array([0.8, 1.0])
    fall = np.sqrt(2 * h / g)
    s, speed = t - fall, np.sqrt(2 * g * h)
    by_h = e * g / speed * s - (e * speed - g * s) * fall / (2 * h)
    np.testing.assert_allclose(gradient["y"], [[0, 1], [0, 1], *zip(speed * s, by_h)], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(gradient.value("y")[2:], e * speed * s - 0.5 * g * s**2, rtol=1e-10)
    np.testing.assert_allclose(gradient.end[gradient.names.index("energy")], [2 * e * g * h, e**2 * g], rtol=1e-7)
    (impact,) = gradient.events
    assert (impact.kind, impact.laws) == ("impact", ("floor",))
    np.testing.assert_allclose(impact.by["h"], fall / (2 * h), rtol=1e-9)
    assert abs(impact.by["e"]) < 1e-12


def test_a_run_is_derived_with_its_settings() -> None:
    run = tippe.system({"e": 0.6}, **BALL).run(until=0.9)
    gradient = run.gradient("e")
    np.testing.assert_array_equal(gradient.t, np.unique(run.t))
    np.testing.assert_allclose(gradient.value("y")[-1], run["y"][-1], rtol=1e-9)
    fall = np.sqrt(2 * 1.3 / 9.81)
    np.testing.assert_allclose(gradient["y"][-1], [np.sqrt(2 * 9.81 * 1.3) * (0.9 - fall)], rtol=1e-7)


def test_what_has_none_says_why() -> None:
    with pytest.raises(tippe.InputError, match="needs the integrator event-driven"):
        tippe.system(**BALL).run(integrator="moreau", dt=1e-3).gradient("e")
    with pytest.raises(tippe.InputError, match="no parameter 'mu'"):
        tippe.system(**BALL).gradient("mu")
    with pytest.raises(tippe.InputError, match="must ascend"):
        tippe.system(**BALL).gradient("e", [0.5, 0.4])
    with pytest.raises(KeyError, match="'x' is not a coordinate"):
        tippe.system(**BALL).gradient("e")["x"]
