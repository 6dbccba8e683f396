"""A ladder between a rough floor and a rough wall: four contact forces, three equations.

Which forces are possible, whatever the true ones are? tippe gives the interval of each, and so do a few lines by hand.
"""

import numpy as np

import tippe

ladder = tippe.load("ladder", settings={"mu": 0.5})
instant = ladder.at()  # its start: at rest
analysis = instant.analyze()
print(analysis)

forces, sticking = analysis.forces, analysis.sticking
assert forces is not None and forces.bounds is not None and sticking is not None and sticking.bounds is not None

print("without limits of friction:")
for name, (low, high) in forces.bounds.items():
    print(f"  {name:9s} from {low:10.4f} to {high:10.4f} N")
print("within friction, mu = 0.5:")
for name, (low, high) in sticking.bounds.items():
    print(f"  {name:9s} from {low:10.4f} to {high:10.4f} N")

# By hand. Foot 3 m from the wall, top 4 m high, weight W in the middle; the wall pushes with n and its friction t:
#   floor: normal W - t, friction n towards the wall;   moments about the foot: 4 n + 3 t = 1.5 W.
# Friction: n <= mu (W - t) and |t| <= mu n, with t = 0.5 W - 4/3 n.
W, mu = 12 * 9.81, 0.5
least = 0.5 * W / (mu + 4 / 3)  # t = mu n
most = min(0.5 * W / (4 / 3 - mu), 0.5 * mu * W / (1 - 4 / 3 * mu))  # t = -mu n; n = mu (W - t)
np.testing.assert_allclose(sticking.bounds["wall.n"], (least, most), rtol=1e-6)
print(f"by hand: the wall pushes with {least:.4f} to {most:.4f} N; the least friction that holds is mu = {sticking.mu_min:.6f}")
assert abs((sticking.mu_min or 0) - 1 / 3) < 1e-9
