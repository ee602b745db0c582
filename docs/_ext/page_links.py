"""Pages name each other as `docs/impact.md` and sources as [park]: on the site both are links."""

from __future__ import annotations

import os
import re
from pathlib import Path

from sphinx.application import Sphinx

PAGE = re.compile(r"`docs/([\w/]+)\.md`")
ENTRY = re.compile(r"^- `\[(\w+)\]`", re.M)
CODE = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.M | re.S)


def linked(text: str, docname: str, srcdir: Path) -> str:
    """Markdown with links for page `docname`; code stays as it is."""
    here = Path(docname).parent
    text = PAGE.sub(lambda m: f"[{m[1]}]({os.path.relpath(m[1], here)}.md)", text)
    entries = ENTRY.findall((srcdir / "bibliography.md").read_text(encoding="utf-8"))
    key = re.compile(rf"(?<![\[\w])\[({'|'.join(entries)})\](?![(\w])")
    bibliography = os.path.relpath("bibliography", here)
    parts = CODE.split(text)
    parts[::2] = [key.sub(rf"[\\[\1\\]]({bibliography}.md#\1)", part) for part in parts[::2]]
    return "".join(parts)


def link(app: Sphinx, docname: str, source: list[str]) -> None:
    """Rewrite a page as it is read; the entries of the bibliography become what the links lead to."""
    if docname == "bibliography":
        source[0] = ENTRY.sub(r"- [\\[\1\\]]{#\1}", source[0])
    else:
        source[0] = linked(source[0], docname, Path(app.srcdir))


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("source-read", link)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
