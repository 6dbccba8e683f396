"""What is known of a contact problem at one instant: the answers of `tippe analyze` as objects.

Attributes have the names of the JSON of `tippe analyze --json` (docs/analysis_files.md). Numbers are numpy arrays (float64, read-only), numbers by name
tippe.Named, intervals tippe.Bounds, answers tippe.Verdict. Force components are called after their contact: "foot.n", "foot.t", or in space "foot.t1", "foot.t2".
What does not apply is None, and `notes` says why. SI units: forces in N (N m for rotations), accelerations in m/s^2 (rad/s^2), impulses in N s.
"""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Annotated, Any, Dict, Optional, Tuple, Union

from . import _tippe
from .interruptible import interruptible
from .pages import inline_page
from .values import Array, Bounds, Matrix, Named, Verdict, part, rows


@dataclasses.dataclass(frozen=True, eq=False)
class Finding:
    """One answer in words. topic: "Motion"; answer: "unique"; text: whole sentences."""

    topic: str
    answer: str
    text: str


@dataclasses.dataclass(frozen=True, eq=False)
class Delassus:
    """The Delassus matrix of the normal directions, N' M^-1 N (1/kg), and of its rank."""

    matrix: Optional[Matrix]
    constrained: Optional[Matrix]  # what joints leave of it
    rank: int
    eigenvalues: Array
    definite: Verdict
    smallest_kept: Optional[float]  # singular values on both sides of the rank
    largest_dropped: Optional[float]
    null_space: Tuple[Named, ...]  # normal forces that move nothing
    joint_rank: int
    free_acceleration: Optional[Named]  # m/s^2  of the gaps without contact forces
    jointed_acceleration: Optional[Named]  # m/s^2  the same with joint forces
    blocked: Tuple[str, ...]  # contacts that joints hold
    sticking: Optional[Matrix]  # `constrained` with the tangents of contacts at rest among the constraints
    sticking_definite: Optional[Verdict]
    inverse_mass: Optional[Matrix]  # M_c^-1
    distortion: Optional[Matrix]  # M M_c^-1 M
    distortion_angle_deg: Optional[Named]  # between a contact's direction and what constraints leave of it


@dataclasses.dataclass(frozen=True, eq=False)
class KineticAngles:
    """Angles between directions, measured by the kinetic energy, in degrees."""

    unilateral: Optional[Matrix]
    unilateral_constrained: Optional[Matrix]
    unilateral_bilateral: Optional[Matrix]
    principal_cosines: Array


@dataclasses.dataclass(frozen=True, eq=False)
class Criterion:
    """A theorem of the literature, applied. kind: "necessary", "sufficient" or "exact"."""

    name: str
    source: str
    statement: str
    applies: bool
    holds: Optional[bool]  # None: it does not apply, or the data lie on its boundary
    answer: Optional[str]  # "yes", "no", "undecided"; None: it does not apply
    value: Optional[float]
    kind: str
    about: str  # "definiteness" of A_c or "solvability"


@dataclasses.dataclass(frozen=True, eq=False)
class Solvability:
    """Whether there are accelerations and forces at all, and what that rests on (`ground`)."""

    verdict: str
    margin: Optional[float]
    problem: str
    certificate: Optional[Named]
    ground: str
    certificate_value: Optional[float]
    separating_direction: Optional[Array]
    massless_direction: Optional[Array]
    culprits: Tuple[str, ...]
    reason: Optional[str]  # why it was not decided


@dataclasses.dataclass(frozen=True, eq=False)
class Acceleration:
    """The accelerations: `value` (m/s^2, order of Analysis.coordinates), within `bounds` if they are not unique."""

    unique: Verdict
    value: Array
    free_directions: Matrix  # one row each
    bounds: Optional[Bounds]
    residual: Optional[float]


@dataclasses.dataclass(frozen=True, eq=False)
class LiftOff:
    """Which closed contacts the motion opens. persistent: whether all stay closed in some motion."""

    gap_acceleration: Optional[Named]  # m/s^2
    bounds: Optional[Bounds]
    opening: Tuple[str, ...]
    may_open: Tuple[str, ...]  # in another motion
    persistent: Verdict


@dataclasses.dataclass(frozen=True, eq=False)
class Forces:
    """The contact and constraint forces, N.

    bounds: what each component can be at most and at least, whatever the others are: bounds["foot.n"] is (low, high), bounds.array has
    one row for each component. bounds_kind: "exact", or "outer" where bounds need not be reached.
    representative: one possible set of forces. free_directions: combinations that change nothing but each other.
    groups: components that share a load; group_sums: their sum (N), None where it is not fixed.
    """

    unique: Verdict
    representative: Optional[Named]
    bounds: Optional[Bounds]
    bounds_kind: str
    free_directions: Tuple[Named, ...]
    groups: Tuple[Tuple[str, ...], ...]
    group_sums: Tuple[Optional[float], ...]
    implicitly_zero: Tuple[str, ...]
    residual: Optional[float]


