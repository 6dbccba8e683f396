"""What several tests need."""

from __future__ import annotations

import os
import pathlib
import signal

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A shell starts its background jobs with Ctrl-C ignored, and they and their children inherit it.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def scenes() -> pathlib.Path:
    return ROOT / "scenes"


@pytest.fixture
def program() -> str:
    """The program `tippe` of the same build."""
    path = pathlib.Path(os.environ.get("TIPPE_PROGRAM", ROOT / "build" / "release" / "src" / "tippe"))
    assert path.is_file(), f"{path} is missing: run ./tippe once, or set TIPPE_PROGRAM"
    return str(path)
