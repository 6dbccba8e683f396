"""Runs of one system with several integrators and time steps: the answers of `tippe compare` as objects."""

from __future__ import annotations

import dataclasses
import json
import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _tippe
from .arguments import Number, number_text, several, word
from .errors import InputError, lines_of, told_at_the_call, warn_and_raise
from .names import unknown_name
from .pages import inline_page
from .progress import Progress, ProgressFunction
from .run import Run
from .values import Array, number, read_only

if TYPE_CHECKING:
    from .system import System


@dataclasses.dataclass(frozen=True, eq=False)
class Deviation:
    """The largest difference from the reference at any common time: value (SI unit of the coordinate), which coordinate, when (s)."""

    value: float
    coordinate: Optional[str]
    time: Optional[float]


@dataclasses.dataclass(frozen=True, eq=False)
class ComparedRun:
    """One run of a comparison.

    dt: s; with adaptive integrators (adaptive) only the first step. status: ok, failed or interrupted. deviation: of the positions from the reference, None for
    the reference itself. With event-driven as reference that is the error, velocity_error that of the velocities, and order the observed
    order of the positions (velocity_order: velocities) from the next larger step of the same integrator; else None.
    summary: all of `tippe run --json` but events and files.
    """

    label: str
    integrator: str
    dt: float
    adaptive: bool
    status: str
    steps: int
    wall_time: float
    deviation: Optional[Deviation]
    velocity_error: Optional[Deviation]
    order: Optional[float]
    velocity_order: Optional[float]
    summary: Mapping[str, Any]


@dataclasses.dataclass(frozen=True, eq=False)
class Order:
    """How the errors of an integrator fall with its step, error ~ dt^order, by least squares over its steps dt (s); None: not known."""

    dt: Array
    positions: Optional[float]
    velocities: Optional[float]


def _optional(value: Any) -> Optional[float]:
    return None if value is None else number(value)


def _deviation(value: Any) -> Optional[Deviation]:
    return None if value is None else Deviation(number(value["value"]), value["coordinate"], _optional(value["time"]))


def _run(value: Dict[str, Any], label: str, adaptive: bool) -> ComparedRun:
    error, order = value["error_against_reference"], value["observed_order"]
    return ComparedRun(
        label=label,
        integrator=value["integrator"],
        dt=number(value["dt"]),
        adaptive=adaptive,
        status=value["status"],
        steps=value["steps"],
        wall_time=value["wall_time_s"],
        deviation=_deviation(value["deviation"]),
        velocity_error=None if error is None else _deviation(error["velocities"]),
        order=None if order is None else _optional(order["positions"]),
        velocity_order=None if order is None else _optional(order["velocities"]),
        summary=value,
    )


def _columns(identifiers: Sequence[str]) -> Dict[str, int]:
    """Numbers of the columns by the names of run[...]: of equal ones the coordinate comes before the gap."""
    columns: Dict[str, int] = {}
    for kind in ("q ", "u ", "quantity ", "gap ", ""):
        for column, identifier in enumerate(identifiers):
            if identifier.startswith(kind):
                columns.setdefault(identifier[len(kind) :], column)
    return {name: column for name, column in columns.items() if not (" " in name and name in identifiers)}