@dataclasses.dataclass(frozen=True, eq=False)
class Sensitivity:
    """How the forces change per unit of an external force along each coordinate, while the same contacts stay closed. forces: one row by name, None where a
    force is not determined. strict: every closed contact is loaded."""

    forces: Annotated[Dict[str, Optional[Array]], rows]
    acceleration: Optional[Matrix]
    strict: bool


@dataclasses.dataclass(frozen=True, eq=False)
class Gauss:
    """The motion as the solution of quadratic programs: dual = -primal = distance = gap_distance in theory; gap is what is missing, relative."""

    gaussian: Optional[float]
    primal: float
    dual: float
    distance: float
    gap_distance: Optional[float]
    gap: float


@dataclasses.dataclass(frozen=True, eq=False)
class Actuation:
    """The least forces of actuators (without any: along each coordinate) that keep all contacts closed and sticking. possible: "yes", "no", "undecided"."""

    possible: str
    forces: Optional[Named]
    contact_forces: Optional[Named]


@dataclasses.dataclass(frozen=True, eq=False)
class TradeOff:
    """The least friction coefficient of one contact, with those of the others as they are, and however rough they are."""

    others_given: Optional[float]
    others_unlimited: Optional[float]


@dataclasses.dataclass(frozen=True, eq=False)
class FrictionFront:
    """Least friction coefficients of two contacts with which all stick, the others as they are: points of the curve below which they cannot both be."""

    contacts: Tuple[str, ...]
    mu: Matrix  # one row for each point; one: both are least at once


@dataclasses.dataclass(frozen=True, eq=False)
class Sticking:
    """Whether all contacts at rest can stick, and with how little friction (mu_min, the same for all)."""

    feasible: Verdict
    persistent: Verdict  # the same with all contacts closed
    mu_min: Optional[float]
    forces: Optional[Named]
    blocking_direction: Optional[Array]
    mu_factor: Optional[float]
    mu_min_gap: Optional[float]
    mu_min_attained: bool
    bounds: Optional[Bounds]
    bounds_kind: str
    trade_offs: Dict[str, TradeOff]  # the least coefficient of each contact alone
    fronts: Tuple[FrictionFront, ...]  # of each two of up to four
    tipping: bool
    unloadable: Tuple[str, ...]
    self_stress: bool
    reason: Optional[str]  # why it was not decided


@dataclasses.dataclass(frozen=True, eq=False)
class Closure:
    """Whether a grasp is closed: form closure without friction, force closure with it."""

    form: Verdict
    force: Verdict
    unresisted: Optional[Array]


@dataclasses.dataclass(frozen=True, eq=False)
class PainleveSolution:
    """One of the motions that Coulomb's law allows. contacts and dry frictions: "open", "closed", "slide" or "stick" by name."""

    contacts: Dict[str, str]
    forces: Optional[Named]
    acceleration: Array
    gap_acceleration: Optional[Named]  # m/s^2


@dataclasses.dataclass(frozen=True, eq=False)
class Painleve:
    """Existence and uniqueness with Coulomb friction. classification: "unique", "indeterminate", "inconsistent", "singular",
    "massless_loaded" or None."""

    classification: Optional[str]
    mu_critical: Optional[Named]
    solutions: Tuple[PainleveSolution, ...]
    reason: Optional[str]
    beyond_critical: Tuple[str, ...]
    safe: Verdict
    p_matrix: Optional[bool]
    cases: int
    exhaustive: bool
    impulse: Optional[Named]
    massless_direction: Optional[Array]


@dataclasses.dataclass(frozen=True, eq=False)
class KinematicImpact:
    """The impact by the kinematic law, v+ = -E v- at every contact. impulses: N s; velocity_after: m/s; energy_change: J."""

    impulses: Optional[Array]
    bilateral_impulses: Optional[Array]
    velocity_after: Optional[Array]
    energy_change: Optional[float]  # J  relative to surfaces that move
    surface_work: Optional[float]  # J  of those
    kinetic_energy_change: Optional[float]  # J  the sum of both
    residual: Optional[float]
    admissible: Verdict
    reasons: Tuple[str, ...]
    exists: bool
    unique: bool


@dataclasses.dataclass(frozen=True, eq=False)
class ImpactOfLaw:
    """The impact by an impact law of scenes. impulses: N s, along the normals; friction: N s, by name; velocity_after: m/s; energy_change: J;
    alternatives: other velocities that satisfy the law, None if that is not known."""

    impulses: Array
    friction: Optional[Named]
    bilateral_impulses: Array
    velocity_after: Array
    energy_change: float  # J  relative to surfaces that move
    surface_work: float  # J  of those
    kinetic_energy_change: float  # J  the sum of both
    energy_rises: bool
    residual: float
    alternatives: Optional[int]


