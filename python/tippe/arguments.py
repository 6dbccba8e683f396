"""What callers pass, checked: a wrong argument is named in an InputError."""

from __future__ import annotations

import math
from typing import Any, Iterable, List, Optional, Union

import numpy as np

from .errors import InputError
from .values import Array

Number = Union[float, int, str]
"""A number, or an expression of the scene's parameters such as "2*pi/omega"."""


def finite(name: str, value: Any) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {value!r} and must be a number") from None
    if not math.isfinite(number):
        raise InputError(f"{name} is {number} and must be finite")
    return number


def number_text(name: str, value: Optional[Number]) -> Optional[str]:
    """A number as a text that is read back to the same bits; expressions stay as they are."""
    return value if value is None or isinstance(value, str) else repr(finite(name, value))


def several(value: Any) -> List[Any]:
    """One or several of something, as a list; None: none."""
    if value is None:
        return []
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]


def word(name: str, value: Any) -> str:
    """A name of something."""
    if not isinstance(value, str):
        raise InputError(f"{name} is {value!r} and must be a name")
    return value


def _require_finite(name: str, values: Array) -> None:
    wrong = np.argwhere(~np.isfinite(values))
    if len(wrong):
        place = ", ".join(str(index) for index in wrong[0])
        raise InputError(f"{name}[{place}] is {values[tuple(wrong[0])]} and must be finite")


def _array(name: str, value: Any, dimensions: int, kind: str) -> Array:
    try:
        array: Array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be a {kind} of numbers: {error}") from None
    if array.ndim != dimensions:
        raise InputError(f"{name} has {array.ndim} dimensions and must be a {kind}")
    _require_finite(name, array)
    return array


def matrix(name: str, value: Any) -> Array:
    """Dense; sparse ones of scipy are filled."""
    return _array(name, value.toarray() if hasattr(value, "toarray") else value, 2, "matrix")


def vector(name: str, value: Any) -> Array:
    return _array(name, value, 1, "vector")
