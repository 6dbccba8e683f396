"""Runs: computed, or read from a recording."""

from __future__ import annotations

import os
from typing import Any, Iterable, Iterator, Mapping, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _tippe
from .arguments import Number
from .gradient import Gradient, find_gradient
from .immutable import Immutable
from .names import unknown_name
from .overrides import Overrides
from .pages import RUN_IN_A_CELL, inline_page
from .run_parts import IMPULSE, Energy, Event, FoundContacts, Impacts, Judgement, Steps, Summary
from .tables import plot, to_pandas, to_xarray
from .values import Array


class Run(Immutable):
    """A run: everything that its recording holds. From System.run(), Simulation.run() or tippe.open(); in memory, immutable; can be pickled.

    Arrays are read-only views of the numbers of this object, not copies, unless said otherwise; they stay valid when the Run is gone.
    run["phi"] is the column of a name: a coordinate, a velocity ("phi'"), a quantity of the scene, the gap of a contact
    ("beak"), the impulse of a row of a law ("beak.n", N s).
    """

    def __init__(self, record: _tippe.Record, path: Optional[str] = None) -> None:
        self._held: Optional[_tippe.Record] = record
        self._path = path

    @property
    def _record(self) -> _tippe.Record:
        if self._held is None:
            raise ValueError("the run is closed")
        return self._held

    # What ran.

    @property
    def path(self) -> Optional[str]:
        """The file of the recording; None if there is none."""
        return self._path

    @property
    def title(self) -> str:
        return self._record.title

    @property
    def source(self) -> str:
        """Where the scene comes from, if it says so."""
        return self._record.source

    @property
    def file(self) -> str:
        """The file of the scene as it was given."""
        return self._record.file

    @property
    def text(self) -> str:
        """The text of the scene (TOML)."""
        return self._record.text

    @property
    def program(self) -> str:
        """The version of Tippe that computed it."""
        return self._record.program

    @property
    def integrator(self) -> str:
        return self._record.integrator

    @property
    def dt(self) -> float:
        """s; with adaptive integrators the first step."""
        return self._record.dt

    # Names of the columns.

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the columns of q."""
        return tuple(self._record.names("q"))

    @property
    def velocities(self) -> tuple[str, ...]:
        """Names of the columns of u."""
        return tuple(self._record.names("u"))

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the columns of gap."""
        return tuple(self._record.names("gap"))

    @property
    def laws(self) -> tuple[str, ...]:
        """Names of all force laws."""
        return tuple(self._record.laws)

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the columns of impulse and force: "beak.n", "beak.t" (or t1, t2, spin), or the name of the law."""
        return tuple(self._record.names("impulse"))

    @property
    def quantities(self) -> tuple[str, ...]:
        """Names of the columns of quantity."""
        return tuple(self._record.names("quantity"))

    @property
    def constraints(self) -> tuple[str, ...]:
        """Names of the columns of constraint_force: rows of the bilateral constraints."""
        return tuple(self._record.names("constraint_force"))

    # Samples.

    @property
    def t(self) -> Array:
        """s: times of the samples, N. Two samples around a jump that takes no time have the same one."""
        return self._record.time

    @property
    def q(self) -> Array:
        """Coordinates, N x nq."""
        return self._record.table("q")

    @property
    def u(self) -> Array:
        """Velocities, N x nu."""
        return self._record.table("u")

    @property
    def gap(self) -> Array:
        """m: gaps of the contacts, N x nc."""
        return self._record.table("gap")

    @property
    def impulse(self) -> Array:
        """N s: impulses of all laws, summed since the sample before, N x nr."""
        return self._record.table("impulse")

    @property
    def force(self) -> Array:
        """N: mean force of all laws since the sample before, N x nr; not a number where no time has passed."""
        return self._record.table("force")

    @property
    def quantity(self) -> Array:
        """The quantities of the scene, N x k."""
        return self._record.table("quantity")

    @property
    def constraint_force(self) -> Array:
        """N: force of each row of the bilateral constraints, N x nb; empty without them."""
        return self._record.table("constraint_force")

    @property
    def control_force(self) -> Array:
        """N: force of all bilateral constraints together on each velocity, N x nu; empty without them."""
        return self._record.table("control_force")

    @property
    def constraint_position(self) -> Array:
        """How far the rows with a position are violated, N x nh."""
        return self._record.table("constraint_position")

    @property
    def constraint_velocity(self) -> Array:
        """How far the rows are violated in velocities, N x nb."""
        return self._record.table("constraint_velocity")

    @property
    def energy(self) -> Energy:
        """J: the ledger over time. Totals at the end are in summary."""
        record = self._record
        table = record.table("energy")
        return Energy(**{name: table[:, k] for k, name in enumerate(record.names("energy"))})

    def _tables(self) -> tuple[str, ...]:
        return ("q", "u", "quantity", "gap", "impulse")

    @property
    def names(self) -> tuple[str, ...]:
        """All names that run[...] knows."""
        return ("t", *(name for table in self._tables() for name in self._record.names(table)))

    def __getitem__(self, name: str) -> Array:
        if name == "t":
            return self.t
        for table in self._tables():
            names = self._record.names(table)
            if name in names:
                column: Array = self._record.table(table)[:, names.index(name)]
                return column
        raise unknown_name(name, self.names, "a column of this run")

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self.names)

    def keys(self) -> tuple[str, ...]:
        """The names again, so that dict(run) gives all columns."""
        return self.names

    # What happened.

    @property
    def impacts(self) -> Impacts:
        """All impacts, a flat record array (a copy): time (s), contact, closing_speed (m/s), energy_lost (J), and the impulse (N s): normal,
        tangent1, tangent2, drilling; what a contact has not is 0."""
        record = self._record
        names = record.laws
        width = max((len(name) for name in names), default=1)
        kinds = [("time", float), ("contact", f"U{width}"), ("closing_speed", float), ("energy_lost", float)]
        impacts = Impacts(len(record.impact_time), dtype=[*kinds, *((row, float) for row in IMPULSE)])
        impacts["time"] = record.impact_time
        impacts["contact"] = [names[int(law)] for law in record.impact_law]
        impacts["closing_speed"] = record.impact_speed
        impacts["energy_lost"] = record.impact_lost
        for k, row in enumerate(IMPULSE):
            impacts[row] = record.impact_impulse[:, k]
        return impacts

    @property
    def found_contacts(self) -> Optional[FoundContacts]:
        """The contacts that were found by shapes, as arrays; None where all contacts are laws of their own (see gap and impulse)."""
        contacts: Any = self._record.contacts
        return None if contacts is None else FoundContacts(tuple(contacts[0]), *contacts[1:])

    @property
    def events(self) -> list[Event]:
        """All events, in their order; none with integrators that do not look for them (a copy)."""
        laws = self.laws

        def make(t: float, kind: str, part: tuple[str, ...], before: Any, after: Any, *rest: Any) -> Event:
            return Event(t, kind, part, dict(zip(laws, before)), dict(zip(laws, after)), *rest)

        return [make(*event) for event in self._record.events]

    @property
    def steps(self) -> Steps:
        """Every step: time, residual, iterations."""
        record = self._record
        return Steps(record.step_time, record.step_residual, record.step_iterations)

    @property
    def summary(self) -> Summary:
        """Totals and worst cases."""
        return Summary(**self._record.summary)

    @property
    def status(self) -> str:
        """ok, failed, interrupted; running: of a recording whose run goes on or was killed."""
        return self.summary.status

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.summary.warnings

    @property
    def notes(self) -> tuple[str, ...]:
        """What is normal, but good to know."""
        return self.summary.notes

    # For other packages.

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with one row for each sample, indexed by t (s): all of run[...], and the energies as "energy.total" and so on. Units that are
        known are in its .attrs["units"]."""
        return to_pandas(self)

    def to_xarray(self) -> Any:
        """A xarray.Dataset of the same columns over t, with their units as attributes."""
        return to_xarray(self)

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Draws columns over time with matplotlib: run.plot("phi", "beak"); without names the quantities of the scene, or the coordinates that move most. Returns
        the axes; ax: those to draw in."""
        return plot(self, names, ax)

    # Judging.

    def verify(self) -> Judgement:
        """Judges the run by the definitions of mechanics and of its integrator's laws, as `tippe verify` does (docs/howto/trust.md)."""
        return Judgement(*self._record.verify())

    def gradient(self, parameters: Union[str, Iterable[str]], times: Optional[npt.ArrayLike] = None) -> Gradient:
        """The run once more, until its last sample, with derivatives of all that moves by parameters and initial values: see System.gradient().

        times: s; default: those of the samples. Raises InputError if the run was not made with event-driven.
        """
        settings: Mapping[str, Number] = dict(setting.split("=", 1) for setting in self._record.settings)
        overrides = Overrides(settings, integrator=self.integrator, until=float(self.t[-1]))
        due = np.unique(self.t) if times is None else times
        return find_gradient(self.text, self.file, self.laws, overrides, parameters, due)

    # Showing.

    def report(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page of the run: one HTML file that needs no network."""
        self._record.write_page(os.fspath(path))

    def _repr_html_(self) -> str:
        return inline_page(self._record.small_page(RUN_IN_A_CELL), self.title or self.file, repr(self))

    def __repr__(self) -> str:
        if self._held is None:
            return "<tippe.Run, closed>"
        return self._held.summary_text.rstrip("\n")

    # As a context manager.

    def close(self) -> None:
        """Lets go of the numbers; arrays that were taken stay."""
        self._held = None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open(path: Union[str, "os.PathLike[str]"]) -> Run:
    """Reads a recording (HDF5, docs/recording.md) into memory: what it holds now, also while its run goes on.

    Raises FileError for what is no recording or damaged, InputError for one of another format version.
    """
    name = os.fspath(path)
    return Run(_tippe.read_record(name), name)
