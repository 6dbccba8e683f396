"""Small systems whose motion is known, and what compares sweeps of them."""

from __future__ import annotations

from typing import Any, List

import tippe


def falling_ball(height: float = 1.0, epsilon: float = 0.5, until: float = 2.0, dt: float = 1e-4) -> tippe.System:
    """Hits the floor first at sqrt(2 h / g), then after 2 epsilon^k sqrt(2 h / g) each."""
    return tippe.system(
        title="Falling ball",
        parameters={"m": 2.0, "g": 9.81, "h": height},
        lagrangian={"coordinates": ["y"], "kinetic": "0.5*m*y'^2", "potential": "m*g*y"},
        contact=[{"name": "floor", "gap": "y", "restitution": epsilon}],
        initial={"y": "h"},
        run={"integrator": "moreau", "dt": dt, "until": until},
        output={"quantities": {"height_in_cm": "100*y"}},
    )


def breaking() -> tippe.System:
    """Falls into a potential that ends at x = 1: no step leads beyond."""
    return tippe.system(
        title="A potential that ends",
        lagrangian={"coordinates": ["x"], "kinetic": "0.5*x'^2", "potential": "sqrt(1 - x)"},
        initial={"x": 0.0, "x'": 1.0},
        run={"integrator": "moreau", "dt": 1e-3, "until": 10.0},
    )


def long_run() -> tippe.System:
    """An oscillator with very many steps: somebody will end it."""
    return tippe.system(
        title="Oscillator",
        lagrangian={"coordinates": ["x"], "kinetic": "0.5*x'^2", "potential": "0.5*x^2"},
        initial={"x": 1.0},
        run={"integrator": "moreau", "dt": 1e-6, "until": 1e4},
        output={"every": 1.0},
    )


def same_sweep(a: tippe.Sweep, b: tippe.Sweep) -> bool:
    """Whether two sweeps are equal to the bit, but for clocks."""
    assert a.names == b.names and a.dims == b.dims and list(a.section) == list(b.section)
    arrays: List[Any] = [(a[name], b[name]) for name in a.names if name != "wall_time"]
    arrays += [(a.section[name], b.section[name]) for name in a.section]
    arrays += [(a.attractor, b.attractor)] + [(a.points[name], b.points[name]) for name in a.points]
    assert [(x.kind, x.period, x.runs) for x in a.attractors] == [(y.kind, y.period, y.runs) for y in b.attractors]
    arrays += [(x.points[name], y.points[name]) for x, y in zip(a.attractors, b.attractors) for name in x.points]
    words = bool((a.status == b.status).all() and (a.reason == b.reason).all())
    return words and all(x.shape == y.shape and x.tobytes() == y.tobytes() for x, y in arrays)
