"""What several tests need."""

from __future__ import annotations

import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def scenes() -> pathlib.Path:
    return ROOT / "scenes"


@pytest.fixture
def program() -> str:
    """The program `tippe` of the same build."""
    path = pathlib.Path(os.environ.get("TIPPE_PROGRAM", ROOT / "build" / "prefix" / "bin" / "tippe"))
    assert path.is_file(), f"{path} is missing: cmake --install build/check --prefix build/prefix, or set TIPPE_PROGRAM"
    return str(path)
