"""Scenes as text: what Python values become in TOML."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np
import tomli_w

from .errors import InputError


def plain(value: Any, place: str) -> Any:
    """Numbers, texts, lists and tables that TOML knows; numpy's values and tuples too. Entries that are None are left out."""
    if isinstance(value, np.ndarray):
        return plain(value.tolist(), place)
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(entry, f"{place}.{key}") for key, entry in value.items() if entry is not None}
    if isinstance(value, (list, tuple)):
        return [plain(entry, f"{place}[{k}]") for k, entry in enumerate(value)]
    raise InputError(f"{place} cannot be written in a scene: {type(value).__name__}; use numbers, texts, lists and dictionaries")


def scene_text(tables: Mapping[str, Any]) -> str:
    """The text of a scene with these keys, those of docs/scene.md."""
    values = {key: plain(value, key) for key, value in tables.items() if value is not None}
    return tomli_w.dumps({"tippe": 1, **values})
