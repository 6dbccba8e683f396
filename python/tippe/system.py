"""Systems: read from scenes."""

from __future__ import annotations

import os
from typing import Any, Mapping, NamedTuple, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _tippe

Number = Union[float, int, str]
"""A number, or an expression of the scene's parameters such as "2*pi/omega"."""


class State(NamedTuple):
    """Where a system is: time t (s), coordinates q, velocities u (SI units; order of System.coordinates and .velocities)."""

    t: float
    q: npt.NDArray[np.float64]
    u: npt.NDArray[np.float64]


def number_text(value: Optional[Number]) -> Optional[str]:
    """A number as a text that is read back to the same bits; expressions stay as they are."""
    if value is None or isinstance(value, str):
        return value
    return repr(float(value))


def setting_texts(settings: Optional[Mapping[str, Number]]) -> list[str]:
    return [f"{name}={number_text(value)}" for name, value in (settings or {}).items()]


class System:
    """A mechanical system with its start and the way it is to be run, as a scene describes it. Immutable.

    Made by tippe.load() and tippe.system().
    """

    def __init__(self, scene: _tippe.Scene) -> None:
        self._scene = scene

    @property
    def title(self) -> str:
        return self._scene.title

    @property
    def source(self) -> str:
        """Where the scene comes from, if it says so."""
        return self._scene.source

    @property
    def file(self) -> str:
        """The file of the scene as it was given."""
        return self._scene.file

    @property
    def text(self) -> str:
        """The text of the scene (TOML)."""
        return self._scene.text

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the generalized coordinates q."""
        return tuple(self._scene.coordinates)

    @property
    def velocities(self) -> tuple[str, ...]:
        """Names of the generalized velocities u."""
        return tuple(self._scene.velocities)

    @property
    def contacts(self) -> tuple[str, ...]:
        """Names of the force laws that have a gap."""
        return tuple(self._scene.contacts)

    @property
    def laws(self) -> tuple[str, ...]:
        """Names of all set-valued force laws: contacts, clutches, friction elements."""
        return tuple(self._scene.laws)

    @property
    def constraints(self) -> tuple[str, ...]:
        """Names of the rows of all bilateral constraints."""
        return tuple(self._scene.constraints)

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
        return tuple(self._scene.fitting_integrators)

    @property
    def integrator(self) -> str:
        """The one that run() takes by default."""
        return self._scene.integrator

    @property
    def dt(self) -> float:
        """s: the time step that run() takes by default."""
        return self._scene.dt

    @property
    def until(self) -> float:
        """s: the end time of run() by default."""
        return self._scene.until

    def _read(self, integrator: Optional[str] = None, dt: Optional[Number] = None, until: Optional[Number] = None) -> _tippe.Scene:
        """The scene with another integrator, time step or end time; None: as they are."""
        scene = self._scene
        if integrator is None and dt is None and until is None:
            return scene
        integrator = scene.integrator if integrator is None else integrator
        dt = scene.dt if dt is None else dt
        until = scene.until if until is None else until
        return scene.read_again(scene.settings, integrator, number_text(dt), number_text(until))

    def __repr__(self) -> str:
        name = self.title or self.file
        return f"<tippe.System {name!r}: coordinates {', '.join(self.coordinates)}>"


def load(
    scene: Union[str, "os.PathLike[str]"],
    settings: Optional[Mapping[str, Number]] = None,
    integrator: Optional[str] = None,
    dt: Optional[Number] = None,
    until: Optional[Number] = None,
) -> System:
    """Reads a scene file (TOML, docs/scene.md).

    settings: values that replace parameters of the scene, numbers or expressions of other parameters.
    integrator, dt (s), until (s): instead of the scene's.

    Raises InputError with file, line and column for anything that cannot run.
    """
    return System(_tippe.load_scene(os.fspath(scene), setting_texts(settings), integrator, number_text(dt), number_text(until)))
