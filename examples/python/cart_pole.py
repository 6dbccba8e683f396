"""A pole on a cart between two stops, balanced from Python: the force F on the cart is an input of the scene, set before every step.

The gains are those of the linear quadratic regulator of the motion about the upright pole, from Riccati's equation.
"""

import numpy as np

import tippe

M, m, l, g, dt = 1.0, 0.1, 0.5, 9.81, 5e-3  # cart, pole (kg), half its length (m), m/s^2, time between two decisions (s)

cart_pole = tippe.system(
    title="Cart with a pole, and two stops",
    parameters={"M": M, "m": m, "l": l, "g": g},
    inputs={"F": 0.0},
    lagrangian={
        "coordinates": ["x", "phi"],
        "kinetic": "(M + m)*x'^2/2 + m*l*cos(phi)*x'*phi' + 2/3*m*l^2*phi'^2",
        "potential": "m*g*l*cos(phi)",
    },
    force=[{"on": "x", "force": "F"}],
    contact=[
        {"name": "right stop", "gap": "0.45 - x", "restitution": 0.3},
        {"name": "left stop", "gap": "x + 0.45", "restitution": 0.3},
    ],
    initial={"x": 0.3, "phi": 0.1},
    run={"integrator": "moreau", "dt": dt, "until": 6.0},
)

# About phi = 0: mass (x'', phi'') = stiffness (x, phi) + (F, 0).
mass = np.array([[M + m, m * l], [m * l, 4 / 3 * m * l**2]])
A, B = np.zeros((4, 4)), np.zeros((4, 1))
A[:2, 2:], A[2:, :2], B[2:] = np.eye(2), np.linalg.solve(mass, np.diag([0.0, m * g * l])), np.linalg.solve(mass, [[1.0], [0.0]])
A, B, P, Q, R = np.eye(4) + dt * A, dt * B, np.eye(4), np.diag([5.0, 1.0, 1.0, 0.1]), 0.05
for _ in range(3000):
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    P = Q + A.T @ P @ (A - B @ K)

sim = cart_pole.simulation()
while sim.t < cart_pole.until - dt / 2:
    sim.input["F"] = float(np.clip(-K @ [*sim.q[:2], *sim.u], -10.0, 10.0)[0])
    sim.step()

run = sim.run()  # with samples, impacts and page, as of any run
print(f"{len(run.impacts)} impacts on the stops, the first on the {run.impacts.contact[0]} at {run.impacts.time[0]:.3f} s")
print(f"after {run.t[-1]:.0f} s: x = {run['x'][-1]:.4f} m, phi = {run['phi'][-1]:.5f} rad; work done {run.energy.work_done[-1]:.4f} J")
assert len(run.impacts) > 0 and abs(run["phi"][-1]) < 1e-2 and abs(run["x"][-1]) < 0.05
assert np.abs(run.energy.unexplained).max() < 1e-3 and run.verify()
