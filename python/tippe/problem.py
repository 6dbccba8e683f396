"""Contact and complementarity problems from arrays or files, and their solution: `tippe solve`."""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _tippe
from .immutable import Immutable
from .interruptible import interruptible
from .arguments import matrix, vector, word
from .errors import InputError, told_at_the_call
from .values import Array, read_only

_DRILLING_SETS = ("exact", "ellipsoid", "cylinder")


@dataclasses.dataclass(frozen=True)
class HalfLine:
    """-Lambda in (-inf, 0]: a unilateral contact without friction, one row: Lambda >= 0, xi >= 0, Lambda xi = 0."""


@dataclasses.dataclass(frozen=True)
class Interval:
    """-Lambda in [lower, upper] (N s), one row: dry friction with a given limit; with infinite bounds a bilateral constraint."""

    lower: float
    upper: float


@dataclasses.dataclass(frozen=True)
class Coulomb:
    """A unilateral contact with Coulomb friction: the normal row, then `tangents` (1 or 2) rows of friction.

    mu: coefficient of friction, mu2: along the second tangent if the friction is anisotropic. extra_normal: impulse (N s) that loads the
    friction beside Lambda_N.
    """

    mu: float
    tangents: int = 2
    mu2: Optional[float] = None
    extra_normal: float = 0.0


@dataclasses.dataclass(frozen=True)
class Drilling:
    """A unilateral contact with Coulomb-Contensou friction: normal, two tangents and drilling, four rows.

    Rbar: mean drilling radius, m. set: "exact", "ellipsoid" or "cylinder".
    """

    mu: float
    Rbar: float
    set: str = "exact"
    extra_normal: float = 0.0


@dataclasses.dataclass(frozen=True)
class GivenFriction:
    """Friction in a plane whose limit is given (N s): two rows, an ellipse with the semi-axes `limit` and `limit2`.

    With Rbar, the mean drilling radius in m, a third row for drilling; set: "exact", "ellipsoid" or "cylinder".
    """

    limit: float
    limit2: Optional[float] = None
    Rbar: Optional[float] = None
    set: str = "exact"


ConvexSet = Union[HalfLine, Interval, Coulomb, Drilling, GivenFriction]
_Law = Union[
    _tippe.HalfLine,
    _tippe.Interval,
    _tippe.CoulombContact,
    _tippe.DrillingContact,
    _tippe.PlaneFriction,
    _tippe.DrillingFriction,
]


def _set_number(name: str) -> int:
    if name not in _DRILLING_SETS:
        raise InputError(f"set is {name!r} and must be one of {', '.join(_DRILLING_SETS)}")
    return _DRILLING_SETS.index(name)


def _law(chosen: ConvexSet) -> Tuple[_Law, int]:
    """What the library takes, and its rows."""
    if isinstance(chosen, HalfLine):
        return _tippe.HalfLine(), 1
    if isinstance(chosen, Interval):
        return _tippe.Interval(chosen.lower, chosen.upper), 1
    if isinstance(chosen, Coulomb):
        if chosen.tangents not in (1, 2):
            raise InputError(f"tangents is {chosen.tangents} and must be 1 or 2")
        mu2 = chosen.mu if chosen.mu2 is None else chosen.mu2
        return _tippe.CoulombContact(chosen.mu, mu2, chosen.extra_normal), 1 + chosen.tangents
    if isinstance(chosen, Drilling):
        return _tippe.DrillingContact(chosen.mu, chosen.Rbar, _set_number(chosen.set), chosen.extra_normal), 4
    if isinstance(chosen, GivenFriction):
        if chosen.Rbar is None:
            return _tippe.PlaneFriction(chosen.limit, chosen.limit if chosen.limit2 is None else chosen.limit2), 2
        if chosen.limit2 not in (None, chosen.limit):
            raise InputError("limit2 must be left out with Rbar: friction with drilling is the same in all directions")
        return _tippe.DrillingFriction(chosen.limit, chosen.Rbar, _set_number(chosen.set)), 3
    raise TypeError(f"{chosen!r} is no set: use HalfLine, Interval, Coulomb, Drilling or GivenFriction")


def _set(law: _Law, rows: int) -> ConvexSet:
    if isinstance(law, _tippe.HalfLine):
        return HalfLine()
    if isinstance(law, _tippe.Interval):
        return Interval(law.lower, law.upper)
    if isinstance(law, _tippe.CoulombContact):
        return Coulomb(law.mu1, rows - 1, None if law.mu1 == law.mu2 else law.mu2, law.extra_normal)
    if isinstance(law, _tippe.PlaneFriction):
        return GivenFriction(law.limit1, None if law.limit1 == law.limit2 else law.limit2)
    if isinstance(law, _tippe.DrillingFriction):
        return GivenFriction(law.limit, None, law.Rbar, _DRILLING_SETS[law.set])
    return Drilling(law.mu, law.Rbar, _DRILLING_SETS[law.set], law.extra_normal)


_Entries = Tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Array]


