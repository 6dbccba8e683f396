"""Periodic orbits: the answers of `tippe orbit` as objects."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _tippe
from .arguments import Number, word
from .errors import InputError, lines_of, warn_and_raise
from .html_table import table
from .progress import OrbitProgress, OrbitProgressFunction
from .run_parts import Event
from .values import Array, Named, named, number, read_only

if TYPE_CHECKING:
    from .system import State, System


def _optional_number(value: Any) -> Optional[float]:
    return None if value is None else number(value)


def _event(value: Dict[str, Any]) -> Event:
    impulses = None if value["impulses"] is None else named(value["impulses"]).array
    return Event(
        time=number(value["time"]),
        kind=value["kind"],
        laws=tuple(value["laws"]),
        before=value["before"],
        after=value["after"],
        impulse=impulses,
        energy_lost=number(value["energy_lost"]),
        alternatives=value["alternatives"],
        note=value["note"] or "",
    )


class Orbit:
    """A periodic orbit, or how far the search got: see found. str() gives the text of `tippe orbit`.

    period: s. section: the event whose returns were looked at; returns: how many make a period. state: just after that event.
    drift: of coordinates on which nothing depends, per period. multipliers: eigenvalues of the return map that are not zero, the largest first; zero_multipliers:
    how many others there are; multiplier_error: their estimated error. stable: None if that is not decided.
    residual: of R(z) - z, without unit. energy_lost, work_done: J per period. events: of one period, times since the section.
    What is not known is None.
    """

    def __init__(self, text: str, words: str) -> None:
        self._json, self._text = text, words
        value = json.loads(text)
        self.status: str = value["status"]
        self.message: str = value["error"]["message"] if value["error"] else ""
        self.period: Optional[float] = _optional_number(value["period"])
        self.section: Optional[str] = value["section"]
        self.returns: Optional[int] = value["returns"]
        self.state: Optional[State] = self._state(value["state"])
        self.drift: Optional[Named] = None if value["drift"] is None else named(value["drift"])
        self.multipliers: Optional[npt.NDArray[np.complex128]] = self._multipliers(value["multipliers"])
        self.zero_multipliers: Optional[int] = value["zero_multipliers"]
        self.multiplier_error: Optional[float] = _optional_number(value["multiplier_error"])
        self.stable: Optional[bool] = value["stable"]
        self.residual: Optional[float] = _optional_number(value["residual"])
        self.iterations: int = value["iterations"]
        self.energy_lost: Optional[float] = _optional_number(value["energy_lost"])
        self.work_done: Optional[float] = _optional_number(value["work_done"])
        self.events: List[Event] = [_event(event) for event in value["events"] or []]
        self.notes: Tuple[str, ...] = tuple(value["notes"])

    @staticmethod
    def _state(value: Any) -> Optional[State]:
        from .system import State

        if value is None:
            return None
        q: Array = read_only([number(entry) for entry in value["q"].values()])
        u: Array = read_only([number(entry) for entry in value["u"].values()])
        return State(number(value["t"]), q, u)

    @staticmethod
    def _multipliers(value: Any) -> Optional[npt.NDArray[np.complex128]]:
        if value is None:
            return None
        return np.array([complex(number(entry["re"]), number(entry["im"])) for entry in value], dtype=np.complex128)

    @property
    def found(self) -> bool:
        """Whether an orbit was found; if not, message says why."""
        return self.status == "ok"

    def to_dict(self) -> Dict[str, Any]:
        """The JSON of `tippe orbit --json` as dictionaries and lists (a copy)."""
        value: Dict[str, Any] = json.loads(self._json)
        return value

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        caption = self._text.splitlines()[0]
        if not self.found or self.state is None or self.multipliers is None:
            return table(caption, ("periodic orbit", ""), [("found", "no"), ("why", self.message)])
        stable = {True: "yes", False: "no", None: "not decided"}[self.stable]
        rows = [
            ("period", f"{self.period:.12g} s"),
            ("section", f"{self.section}, {self.returns} returns"),
            ("stable", stable),
            ("multipliers", ", ".join(f"{value:.6g}" if value.imag else f"{value.real:.6g}" for value in self.multipliers)),
            ("residual", f"{self.residual:.2g}"),
            ("energy lost, work done per period", f"{self.energy_lost:.6g} J, {self.work_done:.6g} J"),
            *((f"drift of {name}", f"{value:.9g}") for name, value in (self.drift or {}).items()),
            *((f"{event.time:.9g} s", f"{event.kind} {', '.join(event.laws)}") for event in self.events),
        ]
        return table(caption, ("periodic orbit", ""), rows)

    def __repr__(self) -> str:
        return f"<tippe.Orbit {self._text.splitlines()[0]}>"


def find_orbit(
    system: System,
    section: Optional[str],
    returns: Optional[int],
    until: Optional[Number],
    progress: Union[None, bool, OrbitProgressFunction],
) -> Orbit:
    """System.orbit()."""
    if returns is not None and (not isinstance(returns, (int, np.integer)) or returns < 1):
        raise InputError(f"returns is {returns!r} and must be a whole number, at least 1")
    overrides = system._overrides.replaced(until=until).texts()
    with lines_of(system.text), OrbitProgress(progress) as function:
        text, words, error = _tippe.find_orbit(
            system.text, system.file, overrides, word("section", section or ""), int(returns or 0), function
        )
    orbit = Orbit(text, words)
    warn_and_raise((), error, 4, orbit=orbit)
    return orbit
