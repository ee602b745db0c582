"""`result.report("run.html")`: one file that opens offline and makes no network requests.

The page holds three.js, our own modules and the run. Its policy admits exactly this script and this style by their digests,
so that nothing a name or a file may smuggle in can run, and no request can leave.
"""

from __future__ import annotations

import base64
import hashlib
import html
import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from routh.errors import RouthError
from routh.sim.result import Result
from routh.version import __version__
from routh.view.bundle import WEB, bundle
from routh.view.document import BUDGET, document_of
from routh.whole_file import write_whole

__all__ = ["report", "report_grid", "report_html", "write_page"]

MOST_RUNS = 400  # of a grid


def report(result: Result, path: str | Path, *, title: str = "", plots: Sequence[Sequence[str]] | None = None) -> Path:
    """Write the report of one run; the suffix .html is added where it is missing.

    `plots` names the channels of each plot shown at first: `[["ball.y"], ["ball.vx", "ball.vy"]]`.
    """
    return write_page(path, report_html([document_of(result, title, plots)], title or result.model))


def report_grid(
    path: str | Path,
    run: Callable[..., Result],
    vary: Mapping[str, Sequence[float]],
    *,
    title: str = "",
    plots: Sequence[Sequence[str]] | None = None,
) -> Path:
    """A report with a slider per parameter, over runs computed beforehand.

    `run` is called with every combination of `vary`: `report_grid("e.html", lambda e: drop(e), {"e": [0.2, 0.5, 0.8]})`.
    """
    values = [list(v) for v in vary.values()]
    combinations = list(itertools.product(*values))
    if not vary or not combinations or len(combinations) > MOST_RUNS:
        raise RouthError(
            f"report_grid: {len(combinations) if vary else 0} runs; vary at least one parameter, over at most {MOST_RUNS} runs"
        )
    budget = max(BUDGET // len(combinations), 60_000)
    documents = [document_of(run(**dict(zip(vary, chosen, strict=True))), title, plots, budget) for chosen in combinations]
    grid = [{"name": name, "values": [float(x) for x in v]} for name, v in zip(vary, values, strict=True)]
    return write_page(path, report_html(documents, title or documents[0]["model"], grid))


def report_html(
    documents: list[dict[str, Any]],
    title: str,
    grid: list[dict[str, Any]] | None = None,
    study: dict[str, Any] | None = None,
) -> str:
    """The page that shows these documents."""
    try:
        data = json.dumps(
            {"title": title, "runs": documents, "grid": grid, "study": study},
            allow_nan=False,
            ensure_ascii=False,
            separators=(",", ":"),
        )
    except ValueError:
        raise RouthError(f"{title}: a coordinate or force is infinite or not a number; such a run cannot be drawn") from None
    style, script = (WEB / "viewer.css").read_text(encoding="utf-8"), bundle()
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; style-src {_digest(style)}; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    page = (WEB / "report.html").read_text(encoding="utf-8")
    # inside the script element "<" could begin a tag; JSON may write it as an escape
    safe = data.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    filled = {
        "policy": policy,
        "version": __version__,
        "title": html.escape(title),
        "style": style,
        "data": safe,
        "script": script,
    }
    pieces = page.split("{")
    return pieces[0] + "".join(filled[key] + rest for key, rest in (piece.split("}", 1) for piece in pieces[1:]))


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}'"


def write_page(path: str | Path, page: str) -> Path:
    """Write a page; the suffix .html is added where it is missing."""
    path = Path(path)
    path = path if path.suffix else path.with_suffix(".html")
    try:
        return write_whole(path, page)
    except OSError as error:
        raise RouthError(f"{path}: cannot be written: {error.strerror}") from error
