"""A convergence study: how fast do integrators approach a motion with impacts?

The reference is the event-driven integrator, which is exact to round-off between events that it finds; errors of the others are largest deviations of a coordinate
at times that all runs have in common.
"""

import numpy as np

import tippe

# An oscillator with a wall: impacts, and smooth motion between them.
slider = tippe.system(
    title="Oscillator and wall",
    parameters={"m": 1.0, "c": 40.0, "e": 0.8},
    lagrangian={"coordinates": ["x"], "kinetic": "0.5*m*x'^2", "potential": "0.5*c*x^2"},
    contact=[{"name": "wall", "gap": "x + 0.05", "restitution": "e"}],
    initial={"x": 0.1},
    run={"dt": 1e-3, "until": 3.0},
)

steps = [4e-3 / 2**k for k in range(6)]
comparison = slider.compare(["moreau", "moreau-jean", "event-driven"], dt=steps)
print(comparison)

print("order by least squares:")
for integrator, order in comparison.orders.items():
    assert order.positions is not None
    print(f"  {integrator:12s} {order.positions:.2f}")
    assert 0.5 < order.positions < 1.5  # an impact is as late as its step is long: first order, however smooth the rest

# The same from the trajectories themselves.
reference = comparison.labels.index(comparison.reference)
deviations = np.abs(comparison["x"] - comparison["x"][reference]).max(axis=1)
np.testing.assert_allclose(np.delete(deviations, reference), np.delete(comparison.errors, reference))

comparison.report("convergence.html")  # all runs laid over each other
print("wrote convergence.html")
