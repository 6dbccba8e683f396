"""The program, whose answers those of the module must be."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from conftest import ROOT

CLOCKS = ("wall_time_s", "seconds")


def answer(program: str, *arguments: str) -> Any:
    """What the program prints with --json, without what clocks measured. Runs in the root of the sources."""
    done = subprocess.run([program, *arguments, "--json"], cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=100)
    return without_clocks(json.loads(done.stdout))


def text_of(program: str, *arguments: str) -> str:
    return subprocess.run([program, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=100).stdout


def without_clocks(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_clocks(entry) for key, entry in value.items() if key not in CLOCKS}
    if isinstance(value, list):
        return [without_clocks(entry) for entry in value]
    return value
