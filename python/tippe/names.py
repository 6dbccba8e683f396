"""Names that people mistype."""

from __future__ import annotations

from typing import Sequence

from . import _tippe


class UnknownName(KeyError):
    """A KeyError whose sentence is shown as it is."""

    def __str__(self) -> str:
        return str(self.args[0])


def unknown_name(name: object, known: Sequence[str], what: str) -> KeyError:
    """The error for a name that is not known, with the one that was probably meant."""
    return UnknownName(f"{name!r} is not {what}{_tippe.did_you_mean(str(name), list(known))} (there are: {_tippe.comma_list(list(known))})")
