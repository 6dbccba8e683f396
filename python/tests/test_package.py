"""What is installed beside the code."""

from __future__ import annotations

import importlib.metadata


def test_the_notices_of_what_is_linked_in_are_installed() -> None:
    files = {file.name: file for file in importlib.metadata.distribution("tippe").files or []}
    assert "Redistributions in binary form must reproduce" in files["nanobind.txt"].read_text()
    assert "Thibaut Goetghebuer-Planchon" in files["robin_map.txt"].read_text()
