"""Answers as tables of a notebook."""

from __future__ import annotations

import html
from typing import Iterable, Sequence


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """HTML; all texts are escaped."""

    def cells(kind: str, values: Sequence[object]) -> str:
        return "".join(f'<{kind} style="text-align: left">{html.escape(str(value))}</{kind}>' for value in values)

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><caption>{html.escape(caption)}</caption><thead><tr>{cells('th', head)}</tr></thead><tbody>{body}</tbody></table>"
