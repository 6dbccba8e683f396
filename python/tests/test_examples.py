"""The examples run, and what they assert holds."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest

from conftest import ROOT

EXAMPLES = sorted((ROOT / "examples" / "python").glob("*.py"))


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_examples_run(example: pathlib.Path, tmp_path: pathlib.Path) -> None:
    assert len(example.read_text().splitlines()) < 60
    done = subprocess.run([sys.executable, "-W", "error", str(example)], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout and not done.stderr
