"""Painleve's rod: friction that makes the motion of a rigid body impossible, or not unique.

A rod slides on its lower tip. Its normal force is m g / (1 + 3 cos (cos - mu sin)) of its angle: beyond mu = (1 + 3 cos^2) / (3 sin cos), which is
4/3 here, the denominator is negative. Which modes are left then depends on the loads.
"""

import tippe

print("  mu   consistent modes of the tip")
for mu in (0.5, 1.0, 1.3, 1.4, 2.0):
    rod = tippe.load("painleve_rod", settings={"mu": mu})
    start = rod.at()
    modes = start.modes()
    assert modes.motion is not None
    found = [mode.contacts["tip"] for mode in modes.motion.consistent]
    print(f"{mu:4.1f}   {', '.join(found) or 'none'}")
    assert bool(found) == (mu < 4 / 3)

painleve = start.analyze().painleve
assert painleve is not None and painleve.mu_critical is not None
print(f"critical friction: {painleve.mu_critical['tip']:.6f}; with mu = {mu} the problem is {painleve.classification}")
print("why the modes fail:")
for mode in modes:
    print(f"  {mode.name}: {'; '.join(mode.reasons)}")

# The same rod, turning: its tip is thrown upwards, so that it may lift off, or go on sliding. Both are motions of the same rigid body.
turning = rod.at(q=start.q, u=[-4.0, -3.0, -3.0])
both = turning.modes()
assert both.motion is not None
for mode in both.motion.consistent:
    assert mode.motion is not None and mode.forces is not None
    print(f"turning at 3 rad/s: {mode.name}, angular acceleration {mode.motion['theta']:.3f} rad/s^2")
