"""The annotations hold: mypy, strictly, on the package, these tests and the examples."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import tippe
from conftest import ROOT


def test_annotations_hold(tmp_path: pathlib.Path) -> None:
    package = pathlib.Path(tippe.__file__).parent
    assert (package / "py.typed").is_file() and (package / "_tippe.pyi").is_file()
    files = [str(folder) for folder in (ROOT / "python" / "tests", ROOT / "examples" / "python") if folder.is_dir()]
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--cache-dir", str(ROOT / "build" / "mypy")]
    for what in (["-p", "tippe"], files):
        checked = subprocess.run([*command, *what], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        assert checked.returncode == 0, checked.stdout
