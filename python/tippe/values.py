"""What the answers of Tippe are made of: numbers by name, intervals by name, verdicts."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from .names import unknown_name

Array = npt.NDArray[np.float64]


def read_only(values: Any) -> Array:
    """A float64 array through which nothing can be written; not a copy if it is one of float64 already."""
    array: Array = np.asarray(values, dtype=np.float64).view()
    array.flags.writeable = False
    return array


def _index(values: Union[Named, Bounds], name: str) -> int:
    if name not in values._index:
        raise unknown_name(name, values.names, "one of these")
    return values._index[name]


class Named(Mapping[str, float]):
    """Numbers by their names: a mapping, and an array in the same order."""

    def __init__(self, names: Sequence[str], values: Any) -> None:
        self.names: Tuple[str, ...] = tuple(names)
        self.array: Array = read_only(values)
        self._index = {name: k for k, name in enumerate(self.names)}

    def __getitem__(self, name: str) -> float:
        return float(self.array[_index(self, name)])

    def _ipython_key_completions_(self) -> List[str]:
        return list(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {value:.6g}" for name, value in self.items()) + "}"


class Bounds(Mapping[str, Tuple[float, float]]):
    """Intervals by the names of their quantities: bounds["foot.n"] is (low, high), infinite where nothing bounds it.

    lower, upper: arrays in the order of names; array: both, one row (low, high) for each name. All read-only.
    """

    def __init__(self, names: Sequence[str], array: Any) -> None:
        self.names: Tuple[str, ...] = tuple(names)
        self.array: Array = read_only(np.asarray(array, dtype=np.float64).reshape(len(self.names), 2))
        self._index = {name: k for k, name in enumerate(self.names)}

    @property
    def lower(self) -> Array:
        return self.array[:, 0]

    @property
    def upper(self) -> Array:
        return self.array[:, 1]

    @property
    def width(self) -> Array:
        """upper - lower: how much freedom each quantity has."""
        return self.upper - self.lower

    def __getitem__(self, name: str) -> Tuple[float, float]:
        low, high = self.array[_index(self, name)]
        return float(low), float(high)

    def _ipython_key_completions_(self) -> List[str]:
        return list(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: ({low:.6g}, {high:.6g})" for name, (low, high) in self.items()) + "}"


@dataclasses.dataclass(frozen=True, eq=False)
class Verdict:
    """An answer that is "yes", "no" or "undecided". As a condition it is true for yes, false for no, and an error where undecided.

    margin: the distance from the boundary between yes and no, positive on the side of yes; None where there is no measure of it.
    """

    verdict: str
    margin: Optional[float]

    @property
    def yes(self) -> bool:
        return self.verdict == "yes"

    @property
    def no(self) -> bool:
        return self.verdict == "no"

    @property
    def undecided(self) -> bool:
        return self.verdict == "undecided"

    def __bool__(self) -> bool:
        if self.undecided:
            raise ValueError("undecided: ask for .yes or .no")
        return self.yes

    def __str__(self) -> str:
        return self.verdict


# Readers of JSON, by the types of what is to be read. None stays None: the part does not apply.


def number(value: Any) -> float:
    """JSON has no infinities: they are texts. What is no number is null."""
    return np.nan if value is None else float(value)


def vector(value: Any) -> Array:
    return read_only([number(entry) for entry in value])


def matrix(value: Any) -> Array:
    """One row for each list; 0 x 0 if there are none."""
    return read_only(np.array([[number(entry) for entry in row] for row in value] or np.empty((0, 0)), dtype=np.float64))


Matrix = Annotated[Array, matrix]


def named(value: Any) -> Named:
    return Named(list(value), [number(entry) for entry in value.values()])


def bounds(value: Any) -> Bounds:
    return Bounds(list(value), [[number(entry) for entry in pair] for pair in value.values()])


def rows(value: Any) -> Dict[str, Optional[Array]]:
    """Vectors by name; None where there is none."""
    return {name: None if row is None else vector(row) for name, row in value.items()}


Reader = Callable[[Any], Any]


def _optional(read: Reader) -> Reader:
    return lambda value: None if value is None else read(value)


def _sequence(read: Reader) -> Reader:
    return lambda value: tuple(read(entry) for entry in value)


def _by_name(read: Reader) -> Reader:
    return lambda value: {name: read(entry) for name, entry in value.items()}


def _reader(hint: Any) -> Reader:
    """What makes an object of this type from JSON."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        reader: Reader = arguments[1]
        return reader
    if origin is Union:
        return _optional(_reader(arguments[0]))
    if origin is dict and dataclasses.is_dataclass(arguments[1]):
        return _by_name(_reader(arguments[1]))
    if origin is tuple:
        return _sequence(_reader(arguments[0]))
    if origin is np.ndarray:
        return vector
    if hint in (float, Named, Bounds):
        return {float: number, Named: named, Bounds: bounds}[hint]
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return part(hint)
    return lambda value: value


T = TypeVar("T")


def part(cls: Callable[..., T]) -> Callable[[Any], T]:
    """A reader for a dataclass whose fields are keys of a JSON object."""
    readers = {name: _reader(hint) for name, hint in get_type_hints(cls, include_extras=True).items()}
    fields = [field.name for field in dataclasses.fields(cls)]  # type: ignore[arg-type]
    return lambda value: cls(**{name: readers[name](value[name]) for name in fields})
