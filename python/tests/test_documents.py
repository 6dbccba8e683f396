"""The Python code in the documents runs."""

from __future__ import annotations

import pathlib
import re

import pytest

from conftest import ROOT


@pytest.mark.parametrize("document", ["README.md", "docs/python_reference.md"])
def test_code_in_documents_runs(document: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / document).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, object] = {}
    for block in ["import tippe\n", *blocks]:
        exec(block, names)
