"""Contact problems from arrays and files, and their solutions."""

from __future__ import annotations

import itertools
import pathlib
from typing import Any, Callable

import h5py
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.linalg

import tippe
from conftest import ROOT
from program import answer, text_of, without_clocks
from systems import falling_ball
from tippe.problem import ConvexSet
from tippe.values import Array


def lcp_solutions(M: Array, q: Array) -> list[Array]:
    """All solutions of 0 <= z, M z + q >= 0, z'(M z + q) = 0, by trying every set of active rows."""
    n, found = len(q), []
    for active in itertools.chain.from_iterable(itertools.combinations(range(n), k) for k in range(n + 1)):
        z = np.zeros(n)
        rows = list(active)
        if rows:
            z[rows] = np.linalg.solve(M[np.ix_(rows, rows)], -q[rows])
        if (z >= 0).all() and (M @ z + q >= -1e-12).all():
            found.append(z)
    return found


def test_a_linear_complementarity_problem_has_its_solution() -> None:
    random = np.random.default_rng(7)
    for _ in range(20):
        root = random.normal(size=(5, 5))
        M, q = root @ root.T + 0.1 * np.eye(5), random.normal(size=5)
        (expected,) = lcp_solutions(M, q)  # positive definite: exactly one
        solution = tippe.solve(tippe.ContactProblem.from_lcp(M, q), tolerance=1e-12)
        assert solution.converged and solution.residual <= 1e-12
        np.testing.assert_allclose(solution.impulses, expected, atol=1e-9)
        np.testing.assert_allclose(solution.velocities, M @ solution.impulses + q, atol=1e-12)


def test_a_problem_without_solution_is_proved_to_have_none() -> None:
    # -z1 - z2 - 1 >= 0 has no solution with z >= 0.
    M, q = np.array([[-1.0, -1.0], [0.0, 1.0]]), np.array([-1.0, 0.0])
    solution = tippe.solve(tippe.ContactProblem.from_lcp(M, q))
    assert solution.status == "no_solution" and not solution.converged and "Farkas" in solution.reason
    y = solution.farkas
    assert y is not None
    # y >= 0 with M'y <= 0 and q'y < 0 contradicts M z + q >= 0 for every z >= 0.
    assert (y >= 0).all() and (M.T @ y <= 1e-12).all() and q @ y < 0


