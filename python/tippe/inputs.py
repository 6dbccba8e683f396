"""Inputs of scenes: tables of their values over time, and setting them by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, MutableMapping, Union

import numpy.typing as npt

from . import _tippe
from .arguments import finite, vector
from .errors import FileError, InputError
from .names import unknown_name

if TYPE_CHECKING:
    from .simulation import Simulation


def input_table(inputs: Union[str, "os.PathLike[str]", Mapping[str, npt.ArrayLike]]) -> tuple[str, str]:
    """A table of inputs as text, and its name in messages."""
    if not isinstance(inputs, Mapping):
        name = os.fspath(inputs)
        try:
            return Path(name).read_text(encoding="utf-8"), name
        except OSError as error:
            raise FileError(f"{name}: cannot be read ({error.strerror})") from None
    columns = {name: vector(f"inputs[{name!r}]", values) for name, values in inputs.items()}
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1:
        raise InputError("the columns of inputs must have the same length, one number for each time in inputs['t']")
    lines = [",".join(columns), *(",".join(repr(float(number)) for number in row) for row in zip(*columns.values()))]
    return "\n".join(lines) + "\n", "<inputs>"


class Inputs(MutableMapping[str, float]):
    """The inputs of a simulation by name: what the next step takes. sim.input["F"] = 2.0."""

    def __init__(self, simulation: Simulation, scene: _tippe.Scene) -> None:
        self._simulation = simulation
        self._names = tuple(scene.inputs)
        self._places = tuple(scene.input_coordinates)

    def _number(self, name: object) -> int:
        if name not in self._names:
            if not self._names:
                raise unknown_name(name, ["[inputs]"], "an input: the scene has none; it may name some")
            raise unknown_name(name, self._names, "an input of the scene")
        return self._names.index(str(name))

    def __getitem__(self, name: str) -> float:
        return float(self._simulation.q[self._places[self._number(name)]])

    def __setitem__(self, name: str, value: Any) -> None:
        self._simulation._stepper.set_input(self._number(name), finite(f"input[{name!r}]", value))

    def __delitem__(self, name: str) -> None:
        raise TypeError("inputs stay; set one to another value")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))