@dataclasses.dataclass(frozen=True, eq=False)
class Impact:
    """A collision, by every impact law; law: the one that governs here ("kinematic": a restitution matrix). gap_velocity: m/s, before it."""

    law: str
    newton: Optional[ImpactOfLaw]
    poisson: Optional[ImpactOfLaw]
    moreau: Optional[ImpactOfLaw]
    kinematic: KinematicImpact
    velocity_before: Array
    projected: Optional[float]
    massless_direction: Optional[Array]
    contacts: Tuple[str, ...]
    constraints: Tuple[str, ...]
    gap_velocity: Optional[Named]
    warnings: Tuple[str, ...]


@dataclasses.dataclass(frozen=True, eq=False)
class GeneralizedInverse:
    """The motion with all rows as equations, by the generalized inverse."""

    acceleration: Optional[Array]
    constraint_force: Optional[Array]
    force_by_load: Optional[Array]  # its parts: by the load,
    force_by_rows: Optional[Array]  # and linear in the right sides of the rows
    multipliers: Optional[Array]
    consistent: Verdict
    gaussian: Optional[float]
    rows: Tuple[str, ...]
    multipliers_unique: bool
    culprits: Tuple[str, ...]
    determined: bool
    undetermined_direction: Optional[Array]


@dataclasses.dataclass(frozen=True, eq=False)
class _Parts:
    file: str
    title: Optional[str]
    time: Optional[float]  # s
    coordinates: Tuple[str, ...]
    unilateral: Tuple[str, ...]
    bilateral: Tuple[str, ...]
    dry_friction: Tuple[str, ...]
    begins_to_slide: Tuple[str, ...]
    summary: Tuple[Finding, ...]
    delassus: Optional[Delassus]
    kinetic_angles_deg: Optional[KineticAngles]
    criteria: Tuple[Criterion, ...]
    solvable: Optional[Solvability]
    acceleration: Optional[Acceleration]
    lift_off: Optional[LiftOff]
    forces: Optional[Forces]
    sensitivity: Optional[Sensitivity]
    gauss: Optional[Gauss]
    sticking: Optional[Sticking]
    actuation: Optional[Actuation]
    closure: Optional[Closure]
    painleve: Optional[Painleve]
    impact: Optional[Impact]
    generalized_inverse: Optional[GeneralizedInverse]
    notes: Tuple[str, ...]


class _Told:
    """What an analysis says, without the problem: from a pickle."""

    def __init__(self, json_text: str, text: str, page: str) -> None:
        self._said = json_text, text, page

    def json(self) -> str:
        return self._said[0]

    def text(self) -> str:
        return self._said[1]

    def page(self) -> str:
        return self._said[2]

    def write_page(self, path: str) -> None:
        Path(path).write_text(self._said[2], encoding="utf-8")


def _told(*said: str) -> "Analysis":
    return Analysis._from(_Told(*said))


class Analysis(_Parts):
    """All answers of `tippe analyze` for one instant. str() gives the text of the program; in a notebook it shows its page."""

    _judged: Union[_tippe.JudgedInstant, _Told]
    _json: str

    @classmethod
    def _from(cls, judged: Union[_tippe.JudgedInstant, _Told]) -> "Analysis":
        text = judged.json()
        analysis = part(cls)(json.loads(text))
        object.__setattr__(analysis, "_judged", judged)
        object.__setattr__(analysis, "_json", text)
        return analysis

    def __reduce__(self) -> Tuple[Any, ...]:
        return _told, (self._json, self._judged.text(), self._judged.page())

    def __copy__(self) -> "Analysis":
        return self

    def __deepcopy__(self, _: object) -> "Analysis":
        return self

    def to_dict(self) -> Dict[str, Any]:
        """The JSON of `tippe analyze --json` as dictionaries and lists (a copy); infinite numbers are "inf" and "-inf"."""
        found: Dict[str, Any] = json.loads(self._json)
        return found

    def report(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page with drawings, one HTML file that needs nothing else; a file of that name is replaced."""
        self._judged.write_page(os.fspath(path))

    def __str__(self) -> str:
        return self._judged.text()

    def __repr__(self) -> str:
        answers = "; ".join(f"{finding.topic}: {finding.answer}" for finding in self.summary)
        return f"<tippe.Analysis {answers}>"

    def _repr_html_(self) -> str:
        return inline_page(self._judged.page(), self.title or self.file, str(self))


def analyze_file(path: Union[str, "os.PathLike[str]"]) -> Analysis:
    """Judges the contact problem of a file, matrices as JSON or TOML (docs/analysis_files.md).

    Raises InputError with file, line and column for anything that is no problem. Ctrl-C leaves the call at once.
    """
    return Analysis._from(interruptible(_tippe.analyze_file, os.fspath(path)))