def test_a_mixed_problem() -> None:
    # u + v = 1, 0 <= v  _|_  u - 3 >= 0 : v > 0 asks for u = 3 and v = -2; so v = 0, u = 1, but 1 - 3 < 0. With b = 0: u = 1, v = 0.
    one = np.array([[1.0]])
    problem = tippe.ContactProblem.from_mlcp(one, 0 * one, one, one, np.array([-1.0]), np.array([0.0]))
    solution = tippe.solve(problem)
    assert solution.converged and problem.kind == "mlcp"
    np.testing.assert_allclose(solution.impulses, [1.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(solution.velocities, [0.0, 1.0], atol=1e-12)


def block(slope: float, mu: float, sparse: Callable[[Array], Any]) -> tippe.ContactProblem:
    """A block of 2 kg at rest on an incline after 0.1 s of its weight: coordinates along the slope and across it."""
    m, g, dt = 2.0, 9.81, 0.1
    M = m * np.eye(3)
    f = m * g * dt * np.array([-np.cos(slope), np.sin(slope), 0.0])
    return tippe.ContactProblem.from_global(sparse(M), f, sparse(np.eye(3)), np.zeros(3), [mu])


@pytest.mark.parametrize("sparse", [np.asarray, scipy.sparse.csc_array, scipy.sparse.csr_matrix, scipy.sparse.coo_matrix])
def test_a_block_on_an_incline_sticks_or_slides(sparse: Callable[[Array], Any]) -> None:
    m, g, dt, slope = 2.0, 9.81, 0.1, np.radians(30)
    normal, along = m * g * dt * np.cos(slope), m * g * dt * np.sin(slope)
    held = tippe.solve(block(slope, 0.7, sparse), tolerance=1e-12)
    np.testing.assert_allclose(held.impulses, [normal, -along, 0], atol=1e-11)
    np.testing.assert_allclose(held.velocities, 0, atol=1e-11)
    slides = tippe.solve(block(slope, 0.2, sparse), tolerance=1e-12)
    np.testing.assert_allclose(slides.impulses, [normal, -0.2 * normal, 0], atol=1e-11)
    assert slides.body_velocities is not None and slides.problem.kind == "gfc3d"
    np.testing.assert_allclose(slides.body_velocities, [0, g * dt * (np.sin(slope) - 0.2 * np.cos(slope)), 0], atol=1e-11)


def test_dense_and_sparse_are_the_same_to_the_bit() -> None:
    dense, sparse = (tippe.solve(block(0.4, 0.3, kind)) for kind in (np.asarray, scipy.sparse.csc_matrix))
    assert dense.impulses.tobytes() == sparse.impulses.tobytes()


@pytest.mark.parametrize("sparse", [scipy.sparse.csc_array, scipy.sparse.csr_matrix, scipy.sparse.coo_matrix])
def test_a_sparse_delassus_matrix_stays_sparse(sparse: Callable[[Any], Any]) -> None:
    # A chain of rows that all push. Dense, G would take 7 GB.
    n = 30_000
    G = scipy.sparse.diags_array([-1.0, 3.0, -1.0], offsets=[-1, 0, 1], shape=(n, n))
    problem = tippe.ContactProblem.from_inclusion(sparse(G), -np.ones(n), [tippe.HalfLine()] * n)
    solution = tippe.solve(problem, tolerance=1e-12)
    assert solution.converged
    np.testing.assert_allclose(solution.impulses, scipy.sparse.linalg.spsolve(G.tocsc(), np.ones(n)), rtol=1e-10)


def test_blocks_of_a_sparse_delassus_matrix_are_those_of_the_dense_one() -> None:
    random = np.random.default_rng(3)
    root = random.normal(size=(7, 7)) * (random.uniform(size=(7, 7)) < 0.4) + np.eye(7)
    G, c = root @ root.T, random.normal(size=7)
    sets: list[ConvexSet] = [tippe.Coulomb(0.3), tippe.HalfLine(), tippe.Coulomb(0.5)]
    dense, sparse = (tippe.ContactProblem.from_inclusion(made, c, sets) for made in (G, scipy.sparse.csc_array(G)))
    np.testing.assert_array_equal(sparse.G, G)
    assert tippe.solve(dense).impulses.tobytes() == tippe.solve(sparse).impulses.tobytes()


def test_sets_act_as_they_say() -> None:
    sets: list[ConvexSet] = [tippe.HalfLine(), tippe.Interval(-2.0, 2.0), tippe.Interval(-np.inf, np.inf), tippe.Coulomb(0.5, tangents=1)]
    # G = I: each row is alone. Half line: pushes 3 to rest. Interval: 5 against a limit of 2. Bilateral: all of 7. Contact: normal 4, sliding.
    c = np.array([-3.0, 5.0, -7.0, -4.0, 9.0])
    problem = tippe.ContactProblem.from_inclusion(np.eye(5), c, sets)
    solution = tippe.solve(problem, tolerance=1e-13)
    np.testing.assert_allclose(solution.impulses, [3.0, -2.0, 7.0, 4.0, -2.0], atol=1e-12)
    np.testing.assert_allclose(solution.velocities, [0.0, 3.0, 0.0, 0.0, 7.0], atol=1e-12)
    assert problem.sets == tuple(sets)
    np.testing.assert_array_equal(problem.G, np.eye(5))
    np.testing.assert_array_equal(problem.c, c)
    with pytest.raises(ValueError):
        solution.impulses[0] = 0.0


def test_anisotropic_and_drilling_friction() -> None:
    # Pure drilling: the moment mu Rbar N against it; and an ellipse whose axes the velocities have.
    sets: list[ConvexSet] = [tippe.Drilling(0.5, 0.1, "ellipsoid"), tippe.Coulomb(0.5, mu2=0.25)]
    c = np.array([-2.0, 0.0, 0.0, 3.0, -2.0, 0.0, 3.0])
    solution = tippe.solve(tippe.ContactProblem.from_inclusion(np.eye(7), c, sets), tolerance=1e-12)
    np.testing.assert_allclose(solution.impulses, [2.0, 0, 0, -0.5 * 0.1 * 2.0, 2.0, 0, -0.25 * 2.0], atol=1e-11)


def test_friction_with_given_limits() -> None:
    # Beyond the limits: an ellipse whose axis the velocity has; and pure drilling, whose moment is limit Rbar.
    sets: list[ConvexSet] = [tippe.GivenFriction(0.5, 0.25), tippe.GivenFriction(2.0, Rbar=0.1, set="ellipsoid")]
    c = np.array([0.0, 3.0, 0.0, 0.0, 5.0])
    problem = tippe.ContactProblem.from_inclusion(np.eye(5), c, sets)
    solution = tippe.solve(problem, tolerance=1e-12)
    np.testing.assert_allclose(solution.impulses, [0.0, -0.25, 0.0, 0.0, -0.2], atol=1e-11)
    assert problem.sets == tuple(sets)


def test_projected_iterations_of_the_text() -> None:
    # Moeller (2.57): one step with recovering, more than 1e5 without.
    problem = tippe.ContactProblem.from_inclusion(np.diag([1e4, 1.0]), np.ones(2), [tippe.GivenFriction(10.0)])
    one = tippe.solve(problem, solver="projected-jacobi", alpha=1.0)
    assert one.converged and one.iterations <= 2
    assert not tippe.solve(problem, solver="projected-jacobi", alpha=1.0, recover=False).converged
    with pytest.raises(tippe.InputError, match="alpha"):
        tippe.solve(problem, alpha=1.0)


def test_the_problem_does_not_change_with_the_array() -> None:
    G, c = np.eye(1), np.array([-1.0])
    problem = tippe.ContactProblem.from_inclusion(G, c, [tippe.HalfLine()])
    c[0] = G[0, 0] = 5.0
    np.testing.assert_allclose(tippe.solve(problem).impulses, [1.0])


@pytest.mark.parametrize("name", ["stack", "spinner"])
def test_files_are_solved_as_by_the_program(name: str, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    path = f"problems/{name}.hdf5"
    for arguments, options in [({}, []), ({"solver": "newton", "tolerance": 1e-6}, ["--solver", "newton", "--tol", "1e-6"])]:
        expected = answer(program, "solve", path, "--impulses", *options)
        solution = tippe.solve(tippe.read_problem(path), **arguments)  # type: ignore[arg-type]
        impulses = np.array(expected.pop("impulses"))
        assert without_clocks(solution.to_dict()) == expected
        assert solution.impulses.tobytes() == impulses.tobytes()
        assert solution.iterations == sum(stage.iterations for stage in solution.stages)
    ours, theirs = str(tippe.solve(tippe.read_problem(path))), text_of(program, "solve", path)
    without = [line for line in theirs.splitlines() if " s" not in line]
    assert [line for line in ours.splitlines() if " s" not in line] == without and len(without) > 4


def test_files_are_written_and_read(tmp_path: pathlib.Path) -> None:
    problem = tippe.read_problem(ROOT / "problems" / "spinner.hdf5")
    problem.write(tmp_path / "again.hdf5")
    again = tippe.read_problem(tmp_path / "again.hdf5")
    assert again.kind == problem.kind == "inclusion" and again.sets == problem.sets
    assert again.G.tobytes() == problem.G.tobytes() and again.c.tobytes() == problem.c.tobytes()
    M, q = np.array([[2.0, 1.0], [0.0, 3.0]]), np.array([-1.0, 2.0])
    tippe.ContactProblem.from_lcp(M, q).write(tmp_path / "lcp.hdf5")
    with h5py.File(tmp_path / "lcp.hdf5") as file:
        np.testing.assert_array_equal(file["M"][()], M)
        np.testing.assert_array_equal(file["q"][()], q)
    block(0.4, 0.3, np.asarray).write(tmp_path / "block.hdf5")
    assert tippe.read_problem(tmp_path / "block.hdf5").kind == "gfc3d"


def test_the_problem_of_a_step_is_the_one_that_the_program_dumps(program: str, scenes: pathlib.Path, tmp_path: pathlib.Path) -> None:
    scene = scenes / "rocking_block.toml"
    text_of(program, "run", str(scene), "--dump-problem", "0.4", "--out", str(tmp_path), "--quiet", "--no-report")
    expected = tippe.read_problem(tmp_path / "rocking_block.problem.hdf5")
    problem = tippe.load(scene).at(0.4).problem()
    assert problem.G.tobytes() == expected.G.tobytes() and problem.c.tobytes() == expected.c.tobytes()
    assert problem.sets == expected.sets


def test_the_problem_of_the_first_step() -> None:
    # The ball lies on the floor: G = 1/m, c = (1 + epsilon) u - g dt with u = 0.
    problem = falling_ball(dt=1e-3).at(q=[0.0], u=[0.0]).problem()
    np.testing.assert_allclose(problem.G, [[0.5]])
    np.testing.assert_allclose(problem.c, [-9.81 * 1e-3], rtol=1e-12)
    with pytest.raises(tippe.InputError, match="no contact problem: no law was active"):
        falling_ball().at(0.1).problem()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: tippe.ContactProblem.from_lcp(np.eye(2), [1.0]), "q"),
        (lambda: tippe.ContactProblem.from_lcp([1.0], [1.0]), "M has 1 dimensions and must be a matrix"),
        (lambda: tippe.ContactProblem.from_inclusion(np.eye(2), [0.0, 0.0], [tippe.HalfLine()]), "G is 2 x 2 and must be 1 x 1"),
        (lambda: tippe.ContactProblem.from_inclusion(np.eye(1), [0.0, 0.0], [tippe.HalfLine()]), "c has 2 entries and must have 1"),
        (lambda: tippe.ContactProblem.from_inclusion(np.eye(3), np.zeros(3), [tippe.Coulomb(-1.0)]), "mu"),
        (lambda: tippe.ContactProblem.from_inclusion(np.eye(3), np.zeros(3), [tippe.Coulomb(1.0, tangents=3)]), "tangents is 3"),
        (lambda: tippe.ContactProblem.from_global(np.eye(2), [0, 0], np.eye(2), [0, 0], [0.5, 0.5]), "w has 2 entries and must have 2 or 3"),
        (lambda: tippe.ContactProblem.from_global(np.eye(3), [0, 0], np.eye(2), [0, 0], [0.5]), "M is 3 x 3 and must be 2 x 2"),
        (lambda: tippe.ContactProblem.from_global(np.zeros((2, 2)), [0, 0], np.eye(2), [0, 0], [0.5]), "singular"),
        (lambda: tippe.ContactProblem.from_global(np.eye(2), [0, 0], np.eye(2), [0, 0], [-0.5]), "mu\\[0\\] is -0.5 and must not be negative"),
        (lambda: tippe.ContactProblem.from_lcp([[1.0, np.nan], [0.0, 1.0]], [1.0, 1.0]), "M\\[0, 1\\] is nan and must be finite"),
        (lambda: tippe.ContactProblem.from_inclusion(np.eye(1), [np.inf], [tippe.HalfLine()]), "c\\[0\\] is inf and must be finite"),
        (lambda: tippe.ContactProblem.from_inclusion(np.eye(1), [0.0], [tippe.Interval(2.0, 1.0)]), "interval \\[2, 1\\], which is empty"),
        (lambda: tippe.solve(block(0.1, 0.1, np.asarray), solver="lemk"), "^solver: there is no 'lemk'.*did you mean 'lemke'"),
        (lambda: tippe.solve(block(0.1, 0.1, np.asarray), tolerance=0), "^tolerance: 0 must be a positive number"),
        (lambda: tippe.solve(block(0.1, 0.1, np.asarray), max_iterations=5), "^max_iterations: is for a single method; name it with solver$"),
        (lambda: tippe.ContactProblem.from_lcp(np.eye(1), [1.0]).G, "a problem of kind lcp has no G"),
    ],
)
def test_what_is_wrong_is_named(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(tippe.InputError, match=message):
        make()


def test_a_missing_file_is_a_file_error() -> None:
    with pytest.raises(tippe.FileError):
        tippe.read_problem("nowhere.hdf5")
