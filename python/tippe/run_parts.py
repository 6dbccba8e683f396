"""What runs consist of: energies, steps, events, totals."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import Any, Mapping, NamedTuple, Optional

from .values import Array


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


@dataclass(frozen=True)
class Event:
    """A transition between two smooth pieces of a motion, found by the integrator event-driven."""

    time: float
    """s"""
    kind: str
    """start, impact, touch, lift-off, stick to slip, slip to stick, slip reversal, redundancy change or accumulation."""
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
    """The key of the scene that ended the run early ("stop_when"), or ""."""
    stopped_time: Optional[float]
    impacts: int
    impacts_by_law: dict[str, int]
    lost_by_law: dict[str, float]
    """J; their sum is energy_lost_in_contacts."""
    events_by_kind: dict[str, int]
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
    iterations: int
    failed_steps: int
    rejected_steps: int
    halved_steps: int
    inexact_steps: int
    """Steps whose residual is above the tolerance, up to contact_tolerance."""
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
