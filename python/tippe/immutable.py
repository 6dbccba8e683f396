"""Objects that never change."""

from __future__ import annotations

from typing import TypeVar

Self = TypeVar("Self")


class Immutable:
    """A copy of it is itself."""

    def __copy__(self: Self) -> Self:
        return self

    def __deepcopy__(self: Self, _: object) -> Self:
        return self
