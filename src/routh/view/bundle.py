"""The page's modules as one script, so that a report opens from disk, where a browser fetches no module.

Every module becomes a function that returns what it exports. three.js comes from the copy that NiceGUI ships.
"""

from __future__ import annotations

import importlib.util
import re
from functools import cache
from pathlib import Path

from routh.errors import RouthError
from routh.extras import need

__all__ = ["WEB", "bundle", "three_path"]

WEB = Path(__file__).parent / "web"
# each imports only what stands before it
ORDER = (
    "run", "triangles", "parts", "bodies", "links", "camera", "ruler", "arrows", "forces", "scene", "plots", "timeline",
    "impact", "tables", "viewer", "study", "report",
)  # fmt: skip

_IMPORT = re.compile(r'^import (\{[^}]*\}) from "\./(\w+)\.js";$', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)
_THREE_EXPORT = re.compile(r"export\{([^{}]*)\};?\s*(?://[^\n]*\s*)?$")


def three_path() -> Path:
    """The three.js bundle inside NiceGUI, found without importing NiceGUI."""
    found = importlib.util.find_spec("nicegui")
    for folder in (found.submodule_search_locations or []) if found else []:
        path = Path(folder) / "elements" / "scene" / "dist" / "index.js"
        if path.is_file():
            return path
    need("nicegui", what="a report (the three.js that moves its scene)")
    raise RouthError("the moving scene needs the three.js of NiceGUI 3, and yours has none: pip install 'nicegui>=3.4,<4'")


@cache
def bundle() -> str:
    """One script that opens the report of the page it stands in."""
    scopes = [
        f"const m_{name} = (() => {{\n{_scope((WEB / f'{name}.js').read_text(encoding='utf-8'))}\n}})();" for name in ORDER
    ]
    script = "\n".join(['"use strict";', f"const three = (() => {{\n{_three()}\n}})();", *scopes, "m_report.open(three);"])
    return re.sub(r"</(?=script)", r"<\\/", script, flags=re.I)  # in a page the text </script would end it


def _scope(source: str) -> str:
    """The body of a function that does what the module does and returns what it exports."""
    names = _EXPORT.findall(source)
    body = _EXPORT.sub("", _IMPORT.sub(r"const \1 = m_\2;", source))
    return f"{body}\nreturn {{ {', '.join(names)} }};"


def _three() -> str:
    source = three_path().read_text(encoding="utf-8")
    found = _THREE_EXPORT.search(source)
    if found is None:
        raise RouthError(f"{three_path()} is not the three.js bundle that this version knows; take nicegui>=3,<4")
    pairs = [entry.strip().split(" as ") for entry in found[1].split(",")]
    return source[: found.start()] + "return {" + ", ".join(f"{pair[-1]}: {pair[0]}" for pair in pairs) + "};"
