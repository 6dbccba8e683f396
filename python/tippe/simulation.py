"""Stepping by hand."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy.typing as npt

from . import _tippe
from .arguments import finite, vector
from .errors import NumericalError
from .inputs import Inputs
from .kin import read_text
from .overrides import Overrides
from .run import Run
from .values import Array


class Energies(NamedTuple):
    """J: kinetic, potential, and their sum."""

    kinetic: float
    potential: float
    total: float


class Simulation:
    """A system that is stepped by its caller; from System.simulation(). For one thread.

    The steps are those of System.run(), to the bit: at the start + n dt, or as an adaptive integrator chooses. They may
    go on beyond the end time; events of the scene reset the state, and nothing ends the simulation. Arrays are copies, read-only.

    input: the inputs of the scene by name, sim.input["F"] = 2.0 between two steps.
    t, q and u can be set; then the integrator forgets the steps before (its warm start, the modes of the contacts), and the time steps are
    counted from there. A state is checked as a start is: inside a contact it raises InputError.
    """

    def __init__(self, text: str, file: str, overrides: Overrides, samples: bool = True) -> None:
        self._begin(text, file, overrides, samples, read_text(text, file, overrides))

    def _begin(self, text: str, file: str, overrides: Overrides, samples: bool, scene: _tippe.Scene) -> None:
        self._how = (text, file, overrides, samples)
        self._scene = scene
        self._stepper = _tippe.Stepper(scene, samples)
        self.input = Inputs(self, scene)

    def step(self, dt: Optional[float] = None) -> _tippe.StepReport:
        """Makes one step of dt (s; default: the one of the simulation) and tells what it did.

        Adaptive integrators try dt, and go less far if that is not accurate enough: t tells.
        Raises NumericalError with the report if the step cannot be computed; the state is then that before it.
        """
        begin = self._stepper.t
        report, failure = self._stepper.step(None if dt is None else finite("dt", dt))
        if failure:
            raise NumericalError(f"the step from t = {begin:.9g} failed: {failure}", report=report)
        return report

    @property
    def t(self) -> float:
        """s"""
        return self._stepper.t

    @t.setter
    def t(self, value: float) -> None:
        self._stepper.set_state(finite("t", value), self.q, self.u)

    @property
    def q(self) -> Array:
        """Coordinates, in the order of System.coordinates."""
        return self._stepper.q

    @q.setter
    def q(self, value: npt.ArrayLike) -> None:
        self._stepper.set_state(self.t, vector("q", value), self.u)

    @property
    def u(self) -> Array:
        """Velocities, in the order of System.velocities."""
        return self._stepper.u

    @u.setter
    def u(self, value: npt.ArrayLike) -> None:
        self._stepper.set_state(self.t, self.q, vector("u", value))

    @property
    def gaps(self) -> Array:
        """m: gaps of the contacts now, in the order of System.contacts."""
        return self._stepper.gaps

    @property
    def impulses(self) -> Array:
        """N s: of the rows of all laws in the last step, in the order of System.rows."""
        return self._stepper.impulses

    @property
    def energy(self) -> Energies:
        """J: now."""
        kinetic, potential = self._stepper.energies
        return Energies(kinetic, potential, kinetic + potential)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the integrator warned of so far."""
        return tuple(self._stepper.warnings)

    def run(self) -> Run:
        """Everything so far as a Run, with samples, energies, impacts, plots and page. Stepping goes on as if it had not been asked for."""
        return Run(self._stepper.record())

    def save(self) -> bytes:
        """All of the simulation, for restore(). What was recorded so far is in it: with samples=False it is small."""
        return self._stepper.save()

    def restore(self, saved: bytes) -> None:
        """Goes back (or on) to what save() of this simulation, or of another one of the same system and integrator, gave: to the bit."""
        self._stepper.restore(saved)

    def copy(self) -> Simulation:
        """Another simulation that goes on from here, to the bit. It shares the system: both are for one thread."""
        other = Simulation.__new__(Simulation)
        other._begin(*self._how, self._scene)
        other.restore(self.save())
        return other

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Simulation:
        other = Simulation(*self._how)
        other.restore(self.save())
        return other

    def __getstate__(self) -> tuple[Any, ...]:
        return (*self._how, self.save())

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        *how, saved = state
        Simulation.__init__(self, *how)
        self.restore(saved)

    def __repr__(self) -> str:
        return f"<tippe.Simulation {self._scene.title or self._scene.file!r} at t = {self.t:.9g}>"
