"""Contact problems from arrays, without any bodies: an LCP, a friction problem in global form, and one with sets of one's own."""

import numpy as np

import tippe
from tippe import ContactProblem, Coulomb, HalfLine, Interval

# 0 <= z, M z + q >= 0, complementary. Rows two and three are active: z = (0, 1, 1).
M = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]])
q = np.array([1.0, -4.0, -3.0])
lcp = tippe.solve(ContactProblem.from_lcp(M, q))
print(lcp)
np.testing.assert_allclose(lcp.impulses, [0, 1, 1], atol=1e-9)

# M v = H r + f, u = H'v + w with Coulomb friction: a block of 2 kg lands on a floor with (4, 0, -3) m/s. Rows of a contact: normal, two tangents.
mass, mu = 2.0, 0.3
velocity = np.array([4.0, 0.0, -3.0])
H = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])  # columns: z, x, y
landing = tippe.solve(ContactProblem.from_global(mass * np.eye(3), mass * velocity, H, np.zeros(3), [mu]))
print(landing)
assert landing.body_velocities is not None
print("velocity after it:", landing.body_velocities, "m/s")
np.testing.assert_allclose(landing.impulses, [mass * 3, -mu * mass * 3, 0], atol=1e-7)
np.testing.assert_allclose(landing.body_velocities, [4 - mu * 3, 0, 0], atol=1e-7)

# xi = G Lambda + c with a set for each block: a frictionless contact, a brake that holds at most 1 N s, a contact in the plane.
G = np.diag([1.0, 0.5, 1.0, 1.0]) + 0.1
c = np.array([-1.0, 2.0, -3.0, 0.5])
mixed = ContactProblem.from_inclusion(G, c, [HalfLine(), Interval(-1.0, 1.0), Coulomb(0.4, tangents=1)])
for solver in ("portfolio", "gauss-seidel", "anderson", "newton"):
    solution = tippe.solve(mixed, solver=solver, tolerance=1e-10)
    print(f"{solver:15s} {solution.status}, residual {solution.residual:.1e}, impulses {np.round(solution.impulses, 6)}")
    assert solution.converged

mixed.write("mixed.hdf5")  # `tippe solve mixed.hdf5` gives the same
again = tippe.solve(tippe.read_problem("mixed.hdf5"))
assert again.impulses.tobytes() == tippe.solve(mixed).impulses.tobytes()
