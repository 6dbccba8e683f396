"""What runs consist of: energies, steps, events, totals."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Mapping, NamedTuple, Optional

import numpy as np
import numpy.typing as npt

from .names import unknown_name
from .values import Array

IntArray = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Energy:
    """The energy ledger over time, J: arrays with one number per sample (views, read-only).

    lost_in_contacts, lost_in_damping, work_done, pushed_out (by pushing contacts out) and unexplained are totals since the start; total is
    kinetic + potential.
    """

    kinetic: Array
    potential: Array
    total: Array
    lost_in_contacts: Array
    lost_in_damping: Array
    work_done: Array
    pushed_out: Array
    unexplained: Array


class Steps(NamedTuple):
    """Every step: its end (s), its residual (without unit; with dopri5 its error), iterations of the solver (views, read-only)."""

    time: Array
    residual: Array
    iterations: Array


IMPULSE = ("normal", "tangent1", "tangent2", "drilling")


class Impacts(np.recarray[Any, np.dtype[np.void]]):
    """Impacts, one row each; pandas.DataFrame(run.impacts) takes it as it is."""

    @property
    def impulse(self) -> Array:
        """N s, one row of four for each: normal, tangent1, tangent2, drilling (a copy)."""
        return np.column_stack([np.asarray(self[row], dtype=np.float64) for row in IMPULSE])


@dataclass(frozen=True)
class FoundContacts:
    """Contacts that were found by shapes, over all samples: those of sample k are the rows start[k] : start[k + 1] of the others, with what
    they did since the sample before. Only contacts that carried are there. Arrays are read-only.
    """

    shapes: tuple[str, ...]
    """Names of all shapes; id counts them from 1."""
    start: IntArray
    """N + 1"""
    id: IntArray
    """K x 4: the two shapes, and a feature of each. It stays while a contact lasts."""
    law: IntArray
    """K: what each obeys, in Run.laws."""
    at: Array
    """m, K x 3"""
    normal: Array
    """K x 3, from the second shape to the first."""
    gap: Array
    """m, K"""
    impulse: Array
    """N s, K x 3: on the first shape, in space."""
    rolling_moment: Optional[Array] = None
    """N m s, K x 3: of rolling resistance, on the first shape, in space; None where no law has any."""

    def at_sample(self, k: int) -> FoundContacts:
        """Those of one sample; k may be negative, from the end."""
        samples = len(self.start) - 1
        if not -samples <= k < samples:
            raise IndexError(f"there are {samples} samples, and no sample {k}")
        first, last = (int(row) for row in self.start[k % samples : k % samples + 2])
        part = slice(first, last)
        return FoundContacts(
            self.shapes,
            self.start[k % samples : k % samples + 2] - first,
            self.id[part],
            self.law[part],
            self.at[part],
            self.normal[part],
            self.gap[part],
            self.impulse[part],
            None if self.rolling_moment is None else self.rolling_moment[part],
        )

    def between(self, first: str, second: str) -> IntArray:
        """Row numbers of the contacts of two shapes, in either order. A name is that of a shape, or of a body or plane for all its shapes."""

        def numbers(name: str) -> list[int]:
            found = [k + 1 for k, shape in enumerate(self.shapes) if shape == name or shape.startswith(name + ".")]
            if not found:
                raise unknown_name(name, self.shapes, "a shape of this run")
            return found

        one, other = numbers(first), numbers(second)
        a, b = self.id[:, 0], self.id[:, 1]
        rows: IntArray = np.flatnonzero((np.isin(a, one) & np.isin(b, other)) | (np.isin(a, other) & np.isin(b, one)))
        return rows

    def __len__(self) -> int:
        return len(self.gap)

    def __repr__(self) -> str:
        return f"<tippe.FoundContacts: {len(self)} of {len(self.start) - 1} samples>"


@dataclass(frozen=True)
class Event:
    """A transition between two smooth pieces of a motion, found by the integrator event-driven; or an `[[event]]` of the scene, with any."""

    time: float
    """s"""
    kind: str
    """start, impact, touch, lift-off, stick to slip, slip to stick, slip reversal, redundancy change or accumulation; event: one of the scene, whose name is `note`."""
    laws: tuple[str, ...]
    """Names of the laws that take part."""
    before: Mapping[str, str]
    """Mode of every law before: open, closed, stick, slide+, slide-, slide."""
    after: Mapping[str, str]
    impulse: Optional[Array]
    """N s, rows of all laws in the order of Run.rows; None where velocities do not jump."""
    energy_lost: float
    """J, in the impact or the whole accumulation."""
    alternatives: Optional[int]
    """How many other modes would have been consistent too; None: not checked."""
    note: str


class Judgement:
    """What `tippe verify` says of a run. True if no check found a violation; `str` gives the text of the program."""

    def __init__(self, obeys: bool, text: str, json_text: str) -> None:
        self._obeys = obeys
        self._text = text
        self._data: dict[str, Any] = json.loads(json_text)

    @property
    def obeys(self) -> bool:
        """No check found a violation."""
        return self._obeys

    @property
    def checks(self) -> dict[str, Any]:
        """By kind of check: title, checks, violations, and worst with share, value, allowed, time (s), law and what."""
        checks: dict[str, Any] = self._data["checks"]
        return checks

    @property
    def violated(self) -> tuple[str, ...]:
        """Kinds of checks that found a violation."""
        return tuple(name for name, check in self.checks.items() if check["violations"] > 0)

    def to_dict(self) -> dict[str, Any]:
        """The JSON of the program."""
        return self._data

    def __bool__(self) -> bool:
        return self._obeys

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return self._text.rstrip("\n")


@dataclass(frozen=True)
class Summary:
    """What a run did, in numbers: the names of /summary in docs/recording.md. Energies in J, times in s."""

    status: str
    """running, ok, failed or interrupted."""
    message: str
    """Of a failure."""
    steps: int
    time: float
    """s, reached."""
    q: Array
    """The last state."""
    u: Array
    stopped_because: str
    """The key of the scene that ended the run early ("stop_when", "stop_after impacts", "event kick"), or ""."""
    stopped_time: Optional[float]
    impacts: int
    impacts_by_law: dict[str, int]
    lost_by_law: dict[str, float]
    """J; their sum is energy_lost_in_contacts."""
    events_by_kind: dict[str, int]
    own_events: dict[str, int]
    """How often each `[[event]]` of the scene was."""
    energy_initial: float
    energy_final: float
    energy_lost_in_contacts: float
    energy_lost_in_damping: float
    energy_work_done: float
    energy_pushed_out: float
    energy_unexplained: float
    """What is left when all causes are booked: the integrator's own error."""
    energy_max_rise_per_step: float
    energy_scale: float
    """What "relative" refers to."""
    worst_residual: float
    median_residual: float
    residual_90_percent: float
    """What 90 % of the steps stay below; this and the median to a quarter."""
    iterations: int
    failed_steps: int
    rejected_steps: int
    halved_steps: int
    inexact_steps: int
    """Steps whose residual is above the tolerance, up to contact_tolerance."""
    ambiguous_steps: int
    """Steps in which a contact could have stuck or slipped on, by friction that falls with the slip."""
    worst_penetration: float
    """m"""
    worst_penetration_at: str
    constraints: Optional[dict[str, Any]]
    """None without bilateral constraints."""
    wall_time: float
    """s"""
    warnings: tuple[str, ...]
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        lines = (f"  {field.name} = {getattr(self, field.name)!r}" for field in fields(self))
        return "tippe.Summary:\n" + "\n".join(lines)
