"""The Python code in the documents runs, in its order, and prints what they show."""

from __future__ import annotations

import contextlib
import io
import pathlib
import re

import pytest

from conftest import ROOT

BLOCK = re.compile(r"^```(python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("document, least_shown", [("README.md", 0), ("docs/python.md", 10), ("docs/python_reference.md", 0)])
def test_documents_print_what_they_show(
    document: str, least_shown: int, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / document).read_text(encoding="utf-8"))
    names: dict[str, object] = {}
    exec("import tippe", names)
    printed, shown = "", 0
    for kind, text in blocks:
        if kind == "python":
            assert printed == "", f"not shown: {printed}"
            with contextlib.redirect_stdout(io.StringIO()) as output:
                exec(compile(text, document, "exec"), names)
            printed = output.getvalue()
        else:
            assert text.rstrip() == printed.rstrip()
            printed = ""
            shown += 1
    assert blocks and printed == "" and shown >= least_shown
