"""A system at one instant: what can be asked there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

from . import _tippe
from .analysis import Analysis
from .arguments import Number, finite, vector
from .errors import InputError, NumericalError, lines_of
from .immutable import Immutable
from .interruptible import interruptible
from .modes import Modes
from .problem import ContactProblem
from .progress import Progress, ProgressFunction
from .values import Array, Named, read_only

if TYPE_CHECKING:
    from .system import System


class Instant(Immutable):
    """A system at one instant of its simulation, or at a state that was given. From System.at(). Immutable; a pickle of it simulates again when it is
    read."""

    def __init__(self, system: System, instant: _tippe.SceneInstant, how: Tuple[Any, ...]) -> None:
        self._system = system
        self._instant = instant
        self._how = how

    def __reduce__(self) -> Tuple[Any, ...]:
        return reach, (self._system, *self._how, False)

    @property
    def system(self) -> System:
        return self._system

    @property
    def t(self) -> float:
        """s"""
        return self._instant.t

    @property
    def q(self) -> Array:
        """Coordinates, order of System.coordinates (a copy, read-only)."""
        return read_only(self._instant.q)

    @property
    def u(self) -> Array:
        """Velocities, order of System.velocities (a copy, read-only)."""
        return read_only(self._instant.u)

    @property
    def gaps(self) -> Named:
        """m: of the contacts, by name."""
        return Named(self._system.contacts, self._instant.gaps())

    @property
    def notes(self) -> Tuple[str, ...]:
        """What should be known of the way here, such as a `stop_when` of the scene that ended it earlier."""
        return tuple(self._instant.notes)

    def analyze(self, around: Optional[str] = None) -> Analysis:
        """Is the contact problem of now solvable, is its motion unique, within which bounds are the forces, can the contacts stick, ...

        around: a body, plane or shape of a scene whose contacts are found; then those that lean on each other with it are judged, or, where they are
        too many, its own.

        As `tippe analyze`. Other threads of Python go on meanwhile; Ctrl-C leaves the call at once.
        """
        return Analysis._from(interruptible(self._instant.analyze, around or ""))

    def modes(self) -> Modes:
        """Which contact modes can follow, after an impact and in the motion, and why the others cannot.

        As `tippe modes`. Other threads of Python go on meanwhile; Ctrl-C leaves the call at once.
        """
        return Modes(interruptible(self._instant.modes))

    def problem(self) -> ContactProblem:
        """The contact problem of the step of the integrator that led here, as `tippe run --dump-problem` writes it; at the start and at a state
        that was given, of the first step from here.

        Raises InputError if there is none: no law was active in the step, or the integrator (event-driven) has no such problems.
        """
        stored = self._instant.problem()
        if stored is None:
            why = "no law was active in it, or the integrator solves no such problems"
            raise InputError(f"the step at t = {self.t:.9g} has no contact problem: {why}", self._system.file)
        title = self._system.title or self._system.file
        return ContactProblem(stored, f"{title} at t = {self.t:.9g}")

    def __repr__(self) -> str:
        return f"<tippe.Instant t = {self.t:.9g} s of {self._system.title or self._system.file!r}>"


def reach(
    system: System,
    t: Optional[float],
    q: Any,
    u: Any,
    integrator: Optional[str],
    dt: Optional[Number],
    progress: Union[None, bool, ProgressFunction],
) -> Instant:
    """System.at()."""
    how = (t, q, u, integrator, dt)
    overrides = system._overrides.replaced(integrator=integrator, dt=dt).texts()
    time = None if t is None else finite("t", t)
    if q is not None or u is not None:
        start = system.start
        given_q, given_u = vector("q", start.q if q is None else q), vector("u", start.u if u is None else u)
        with lines_of(system.text):
            instant = _tippe.instant_at(system.text, system.file, overrides, start.t if time is None else time, given_q, given_u)
        return Instant(system, instant, how)
    with lines_of(system.text), Progress(progress) as function:
        instant, error = _tippe.reach_instant(system.text, system.file, overrides, time, function)
    if error is not None:
        raise error
    if instant.status != "ok":
        raise NumericalError(f"{system.file}: {instant.message}")
    return Instant(system, instant, how)
