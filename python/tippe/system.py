"""Systems, and what can be done with them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _tippe
from .arguments import Number, vector
from .comparison import Comparison, compare
from .errors import InputError, NumericalError, told_at_the_call, warn_and_raise
from .gradient import Gradient, find_gradient
from .immutable import Immutable
from .inputs import input_table
from .instant import Instant, reach
from .kin import Kin, read_text
from .orbit import Orbit, find_orbit
from .overrides import Overrides
from .progress import OrbitProgressFunction, Progress, ProgressFunction
from .run import Run
from .simulation import Simulation

PathName = Union[str, "os.PathLike[str]"]


class State(NamedTuple):
    """Where a system is: time t (s), coordinates q, velocities u (SI units; order of System.coordinates and .velocities)."""

    t: float
    q: npt.NDArray[np.float64]
    u: npt.NDArray[np.float64]


class System(Immutable):
    """A mechanical system with its start and the way it is to be run, as a scene describes it. Immutable; can be pickled.

    Made by tippe.load() and tippe.system().
    """

    def __init__(self, scene: _tippe.Scene, overrides: Overrides, kin: Optional[Kin] = None) -> None:
        self._read_scene: Optional[_tippe.Scene] = scene if kin is None or kin.varied is None else None
        self._kin = kin or Kin(scene, overrides)
        self._overrides = overrides

    @property
    def _like(self) -> _tippe.Scene:
        """A scene with the same names; numbers may be others."""
        return self._kin.scene

    @property
    def _scene(self) -> _tippe.Scene:
        if self._read_scene is None:
            self._read_scene = read_text(self.text, self.file, self._overrides)
        return self._read_scene

    @property
    def title(self) -> str:
        return self._like.title

    @property
    def source(self) -> str:
        """Where the scene comes from, if it says so."""
        return self._like.source

    @property
    def file(self) -> str:
        """The file of the scene as it was given; without a folder if it comes with the package, "<python>" if it was built here."""
        return self._like.file

    @property
    def text(self) -> str:
        """The text of the scene (TOML)."""
        return self._like.text

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the generalized coordinates q."""
        return tuple(self._like.coordinates)

    @property
    def velocities(self) -> tuple[str, ...]:
        """Names of the generalized velocities u."""
        return tuple(self._like.velocities)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Names of the inputs of the scene: the last ones of the coordinates, which nothing but their setting moves."""
        return tuple(self._like.inputs)

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the force laws that have a gap."""
        return tuple(self._like.contacts)

    @property
    def laws(self) -> tuple[str, ...]:
        """Names of all set-valued force laws: contacts, clutches, friction elements."""
        return tuple(self._like.laws)

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows of all laws: "beak.n", "beak.t" (or t1, t2, spin), or the name of the law."""
        return tuple(self._like.rows)

    @property
    def constraints(self) -> tuple[str, ...]:
        """Names of the rows of all bilateral constraints."""
        return tuple(self._like.constraints)

    @property
    def start(self) -> State:
        """The state in which a run starts (a copy)."""
        return State(self._scene.t, self._scene.q, self._scene.u)

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters with their values."""
        return dict(self._scene.parameters)

    @property
    def integrators(self) -> tuple[str, ...]:
        """Names of the integrators that fit this system."""
        return tuple(self._like.fitting_integrators)

    @property
    def integrator(self) -> str:
        """The one that run() takes by default."""
        return self._scene.integrator

    @property
    def dt(self) -> float:
        """s: the time step that run() takes by default; with adaptive integrators the first one."""
        return self._scene.dt

    @property
    def until(self) -> float:
        """s: the end time of run() by default."""
        return self._scene.until

    @told_at_the_call
    def run(
        self,
        until: Optional[Number] = None,
        dt: Optional[Number] = None,
        integrator: Optional[str] = None,
        every: Optional[Number] = None,
        record: Optional[PathName] = None,
        progress: Union[None, bool, ProgressFunction] = None,
        *,
        q: Optional[npt.ArrayLike] = None,
        u: Optional[npt.ArrayLike] = None,
        inputs: Union[None, PathName, Mapping[str, npt.ArrayLike]] = None,
        samples: bool = True,
    ) -> Run:
        """Simulates from the start.

        until, dt, every: end time, time step and time between samples, s, instead of the scene's; numbers or expressions of
            its parameters.
        integrator: its name, one of .integrators.
        record: the file (HDF5) to write, as `tippe run` does it: it can be read while the run goes on and after a kill. Without
            one the run is in memory only.
        progress: a bar in a terminal or notebook (default; True: wherever standard error goes; False: none), or a function that
            gets (t, fraction, steps) some times a second. What it raises ends the run after the current step.
        q, u: the state in which it starts instead of the scene's (order of .coordinates and .velocities).
        inputs: values of the scene's inputs over time: a file (CSV, docs/program.md), or a mapping with "t" and inputs to sequences of numbers.
        samples: False keeps the summary with the state at the end, and no arrays: for many runs.

        Raises InputError before anything is computed. NumericalError if a step fails: its attribute .run holds what was computed.
        Ctrl-C ends the run after the current step; the KeyboardInterrupt has an attribute .run too. Warnings are
        TippeWarning; where a filter makes them errors, they have it as well. Other threads of Python go on meanwhile, and may run the same system.
        """
        run, error = self._simulate(
            {"integrator": integrator, "dt": dt, "until": until, "every": every}, q, u, inputs, record, samples, progress
        )
        if error is None and run._record.status == "failed":
            error = NumericalError(f"{self.file}: {run._record.message}", run)
        warnings = run._record.warnings
        if warnings or error is not None:
            warn_and_raise((f"{self.file}: {warning}" for warning in warnings), error, 3, run=run)
        return run

    def _simulate(
        self,
        changed: dict[str, Any],
        q: Optional[npt.ArrayLike],
        u: Optional[npt.ArrayLike],
        inputs: Union[None, PathName, Mapping[str, npt.ArrayLike]],
        record: Optional[PathName],
        samples: bool,
        progress: Union[None, bool, ProgressFunction],
    ) -> tuple[Run, Optional[BaseException]]:
        """The run, and what ended it early."""
        path = None if record is None else _file_to_write(record, self.file)
        if path is not None and not samples:
            raise InputError("samples=False keeps no samples, and record is a file of them")
        table, name = (None, "") if inputs is None else input_table(inputs)
        start_q = None if q is None else vector("q", q)
        start_u = None if u is None else vector("u", u)
        written = _tippe.Written(path, 1.0, samples)
        plain = all(value is None or isinstance(value, float) for value in changed.values())
        if not plain:
            self._overrides.replaced(**changed).texts()  # a wrong argument is told
        times = {key: value if plain else None for key, value in changed.items() if key != "integrator"}
        asked = _tippe.Asked(times["until"], times["dt"], times["every"], start_q, start_u, table, name)
        with Progress(progress) as function:
            if plain:
                done = self._kin.run(asked, written, function)
                if done is not None:
                    return Run(done[0], None if path is None else str(path)), done[1]
            given = {key: value for key, value in changed.items() if value is not None}
            if given:
                # As asked for before, or read once for all that ask so.
                kin = self._kin.read_with(self._overrides, given)
                done = kin.run(_tippe.Asked(None, None, None, start_q, start_u, table, name), written, function)
                if done is not None:
                    return Run(done[0], None if path is None else str(path)), done[1]
            scene = self._read(**changed)
            done = _tippe.run_scene(scene, asked, written, function)
        return Run(done[0], None if path is None else str(path)), done[1]

    @told_at_the_call
    def with_(self, settings: Optional[Mapping[str, Number]] = None, **named: Number) -> System:
        """The system with other values of parameters, initial values or inputs: with_(mu=0.3), with_({"x'": 1.0}).

        Values are numbers or expressions of parameters, as `settings` of load(). What can be changed without reading the scene again is:
        coefficients of friction and restitution, limits, the start, the end, as they stand in it; then runs of the new system compile nothing.

        Raises InputError for a name that there is not, and for a value that cannot be.
        """
        given: dict[str, Number] = {**dict(settings or {}), **named}
        overrides = self._overrides.with_settings(given)
        kin = self._kin.varied_by(overrides, given)
        if kin is not None:
            return System(kin.scene, overrides, kin)
        return read_system(self.text, self.file, overrides)

    @told_at_the_call
    def simulation(
        self,
        dt: Optional[Number] = None,
        integrator: Optional[str] = None,
        until: Optional[Number] = None,
        samples: bool = True,
    ) -> Simulation:
        """The system at its start, to be stepped by hand.

        dt: s, or an expression of parameters; instead of the scene's. until: s, adaptive integrators end a step there, as
        in a run; steps of a given length take no notice of it.
        """
        overrides = self._overrides.replaced(integrator=integrator, dt=dt, until=until)
        return Simulation(self.text, self.file, overrides, samples)

    @told_at_the_call
    def at(
        self,
        t: Optional[float] = None,
        *,
        q: Optional[npt.ArrayLike] = None,
        u: Optional[npt.ArrayLike] = None,
        integrator: Optional[str] = None,
        dt: Optional[Number] = None,
        progress: Union[None, bool, ProgressFunction] = None,
    ) -> Instant:
        """The system at the time t (s) of its simulation, as `tippe analyze --time` gets there; without t at its start.

        q, u: a state of one's own instead (SI units, order of .coordinates and .velocities; what is not given is that of the start), to
            which t, if given, is the time. Nothing is simulated then.
        integrator, dt, progress: as for run().

        Raises InputError for a time before the start, NumericalError if the simulation fails before t.
        """
        return reach(self, t, q, u, integrator, dt, progress)

    @told_at_the_call
    def orbit(
        self,
        section: Optional[str] = None,
        returns: Optional[int] = None,
        until: Optional[Number] = None,
        progress: Union[None, bool, OrbitProgressFunction] = None,
    ) -> Orbit:
        """Looks for a periodic orbit, and whether it is stable, as `tippe orbit`: simulates event by event until the end time, takes close
        returns to a section and improves them by Newton's method.

        section: the event whose returns are looked at, "impact:beak" (also touch, slip to stick, slip reversal, accumulation); default: the
            one that recurs most closely. returns: to the section in one period; default: as the motion suggests.
        until: s, end of the simulation instead of the scene's.
        progress: what is being tried, on a line in a terminal or notebook (default; True: wherever standard error goes; False: none), or a
            function that gets it in words, with the seconds since the call, some times a second. What it raises ends the search.

        Whether one was found is in the answer. Raises InputError for a section that there is not, and for systems that event-driven does not take.
        Ctrl-C ends the search; the KeyboardInterrupt has an attribute .orbit with the best point so far.
        """
        return find_orbit(self, section, returns, until, progress)

    def gradient(
        self,
        parameters: Union[str, Iterable[str]],
        times: Optional[npt.ArrayLike] = None,
        *,
        until: Optional[Number] = None,
    ) -> Gradient:
        """Runs the system with event-driven and derives all that moves by parameters, as `tippe run --sensitivity`: exactly, through impacts,
        sticking and slipping, whose times move too.

        parameters: names of parameters, and of coordinates and velocities for their initial values; none: values alone. times: s, ascending, where values and derivatives are
        asked for; default: those of the samples of a run. until: s, end of the run instead of the scene's.

        Raises InputError for what has no such derivative by its kind, NumericalError where the motion has none, as where a contact grazes.
        """
        overrides = self._overrides.replaced(until=until, integrator="event-driven")
        return find_gradient(self.text, self.file, self.laws, overrides, parameters, times)

    @told_at_the_call
    def compare(
        self,
        integrators: Union[None, str, Iterable[str]] = None,
        dt: Union[None, Number, Iterable[Number]] = None,
        until: Optional[Number] = None,
        progress: Union[None, bool, ProgressFunction] = None,
    ) -> Comparison:
        """Runs every integrator with every step and compares them, as `tippe compare`.

        integrators: one or several; default: all that fit. dt: s, one or several, numbers or expressions of parameters; default: the scene's. until: s. With event-driven
            among the integrators its run is the reference, deviations are errors, and their orders are told.
        progress: as for run(); the fraction is that of all runs.

        Raises InputError before anything is computed. A run that fails has that status in the answer, and there is a TippeWarning. Ctrl-C ends the
        runs; the KeyboardInterrupt has an attribute .comparison.
        """
        return compare(self, integrators, dt, until, progress)

    def _read(self, **overrides: Optional[Number]) -> _tippe.Scene:
        """The scene once more, with another integrator, dt, until or every (numbers or expressions); None: as they are."""
        return read_text(self.text, self.file, self._overrides.replaced(**overrides))

    def __reduce__(self) -> tuple[Any, ...]:
        return read_system, (self.text, self.file, self._overrides)

    def __repr__(self) -> str:
        names = ", ".join(self.coordinates[:6]) + (", ..." if len(self.coordinates) > 6 else "")
        contacts = f", {len(self.contacts)} contacts" if self.contacts else ""
        return f"<tippe.System {self.title or self.file!r}: {len(self.coordinates)} coordinates ({names}){contacts}>"


def read_system(text: str, file: str, overrides: Overrides) -> System:
    return System(read_text(text, file, overrides), overrides)


def _file_to_write(record: PathName, scene: str) -> Path:
    path = Path(record)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and os.path.exists(scene) and path.samefile(scene):
        raise InputError("the scene would be overwritten by its own results", scene)
    return path
