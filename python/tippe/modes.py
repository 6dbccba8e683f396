"""Which contact modes can follow at an instant: the answers of `tippe modes` as objects."""

from __future__ import annotations

import dataclasses
import html
import json
import os
from typing import Any, Dict, Iterator, Optional, Sequence, Tuple, Union, overload

from . import _tippe
from .html_table import table
from .interruptible import interruptible
from .values import Bounds, Named, bounds, named


@dataclasses.dataclass(frozen=True, eq=False)
class Mode:
    """A contact mode: what every contact does, whether that is possible, and with which forces.

    contacts: "open", "stick", "slide+", ... by name. reasons: why it is not consistent (empty if it is). What follows is None unless it is.
    motion: accelerations du/dt (m/s^2), or after an impact the velocities (m/s), by name.
    motion_bounds: within which it is free where motion_unique is False. unbalanced: N, a load along directions without mass that nothing balances.
    forces: N, or at an impact impulses (N s); bounds: within which they are free where forces_unique is False.
    energy_change: J, of an impact, relative to surfaces that move; surface_work: J, of those; kinetic_energy_change: J, the sum.
    trending: by which derivative a tie is decided, of the gap, force, reserve of friction or slip, with which sign, and
    after how many seconds of simulation where derivatives do not decide.
    ties: contacts that are between two modes. residual: of the equations.
    """

    contacts: Dict[str, str]
    consistent: bool
    reasons: Tuple[str, ...] = ()
    motion: Optional[Named] = None
    motion_unique: Optional[bool] = None
    motion_bounds: Optional[Bounds] = None
    unbalanced: Optional[Named] = None
    forces: Optional[Named] = None
    forces_unique: Optional[bool] = None
    bounds: Optional[Bounds] = None
    energy_change: Optional[float] = None
    surface_work: Optional[float] = None
    kinetic_energy_change: Optional[float] = None
    trending: Optional[Dict[str, Dict[str, object]]] = None
    ties: Tuple[str, ...] = ()
    residual: Optional[float] = None

    @property
    def name(self) -> str:
        """ "heel open, toe stick"."""
        return ", ".join(f"{contact} {mode}" for contact, mode in self.contacts.items())

    def __str__(self) -> str:
        return f"{self.name}: {'consistent' if self.consistent else 'not possible, ' + '; '.join(self.reasons)}"

    def __repr__(self) -> str:
        return f"<tippe.Mode {self}>"


def _bounds(value: Optional[Dict[str, Any]]) -> Optional[Bounds]:
    return None if value is None else bounds(value)


def _mode(value: Dict[str, Any], impact: bool) -> Mode:
    return Mode(
        contacts=dict(value["contacts"]),
        consistent=True,
        motion=named(value["velocity_after" if impact else "acceleration"]),
        motion_unique=value["velocity_unique" if impact else "acceleration_unique"],
        motion_bounds=_bounds(value["velocity_bounds" if impact else "acceleration_bounds"]),
        unbalanced=None if value["unbalanced"] is None else named(value["unbalanced"]),
        forces=None if value["impulses" if impact else "forces"] is None else named(value["impulses" if impact else "forces"]),
        forces_unique=value["impulses_unique" if impact else "forces_unique"],
        bounds=_bounds(value["bounds"]),
        energy_change=float(value["energy_change"]) if impact else None,
        surface_work=float(value["surface_work"]) if impact else None,
        kinetic_energy_change=float(value["kinetic_energy_change"]) if impact else None,
        trending=None if impact else value["trending"],
        ties=tuple(value["ties"]),
        residual=None if value["residual"] is None else float(value["residual"]),
    )


