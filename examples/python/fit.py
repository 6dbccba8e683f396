"""Which restitution and which friction fit a noisy recording? Least squares with derivatives through impacts and sticking.

A mass on a spring hits a wall and rubs on its support. tippe derives its run by the parameters, as exactly as it runs; differences of runs need one more run for each
parameter and step.
"""

import time
from typing import Any

import numpy as np
from scipy.optimize import least_squares

import tippe

scene: dict[str, Any] = {
    "parameters": {"m": 2.0, "c": 50.0, "limit": 1.0, "e": 0.5},
    "lagrangian": {"coordinates": ["x"], "kinetic": "0.5*m*x'^2", "potential": "0.5*c*x^2"},
    "dry_friction": [{"name": "pad", "velocity": "x'", "limit": "limit"}],
    "contact": [{"name": "wall", "gap": "x + 0.1", "restitution": "e"}],
    "initial": {"x": 0.4},
    "run": {"integrator": "event-driven", "dt": 1e-3, "until": 3},
}
names, true, start = ["e", "limit"], [0.7, 1.5], [0.5, 1.0]
times = np.linspace(0.0, 3.0, 301)


def simulate(values: "np.typing.ArrayLike", derive: bool) -> tippe.Gradient:
    settings = dict(zip(names, np.asarray(values).tolist()))
    return tippe.system(settings, **scene).gradient(names if derive else [], times)


noise = np.random.default_rng(7).normal(0.0, 1e-3, times.size)  # m
recording = simulate(true, False).value("x") + noise
for how in ("derivatives", "differences"):
    begin = time.perf_counter()
    found = least_squares(
        lambda values: simulate(values, False).value("x") - recording,
        start,
        jac=(lambda values: simulate(values, True)["x"]) if how == "derivatives" else "2-point",
    )
    seconds = time.perf_counter() - begin
    covariance = np.linalg.inv(found.jac.T @ found.jac) * 2.0 * found.cost / (times.size - 2)
    deviations = np.sqrt(np.diag(covariance))
    print(f"{how}: {found.nfev} iterations, {1e3 * seconds:.0f} ms")
    for name, value, deviation, exact in zip(names, found.x, deviations, true):
        print(f"  {name:5s} = {value:.5f} +- {deviation:.5f}, in truth {exact}")
        assert abs(value - exact) < 4 * deviation