class Comparison:
    """Runs of one system with different integrators and steps. str() gives the table of `tippe compare`; in a notebook it shows its page.

    runs: one ComparedRun each, in the order in which they were asked for. reference: the label of the one that the others are compared with (event-driven, else the smallest step of the
    first integrator). orders: by integrator, of those with several steps; empty unless the reference is event-driven.
    t: s, the times that all runs have in common. comparison["x"]: a quantity of all runs at these times, one row for each run.
    """

    def __init__(self, compared: _tippe.Compared, title: str) -> None:
        self._compared = compared
        self._title = title
        self._json = compared.json()
        value = json.loads(self._json)
        self.status: str = value["status"]
        self.message: str = value["error"]["message"] if value["error"] else ""
        self.runs: Tuple[ComparedRun, ...] = tuple(
            _run(*run) for run in zip(value["runs"], compared.labels, compared.adaptive)
        )
        self.reference: str = self._label(value["reference"])
        self.orders: Dict[str, Order] = {
            order["integrator"]: Order(read_only(order["dt"]), _optional(order["positions"]), _optional(order["velocities"]))
            for order in value["orders"]
        }
        self.not_run: Tuple[str, ...] = tuple(value["not_run"])
        self._columns = _columns(compared.quantities)

    def _label(self, reference: Optional[Dict[str, Any]]) -> str:
        for run in self.runs:
            if reference is not None and (run.integrator, run.dt) == (reference["integrator"], reference["dt"]):
                return run.label
        return ""

    @property
    def labels(self) -> Tuple[str, ...]:
        """What the runs are called: "moreau, dt = 0.01"."""
        return tuple(run.label for run in self.runs)

    @property
    def dt(self) -> Array:
        """s: of the runs; not a number where an integrator chooses its steps."""
        return read_only([np.nan if run.adaptive else run.dt for run in self.runs])

    @property
    def errors(self) -> Array:
        """The largest deviation of a coordinate from the reference, one for each run; not a number for the reference itself."""
        return read_only([np.nan if run.deviation is None else run.deviation.value for run in self.runs])

    @property
    def velocity_errors(self) -> Array:
        """The same for velocities; not a number unless the reference is event-driven."""
        return read_only([np.nan if run.velocity_error is None else run.velocity_error.value for run in self.runs])

    @property
    def observed_orders(self) -> Array:
        """Order of the positions between a run and that with the next larger step; not a number where there is none."""
        return read_only([np.nan if run.order is None else run.order for run in self.runs])

    @property
    def t(self) -> Array:
        """s: the common times."""
        return read_only(self._compared.times())

    @property
    def quantities(self) -> Tuple[str, ...]:
        """What comparison[...] knows."""
        return tuple(self._columns)

    def _ipython_key_completions_(self) -> List[str]:
        return list(self.quantities)

    def __getitem__(self, quantity: str) -> Array:
        """A quantity of all runs at the common times, runs x times (a copy); not a number where a run was not.

        A coordinate, a velocity ("x'"), a quantity of the scene, the gap of a contact, energy, energy_change, energy_unexplained, ...
        """
        if quantity not in self._columns:
            raise unknown_name(quantity, self.quantities, "a quantity of this comparison")
        column = self._columns[quantity]
        return read_only(np.array([self._compared.values(run, column) for run in range(len(self.runs))]))

    def report(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page with all runs laid over each other: one HTML file that needs no network."""
        self._compared.write_page(os.fspath(path))

    def to_dict(self) -> Dict[str, Any]:
        """The JSON of `tippe compare --json` as dictionaries and lists (a copy)."""
        value: Dict[str, Any] = json.loads(self._json)
        return value

    def __str__(self) -> str:
        return self._compared.text()

    def __repr__(self) -> str:
        return f"<tippe.Comparison of {len(self.runs)} runs of {self._title!r}>"

    def _repr_html_(self) -> str:
        return inline_page(self._compared.page(), self._title, str(self))


def compare(
    system: System,
    integrators: Union[None, str, Iterable[str]],
    dt: Union[None, Number, Iterable[Number]],
    until: Optional[Number],
    progress: Union[None, bool, ProgressFunction],
) -> Comparison:
    """System.compare()."""
    names = [word("integrators", name) for name in several(integrators)]
    steps = [str(number_text("dt", step)) for step in several(dt)]
    overrides = system._overrides.replaced(until=until).texts()
    with lines_of(system.text), Progress(progress) as function:
        compared, error = _tippe.compare(system.text, system.file, overrides, names, steps, function)
    comparison = Comparison(compared, system.title or system.file)
    sentences = []
    for run in comparison.runs:
        told = list(run.summary["warnings"])
        if run.status == "failed":
            told.append(run.summary["error"]["message"])
        sentences += [f"{system.file}: {run.label}: {sentence}" for sentence in told]
    warn_and_raise(sentences, error, 4, comparison=comparison)
    return comparison


@told_at_the_call
def compare_runs(runs: Sequence[Run], names: Optional[Sequence[str]] = None) -> Comparison:
    """Lays runs of one system over each other at the times of the samples that they have in common: runs of other numbers, integrators or steps, computed here or read from
    files. The one with the smallest step of the first integrator is the reference; event-driven, if it is among them.

    names: what to call them where integrator and step do not tell them apart; default: the settings in which they differ, files, or "run 1", "run 2".
    Raises InputError for runs of different systems, and for samples at other times (give run() the same `every`).
    """
    if isinstance(runs, Run) or not all(isinstance(run, Run) for run in runs) or len(runs) == 0:
        raise InputError("runs must be a list of runs: compare_runs([a, b])")
    if names is not None and len(names) != len(runs):
        raise InputError(f"names has {len(names)} entries and must have one for each of the {len(runs)} runs")
    called = [word("a name", name) for name in names] if names is not None else _names_of(runs)
    return Comparison(_tippe.compare_records([run._record for run in runs], called), runs[0].title or runs[0].file)


def _names_of(runs: Sequence[Run]) -> List[str]:
    settings = [set(run._record.settings) for run in runs]
    common = set.intersection(*settings)
    told = [", ".join(sorted(own - common)) or run.path or "" for own, run in zip(settings, runs)]
    if len(set(told)) == len(told) and all(told):
        return told
    return [f"run {k + 1}" + (f", {name}" if name else "") for k, name in enumerate(told)]