def _entries(name: str, value: Any, shape: Tuple[int, int]) -> _Entries:
    """Rows, columns and values of what is not zero."""
    if hasattr(value, "tocoo"):
        coo = value.tocoo()
        found, row, column, values = coo.shape, coo.row, coo.col, coo.data
        values = vector(f"{name}.data", values)
    else:
        dense = matrix(name, value)
        row, column = np.nonzero(dense)
        found, values = dense.shape, dense[row, column]
    if tuple(found) != shape:
        raise InputError(f"{name} is {found[0]} x {found[1]} and must be {shape[0]} x {shape[1]}")
    return (
        np.ascontiguousarray(row, dtype=np.int64),
        np.ascontiguousarray(column, dtype=np.int64),
        np.ascontiguousarray(values, dtype=np.float64),
    )


class ContactProblem(Immutable):
    """A problem that tippe.solve() solves; made from arrays, from a file or from an instant of a simulation. Immutable.

    The numbers of arrays are copied: the problem does not change when they do.
    """

    def __init__(self, stored: _tippe.StoredProblem, name: str, made: Optional[Tuple[str, Tuple[Any, ...]]] = None) -> None:
        self._stored = stored
        self.name = name
        self._made = made  # how, from arrays

    @classmethod
    def _make(cls, name: str, function: str, *arguments: Any) -> "ContactProblem":
        return cls(getattr(_tippe, function)(*arguments), name, (function, arguments))

    def __reduce__(self) -> Tuple[Any, ...]:
        if self._made is not None and self._made[0] != "make_inclusion":  # whose sets are not for pickles
            function, arguments = self._made
            return ContactProblem._make, (self.name, function, *arguments)
        with tempfile.TemporaryDirectory(prefix="tippe-") as folder:
            path = os.path.join(folder, "problem.hdf5")
            self.write(path)
            with open(path, "rb") as file:
                return _from_bytes, (file.read(), self.name)

    @classmethod
    def from_inclusion(cls, G: Any, c: Any, sets: Sequence[ConvexSet], name: str = "problem") -> "ContactProblem":
        """xi = G Lambda + c with xi_i in N_Ci(-Lambda_i), one set for each block of rows (docs/theory/inclusion.md).

        G: the Delassus matrix (1/kg), dense or a sparse one of scipy, which stays sparse. c: m/s. Lambda: N s. In a block the normal comes first.
        """
        pairs = [_law(chosen) for chosen in sets]
        laws, sizes = [law for law, _ in pairs], [rows for _, rows in pairs]
        rows = sum(sizes)
        return cls._make(name, "make_inclusion", *_entries("G", G, (rows, rows)), vector("c", c), laws, sizes)

    @classmethod
    def from_global(cls, M: Any, f: Any, H: Any, w: Any, mu: Any, name: str = "problem") -> "ContactProblem":
        """M v = H r + f, u = H'v + w, Coulomb's law with mu between r and u at every contact: FCLIB's global problem.

        M, H: dense, or sparse ones of scipy, which stay sparse. f: N s. w: m/s. mu: one for each contact, which owns 2 (plane) or 3 (space) columns
        of H, the normal first. Raises InputError if M is singular.
        """
        f, w, mu = vector("f", f), vector("w", w), vector("mu", mu)
        if len(mu) == 0 or len(w) not in (2 * len(mu), 3 * len(mu)):
            raise InputError(f"w has {len(w)} entries and must have 2 or 3 for each of the {len(mu)} contacts of mu")
        if mu.min() < 0:
            raise InputError(f"mu[{mu.argmin()}] is {mu.min()} and must not be negative")
        M_entries, H_entries = _entries("M", M, (len(f), len(f))), _entries("H", H, (len(f), len(w)))
        return cls._make(name, "make_global", *M_entries, *H_entries, f, w, mu, len(w) // len(mu))

    @classmethod
    def from_lcp(cls, M: Any, q: Any, name: str = "problem") -> "ContactProblem":
        """Linear complementarity: 0 <= z, M z + q >= 0, complementary. M of any kind."""
        return cls._make(name, "make_lcp", matrix("M", M), vector("q", q))

    @classmethod
    def from_mlcp(cls, A: Any, B: Any, C: Any, D: Any, a: Any, b: Any, name: str = "problem") -> "ContactProblem":
        """Mixed linear complementarity: A u + C v + a = 0; 0 <= v, D u + B v + b >= 0, complementary."""
        A, B, C, D = matrix("A", A), matrix("B", B), matrix("C", C), matrix("D", D)
        return cls._make(name, "make_mlcp", A, B, C, D, vector("a", a), vector("b", b))

    @property
    def kind(self) -> str:
        """inclusion, fc3d, fc2d, gfc3d, gfc2d (FCLIB local and global), lcp or mlcp."""
        return self._stored.kind

    @property
    def G(self) -> Array:
        """The Delassus matrix, dense (a copy). Not of an LCP or MLCP."""
        return self._stored.G()

    @property
    def c(self) -> Array:
        """m/s: the velocities that would result without impulses (a copy). Not of an LCP or MLCP."""
        return self._stored.c()

    @property
    def sets(self) -> Tuple[ConvexSet, ...]:
        """One for each block of rows. Not of an LCP or MLCP."""
        return tuple(_set(law, rows) for law, rows in zip(self._stored.laws, self._stored.sizes))

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a file for `tippe solve` (HDF5, docs/problem_files.md); one of that name is replaced. FCLIB local where that can hold the problem."""
        self._stored.write(os.fspath(path), self.name)

    def __repr__(self) -> str:
        return f"<tippe.ContactProblem {self.name!r}, {self.kind}>"


def _from_bytes(content: bytes, name: str) -> ContactProblem:
    with tempfile.TemporaryDirectory(prefix="tippe-") as folder:
        path = os.path.join(folder, "problem.hdf5")
        with open(path, "wb") as file:
            file.write(content)
        return ContactProblem(_tippe.read_problem(path), name)


@dataclasses.dataclass(frozen=True, eq=False)
class Stage:
    """One stage of a solver: what it did, how long it took (s), and the residual after it."""

    name: str
    iterations: int
    seconds: float
    residual: float


class Solution(Immutable):
    """What tippe.solve() found. str() gives the text of `tippe solve`.

    status: "converged", "not_converged" (impulses is then the best iterate, reason says why) or "no_solution" (proved: reason, and farkas, a vector that proves it, or None).
    residual: without unit, measured from the impulses alone; worst_contact: the contact or row that contributes most.
    impulses: Lambda or r, N s (of an LCP z, of an MLCP u and v). velocities: what they cause, xi = G Lambda + c, m/s (of an LCP M z + q, of an
    MLCP both sides). body_velocities: v of a global problem, else None. Arrays are read-only and not copied.
    """

    def __init__(self, problem: ContactProblem, report: _tippe.SolveReport) -> None:
        self.problem = problem
        self._report: Optional[_tippe.SolveReport] = report
        self._text = ""  # of a pickle
        self._json = report.json()
        value = json.loads(self._json)
        self.status: str = value["status"]
        self.reason: str = report.reason
        self.residual: float = float(value["residual"])
        self.residual_worst_contact: float = float(value["residual_worst_contact"])
        self.worst_contact: Optional[int] = value["worst_contact"]
        self.solver: str = value["solver"]
        self.stages: List[Stage] = [
            Stage(stage["name"], stage["iterations"], stage["seconds"], float(stage["residual"])) for stage in value["stages"]
        ]
        self.iterations: int = value["iterations"]
        self.islands: int = report.islands
        self.wall_time: float = value["wall_time_s"]
        self.impulses: Array = read_only(report.impulses)
        self.velocities: Array = read_only(problem._stored.evaluate(self.impulses))
        self.body_velocities: Optional[Array] = None
        if problem._stored.spacedim:
            self.body_velocities = read_only(problem._stored.body_velocities(self.impulses))
        self.farkas: Optional[Array] = read_only(report.farkas) if len(report.farkas) else None

    @property
    def converged(self) -> bool:
        return self.status == "converged"

    def to_dict(self) -> Dict[str, Any]:
        """The JSON of `tippe solve --json` as dictionaries and lists (a copy)."""
        value: Dict[str, Any] = json.loads(self._json)
        return value

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_report": None, "_text": str(self)}

    def __str__(self) -> str:
        return self._text if self._report is None else self._report.text(self.problem.name)

    def __repr__(self) -> str:
        return f"<tippe.Solution {self.status}, residual {self.residual:.3g}, {self.iterations} iterations>"


def read_problem(path: Union[str, "os.PathLike[str]"]) -> ContactProblem:
    """Reads a problem (HDF5, docs/problem_files.md): FCLIB local and global, LCP, MLCP, and what `tippe run --dump-problem` writes.

    Raises InputError or FileError for anything else. HDF5 itself may crash on damaged files.
    """
    name = os.fspath(path)
    return ContactProblem(_tippe.read_problem(name), name)


@told_at_the_call
def solve(
    problem: ContactProblem,
    solver: str = "portfolio",
    tolerance: float = 1e-8,
    max_iterations: int = 0,
    threads: int = 1,
    alpha: Optional[float] = None,
    recover: bool = True,
    transform: bool = True,
) -> Solution:
    """Solves a problem, as `tippe solve`.

    solver: one of `tippe list solvers`. tolerance: solved when the residual is at most this (without unit). max_iterations: of a single method; 0: its own
    budget. threads: 1 or 2, the result is the same. alpha, recover and transform are for projected-jacobi and projected-gauss-seidel: the relaxation (0, 2],
    the diagonal step while the prox does not project, ellipses turned into discs. Raises InputError for a bad argument; whether it was solved is in the answer.
    Other threads of Python go on meanwhile; Ctrl-C leaves the call at once.
    """
    report = interruptible(problem._stored.solve, word("solver", solver), float(tolerance), int(max_iterations), int(threads),
                           None if alpha is None else float(alpha), bool(recover), bool(transform))
    return Solution(problem, report)
