"""Derivatives of runs by parameters and initial values."""

from __future__ import annotations

from typing import Any, Iterable, List, NamedTuple, Optional, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _tippe
from .arguments import word
from .errors import NumericalError, lines_of
from .names import unknown_name
from .overrides import Overrides
from .values import Array, Named, read_only


class EventTime(NamedTuple):
    """An event of a run, and how its time moves with each parameter."""

    time: float
    """s"""
    kind: str
    """As Event.kind."""
    laws: Tuple[str, ...]
    """That take part."""
    by: Named
    """s per unit of each parameter."""


class Gradient:
    """A run with its derivatives by parameters, from System.gradient() or Run.gradient().

    gradient["phi"] is the derivative of a coordinate, a velocity ("phi'") or a quantity of the scene at all times, N x k, with one column for each
    of the k parameters; value("phi") are its values, N. Arrays are read-only. parameters: names; at: their values. t: s, N. At the time of an
    impact values and derivatives are those before it.
    """

    def __init__(self, parameters: Tuple[str, ...], laws: Tuple[str, ...], answer: Tuple[Any, ...]) -> None:
        _, at, names, times, value, derived, events, _ = answer
        self.parameters: Tuple[str, ...] = parameters
        self.at: Named = Named(parameters, at)
        self.names: Tuple[str, ...] = tuple(names)
        self.t: Array = read_only(times)
        self._value: Array = read_only(value)
        derivatives = [np.asarray(table) for table in derived]
        self._derived: Array = read_only(np.stack(derivatives, axis=-1) if derivatives else np.empty((*self._value.shape, 0)))
        self.events: List[EventTime] = [
            EventTime(t, kind, tuple(laws[law] for law in part), Named(parameters, by))
            for t, kind, part, by in events
        ]

    def _column(self, name: str) -> int:
        if name not in self.names:
            raise unknown_name(name, self.names, "a coordinate, velocity or quantity of this run")
        return self.names.index(name)

    def __getitem__(self, name: str) -> Array:
        column: Array = self._derived[:, self._column(name), :]
        return column

    def value(self, name: str) -> Array:
        """The values of a name at all times, N."""
        column: Array = self._value[:, self._column(name)]
        return column

    @property
    def end(self) -> Array:
        """The derivatives of all names at the last time, one row for each name, one column for each parameter."""
        last: Array = self._derived[-1]
        return last

    def __repr__(self) -> str:
        return f"<tippe.Gradient of {', '.join(self.names)} by {', '.join(self.parameters)} at {len(self.t)} times>"


def find_gradient(
    text: str,
    file: str,
    laws: Tuple[str, ...],
    overrides: Overrides,
    parameters: Union[str, Iterable[str]],
    times: Optional[npt.ArrayLike],
) -> Gradient:
    """System.gradient() and Run.gradient()."""
    names = (parameters,) if isinstance(parameters, str) else tuple(word("parameters", name) for name in parameters)
    due = [] if times is None else [float(t) for t in np.atleast_1d(np.asarray(times, dtype=np.float64))]
    with lines_of(text):
        answer = _tippe.find_gradient(text, file, overrides.texts(), names, due)
    if answer[-1] is not None:
        raise answer[-1]
    if answer[0]:
        raise NumericalError(f"{file}: {answer[0]}")
    return Gradient(names, laws, answer)
