"""Pages inside a notebook."""

from __future__ import annotations

import html

RUN_IN_A_CELL = 2_000_000  # bytes that the page of a run aims at, by fewer samples
_LARGEST_INLINE = 32_000_000  # bytes of a page that is shown in a notebook


def inline_page(page: str, title: str, text: str) -> str:
    """A page in a frame of its own; one that is too large is replaced by its text."""
    if len(page.encode()) > _LARGEST_INLINE:
        return f'<pre>{html.escape(text)}</pre><p>Too large to be shown here: write it with .report("page.html").</p>'
    return (
        f'<iframe srcdoc="{html.escape(page)}" title="{html.escape(title)}" '
        'style="width: 100%; height: 700px; border: 1px solid #8884"></iframe>'
    )
