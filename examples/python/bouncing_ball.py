"""A bouncing ball, built in Python, against its closed form.

Dropped from the height h it hits the floor at t1 = sqrt(2 h / g), then after flights of 2 epsilon^k t1: all bounces are over at t1 (1 + epsilon) / (1 - epsilon).
"""

import numpy as np

import tippe

h, g, epsilon, m = 1.0, 9.81, 0.5, 2.0

ball = tippe.system(
    title="Bouncing ball",
    parameters={"m": m, "g": g},
    lagrangian={"coordinates": ["y"], "kinetic": "0.5*m*y'^2", "potential": "m*g*y"},
    contact=[{"name": "floor", "gap": "y", "restitution": epsilon}],
    initial={"y": h},
    run={"dt": 1e-4, "until": 2.0},
)

first = np.sqrt(2 * h / g)
bounces = np.arange(8)
exact = first * (1 + 2 * epsilon * (1 - epsilon**bounces) / (1 - epsilon))  # times of the impacts

# Time stepping: an impact belongs to the step in which it happens, so its time is known up to one step, and later ones add up.
run = ball.run()
print(" bounce   closed form   moreau, dt = 1e-4")
for k in range(5):
    print(f"{k + 1:7d}   {exact[k]:.9f}   {run.impacts.time[k]:.9f}")
assert np.abs(run.impacts.time[:5] - exact[:5]).max() < 10 * ball.dt

# From event to event: round-off.
events = ball.run(integrator="event-driven")
print(f"event-driven: error {np.abs(events.impacts.time[:8] - exact).max():.1e} s in the first eight")
assert np.abs(events.impacts.time[:8] - exact).max() < 1e-12

end = first * (1 + epsilon) / (1 - epsilon)
last = next(event for event in events.events if event.kind == "accumulation")
print(f"it comes to rest at {last.time:.9f} s, by the closed form at {end:.9f} s")
assert abs(last.time - end) < 1e-9

lost = run.energy.lost_in_contacts[-1]
print(f"energy lost in contacts: {lost:.6f} J of {m * g * h:.6f} J")
assert abs(lost - m * g * h) < 1e-2
