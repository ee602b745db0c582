"""What a notebook shows: a model as tables, a result as picture and account, an impact as its diagram, a run that moves."""

from __future__ import annotations

import html
import io
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import Any

from routh.model.model import Model
from routh.sim.declaration import plain
from routh.sim.impact import Impact
from routh.sim.result import Result
from routh.view.document import document_of
from routh.view.pictures import picture
from routh.view.reports import report_html

__all__ = ["impact_html", "impact_svg", "model_html", "result_html", "show"]

FAMILIES = ("bodies", "joints", "forces", "drivers", "contacts", "impulses")
MOST = 12  # elements of a family that are listed


def show(result: Result, *, height: int = 760, title: str = "") -> Any:
    """Show the report of a run: inside a notebook, or in the browser.

    Parameters
    ----------
    result
        The run.
    height
        Height of the frame in a notebook [px]. Default: 760.
    title
        Above the report. Default: the model's name.

    Returns
    -------
    The display of the notebook, or the path of the HTML file.

    Examples
    --------
    >>> rt.show(result)                                                  # doctest: +SKIP
    """
    page = report_html([document_of(result, title)], title or result.model)
    if _in_notebook():
        from IPython.display import HTML, display

        style = f"width:100%;height:{int(height)}px;border:0"
        frame = f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" style="{style}"></iframe>'
        display(HTML(frame))
        return None
    path = Path(tempfile.mkdtemp(prefix="routh-")) / "run.html"
    path.write_text(page, encoding="utf-8")
    webbrowser.open(path.as_uri())
    return path


def _in_notebook() -> bool:
    """Whether a Jupyter kernel runs this."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return getattr(shell, "kernel", None) is not None


def model_html(model: Model) -> str:
    """The elements of a model as tables, a family each."""
    gravity = ", ".join(f"{g:g}" for g in model.gravity)
    out = [f"<b>{html.escape(model.name)}</b>: {model.space} model, gravity ({gravity}) m/s²"]
    for family in FAMILIES:
        items = getattr(model, family)
        if items:
            rows = "".join(_element_row(plain(item)) for item in items[:MOST])
            more = f"<p>… and {len(items) - MOST} more</p>" if len(items) > MOST else ""
            out.append(f"<details open><summary>{family} ({len(items)})</summary><table>{rows}</table>{more}</details>")
    return "".join(out)


def _element_row(item: dict[str, Any]) -> str:
    said = ", ".join(
        f"{key} = {_said(value)}" for key, value in item.items() if key not in ("kind", "name") and value not in (None, [])
    )
    return (
        f'<tr><td style="text-align:left">{html.escape(item["name"])}</td><td style="text-align:left">{item["kind"]}</td>'
        f'<td style="text-align:left">{html.escape(said)}</td></tr>'
    )


def _said(value: Any) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{k} = {_said(v)}" for k, v in value.items() if k != "kind" and v not in (None, []))
        return f"{value.get('kind', '')}({inner})"
    if isinstance(value, list):
        return f"({len(value)} values)" if len(value) > MOST else "(" + ", ".join(map(_said, value)) + ")"
    return f"{value:g}" if isinstance(value, float) else str(value)


def result_html(result: Result) -> str:
    """A picture of the motion, the status, the account and the impacts."""
    drawn = picture(result) if result.declaration.get("model") and len(result.t) else ""
    account = f"<pre>{html.escape(result.energy.account())}</pre>"
    impacts = (
        f"<details><summary>{len(result.impacts)} impacts</summary>{result.impacts._repr_html_()}</details>"
        if len(result.impacts)
        else ""
    )
    colour = "" if result.success else ' style="color:#c0261c;font-weight:650"'
    beside = f'<div style="display:flex;flex-wrap:wrap;gap:1em">{drawn}{account}</div>'
    return f"<p{colour}>{html.escape(repr(result))}</p>{beside}{impacts}"


def impact_svg(hit: Impact) -> str:
    """Routh's diagram of a planar impact, the impulse space of a spatial one."""
    from routh.view.impact_figures import impulse_space, routh_diagram

    file = io.StringIO()
    (routh_diagram if hit.v.size == 2 else impulse_space)(hit).savefig(file, format="svg", metadata={"Date": None})
    text = file.getvalue()
    return text[text.index("<svg") :]


def impact_html(hit: Impact) -> str:
    """The diagram of an impact beside its numbers."""
    names = ("n", "t") if hit.v.size == 2 else ("n", "t1", "t2")
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = "".join(
        f"<tr><td>{what}</td>" + "".join(f"<td>{x:.6g}</td>" for x in values) + "</tr>"
        for what, values in (
            ("velocity before [m/s]", hit.v),
            ("impulse [N s]", hit.impulse),
            ("velocity after [m/s]", hit.velocity),
        )
    )
    lost = f"energy lost {hit.energy_lost:.6g} J" + ("; this law creates energy here" if hit.creates_energy else "")
    return (
        f"<p><b>{hit.kind.label}</b>, {html.escape(str(hit.law))}: {lost}</p><table><tr><th></th>{head}</tr>{rows}</table>"
        + impact_svg(hit)
    )