class ModeList(Sequence[Mode]):
    """All modes that were looked at, the consistent ones first.

    scope: the contacts that they are about. unique: whether exactly one is possible, None if that is not known. complete: whether all
    modes were looked at; if not, note says why.
    """

    def __init__(self, value: Dict[str, Any], impact: bool) -> None:
        self.consistent: Tuple[Mode, ...] = tuple(_mode(mode, impact) for mode in value["modes"])
        self.rejected: Tuple[Mode, ...] = tuple(
            Mode(dict(mode["contacts"]), False, tuple(mode["reasons"])) for mode in value["rejected"]
        )
        self.scope: Tuple[str, ...] = tuple(value["scope"])
        self.unique: Optional[bool] = value["unique"]
        self.complete: bool = value["complete"]
        self.note: Optional[str] = value["note"]

    @overload
    def __getitem__(self, index: int) -> Mode: ...
    @overload
    def __getitem__(self, index: slice) -> Tuple[Mode, ...]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Mode, Tuple[Mode, ...]]:
        return (self.consistent + self.rejected)[index]

    def __len__(self) -> int:
        return len(self.consistent) + len(self.rejected)

    def __repr__(self) -> str:
        return f"<tippe.ModeList {len(self.consistent)} consistent, {len(self.rejected)} rejected>"


class Modes(Sequence[Mode]):
    """The answers of `tippe modes` for one instant; str() gives its text.

    impact: the modes of the impact of now, None if there is none. motion: those of the motion, after the impact if there is one; None if
    there is no outcome. As a sequence: the modes of what comes first, the impact or else the motion.
    """

    def __init__(self, texts: Tuple[str, str]) -> None:
        self._json, self._text = texts
        value = json.loads(self._json)
        self.file: str = value["file"]
        self.title: Optional[str] = value["title"]
        self.time: Optional[float] = value["time"]  # s
        self.impact: Optional[ModeList] = None if value["impact"] is None else ModeList(value["impact"], True)
        self.motion: Optional[ModeList] = None if value["motion"] is None else ModeList(value["motion"], False)
        self.notes: Tuple[str, ...] = tuple(value["notes"])

    @property
    def _first(self) -> Tuple[Mode, ...]:
        modes = self.impact if self.impact is not None else self.motion
        return () if modes is None else modes[:]

    @overload
    def __getitem__(self, index: int) -> Mode: ...
    @overload
    def __getitem__(self, index: slice) -> Tuple[Mode, ...]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Mode, Tuple[Mode, ...]]:
        return self._first[index]

    def __iter__(self) -> Iterator[Mode]:
        return iter(self._first)

    def __len__(self) -> int:
        return len(self._first)

    def to_dict(self) -> Dict[str, Any]:
        """The JSON of `tippe modes --json` as dictionaries and lists (a copy)."""
        found: Dict[str, Any] = json.loads(self._json)
        return found

    def __str__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        def said(values: Optional[Named]) -> str:
            return "" if values is None else ", ".join(f"{name} {value:.6g}" for name, value in values.items())

        parts = []
        for what, modes in (("impact", self.impact), ("motion", self.motion)):
            if modes is None:
                continue
            unique = {True: "unique", False: "not unique", None: "not decided"}[modes.unique]
            head = ("mode", "possible", *(("velocities after, m/s", "impulses, N s") if what == "impact" else ("accelerations, m/s²", "forces, N")))
            rows = [
                (mode.name, "yes", said(mode.motion), said(mode.forces)) if mode.consistent else (mode.name, "no", "; ".join(mode.reasons), "")
                for mode in modes
            ]
            parts.append(table(f"{what}: {unique}", head, rows))
        return "".join(parts) or f"<pre>{html.escape(self._text)}</pre>"

    def __repr__(self) -> str:
        return f"<tippe.Modes impact: {self.impact!r}, motion: {self.motion!r}>"


def modes_of_file(path: Union[str, "os.PathLike[str]"]) -> Modes:
    """The modes of the contact problem in a file, matrices as JSON or TOML (docs/analysis_files.md).

    Raises InputError as analyze_file(). Ctrl-C leaves the call at once.
    """
    return Modes(interruptible(_tippe.modes_of_file, os.fspath(path)))
