"""Pages name each other as `docs/impact.md` and sources as [park]: on the site both are links."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

PAGE = re.compile(r"`docs/([\w/]+)\.md`")
ENTRY = re.compile(r"^- `\[(\w+)\]`", re.M)
FENCED = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.M | re.S)


def link(app: Sphinx, docname: str, source: list[str]) -> None:
    """Rewrite a page as it is read."""
    if docname == "bibliography":
        source[0] = ENTRY.sub(r"- [\\[\1\\]]{#\1}", source[0])
        return
    entries = set(ENTRY.findall((Path(app.srcdir) / "bibliography.md").read_text(encoding="utf-8")))
    here = Path(docname).parent
    text = PAGE.sub(lambda m: f"[{m[1]}]({os.path.relpath(m[1], here)}.md)", source[0])
    key = re.compile(rf"(?<![\[\w])\[({'|'.join(sorted(entries))})\](?![(\w])")
    bibliography = os.path.relpath("bibliography", here)
    parts = FENCED.split(text)  # code stays as it is
    parts[::2] = [key.sub(rf"[\\[\1\\]]({bibliography}.md#\1)", part) for part in parts[::2]]
    source[0] = "".join(parts)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("source-read", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
