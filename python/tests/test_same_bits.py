"""The same scene gives the same bits as the program."""

from __future__ import annotations

import pathlib
import subprocess
from typing import Any

import h5py
import numpy as np
import pytest

import tippe
from conftest import ROOT

NAMES = sorted(path.stem for path in (ROOT / "scenes").glob("*.toml"))


def contents(file: pathlib.Path) -> dict[str, Any]:
    """Every dataset and attribute of an HDF5 file but what clocks measured, as bytes."""
    found: dict[str, Any] = {}

    def take(name: str, node: Any) -> None:
        for key, value in node.attrs.items():
            if key != "wall_time":
                found[f"{name}@{key}"] = np.asarray(value).tobytes()
        if isinstance(node, h5py.Dataset):
            values = node[()]
            if name == "checkpoint/values":
                values = values[[entry != b"wall_time" for entry in node.parent["names"][()]]]
            found[name] = np.asarray(values).tobytes()

    with h5py.File(file) as root:
        take("/", root)
        root.visititems(take)
    return found


@pytest.mark.filterwarnings("ignore::tippe.TippeWarning")
@pytest.mark.parametrize("name", NAMES)
def test_every_number_is_that_of_the_program(name: str, scenes: pathlib.Path, program: str, tmp_path: pathlib.Path) -> None:
    scene = scenes / f"{name}.toml"
    system = tippe.load(scene)
    begin = system.start.t
    until = min(begin + (system.until - begin) / 20, begin + 40.5 * system.dt)
    command = [program, "run", str(scene), "--until", repr(until), "--out", str(tmp_path), "--no-report", "--quiet"]
    assert subprocess.run(command, timeout=100).returncode == 0
    ours = tmp_path / "ours.h5"
    system.run(until=until, record=ours)
    expected = contents(tmp_path / f"{name}.h5")
    assert contents(ours) == expected and "samples/q" in expected
