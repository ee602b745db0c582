"""Markdown pages and figures from what `measure` gave: nothing on them is typed in."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from routh.bench.common import ROUTH
from routh.bench.measure import NAMES
from routh.errors import RouthError
from routh.whole_file import whole_file, write_whole

__all__ = ["best_rows", "draw", "fill", "page", "table", "write_page"]

Data = Mapping[str, Any]
BEGIN, END = "<!-- measured by routh bench -->", "<!-- end of what was measured -->"
HEADLINES = {  # cases of the short table, and how it calls them
    "ball, error 1e-4 m": "a ball that bounces twice, height within 1e-4 m, per simulated second",
    "1000 bounces, e = 1": "one bounce in a run of 1000",
    "impact in space, sliding": "one frictional impact in space, in a batch",
    "double pendulum to 1e-7": "double pendulum, 10 s, within 1e-7 rad",
    "chain planar N=200": "accelerations of a planar chain of 200 links",
    "chain spatial N=200": "accelerations of a spatial chain of 200 links",
    "four-bar N=40": "40 coupled four-bars, per simulated second",
    "100 spheres in a box": "100 spheres that settle in a box, per simulated second",
}
UNITS = {"us": "µs", "us each": "µs", "ms/s": "ms", "s/s": "s"}


def table(data: Data) -> str:
    """Everything that was measured as plain text, for a terminal."""
    columns = "{:<40}{:<26}{:>16}{:>8}  {:<22}{}"
    lines = [columns.format("case", "engine", "value", "ratio", "goal", "note")]
    for row in data["rows"]:
        cells = (row["case"][:39], row["engine"], _value(row), _ratio(row), _goal(row), row["note"])
        lines.append(columns.format(*cells).rstrip())
    for curve in data["curves"]:
        reached = [f"{error:.0e} {curve['unit']} in {1e3 * spent:.3g} ms" for _, spent, error in curve["points"][::3]]
        lines.append(columns.format(curve["case"], curve["engine"], "", "", "", ", ".join(reached) or "not installed").rstrip())
    return "\n".join(lines)


def page(data: Data, json_name: str, pictures: Mapping[str, str]) -> str:
    """The page of benchmarks; `pictures` are files of figures by their cases."""
    peers = ", ".join(f"{name} {version}" for name, version in data["versions"].items() if version)
    lacking = [name for name, version in data["versions"].items() if not version]
    machine = data["machine"]
    lines = [
        "# Benchmarks", "",
        f"`routh bench` makes this page: it measures in one run, writes `{json_name}` and draws the page from it. "
        "`routh bench --quick` takes two minutes. Engines that are not installed are left out; "
        "`pip install 'routh[bench]'` installs them.",
        "", "Times are CPU times of one core. Other engines run at the cheapest setting found that reaches the stated error. "
        "Another tuning may do better than ours.",
        "", "| | |", "|---|---|",
        _cells("machine", f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; load {machine['load']}"),
        f"| versions | {peers} |", *([f"| not installed | {', '.join(lacking)} |"] if lacking else []), "",
        "A ratio is Routh's time over that of the best peer of the same case in the same run: below one, Routh is faster.", ""]
    if data["curves"]:
        lines += ["## Error against cost", "",
                  "Each point is one run: its CPU time and its largest error. Lower and further left is better.", ""]
        for case, picture in pictures.items():
            lines += [f"![{case}: error against CPU time of each engine]({picture})", "", *_reached(data, case), ""]
    for group in dict.fromkeys(row["group"] for row in data["rows"]):
        rows = [row for row in data["rows"] if row["group"] == group]
        lines += [f"## {NAMES[group][0].upper()}{NAMES[group][1:]}", "", _about(group), "",
                  "| case | engine | value | ratio | goal | note |", "|---|---|---|---|---|---|"]
        lines += [_cells(row["case"], row["engine"], _value(row), _ratio(row), _goal(row), row["note"]) for row in rows]
        lines.append("")
    return "\n".join(lines)


def best_rows(data: Data) -> list[str]:
    """The short table: for each headline Routh's value, the best peer's, and their ratio."""
    lines = ["| case | Routh | best other | ratio |", "|---|---|---|---|"]
    for case, words in HEADLINES.items():
        rows = [row for row in data["rows"] if row["case"] == case and row["value"] is not None]
        ours = [row for row in rows if row["engine"] == ROUTH]
        theirs = sorted((row for row in rows if row["engine"] != ROUTH), key=lambda row: float(row["value"]))
        if ours and theirs:
            best, ratio = theirs[0], theirs[0]["value"] / ours[0]["value"]
            lines.append(_cells(words, _value(ours[0]), f"{best['engine']}: {_value(best)}",
                                f"1/{_two(ratio)}" if ratio > 1.0 else _two(1.0 / ratio)))
    machine = data["machine"]
    return [*lines, "", f"One run on {machine['processor']}, one core, with "
            + ", ".join(f"{name} {version}" for name, version in data["versions"].items() if version and name != "routh") + "."]


def fill(path: Path, data: Data) -> Path:
    """Put the short table between the marks of a page."""
    text = path.read_text(encoding="utf-8")
    if BEGIN not in text or END not in text:
        raise RouthError(f"{path}: has no lines {BEGIN} and {END} to write between")
    inner = "\n".join([BEGIN, "", *best_rows(data), "", END])
    return write_whole(path, re.sub(re.escape(BEGIN) + ".*?" + re.escape(END), lambda _: inner, text, flags=re.S))


def write_page(path: Path, data: Data, json_name: str) -> Path:
    """Write the page of benchmarks with its figures in `images/bench` beside it."""
    pictures = draw(data, path.parent / "images" / "bench")
    names = {case: picture.relative_to(path.parent).as_posix() for case, picture in pictures.items()}
    return write_whole(path, page(data, json_name, names))


def draw(data: Data, folder: Path) -> dict[str, Path]:
    """Draw error against CPU time, one figure per case; the files by their cases."""
    from matplotlib.figure import Figure

    folder.mkdir(parents=True, exist_ok=True)
    out: dict[str, Path] = {}
    engines = sorted({curve["engine"] for curve in data["curves"]}, key=lambda name: (not name.startswith(ROUTH), name))
    styles = {name: f"C{i}" for i, name in enumerate(engines)}
    for case in dict.fromkeys(curve["case"] for curve in data["curves"]):
        figure = Figure(figsize=(7.0, 4.2), dpi=110, layout="constrained")
        ax = figure.add_subplot()
        unit = ""
        shown = [c for c in data["curves"] if c["case"] == case and c["points"]]
        for curve in sorted(shown, key=lambda c: engines.index(c["engine"])):
            unit, ours = curve["unit"], curve["engine"].startswith(ROUTH)
            ax.loglog([1e3 * p[1] for p in curve["points"]], [max(p[2], 1e-16) for p in curve["points"]], "o-", markersize=4,
                      linewidth=2.4 if ours else 1.2, color=styles[curve["engine"]], label=curve["engine"])
        ax.set(xlabel="CPU time [ms]", ylabel=f"largest error [{unit}]", title=case)
        ax.grid(True, which="major", color="0.9")
        ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
        out[case] = folder / (re.sub(r"\W+", "_", case.partition(",")[0]).strip("_") + ".png")
        with whole_file(out[case]) as part:
            figure.savefig(part, format="png")
    return out


def _reached(data: Data, case: str) -> list[str]:
    """A table of the CPU time that each engine needs for an error."""
    curves = [curve for curve in data["curves"] if curve["case"] == case]
    goals, unit = (1e-2, 1e-4, 1e-6, 1e-8), curves[0]["unit"]
    lines = ["| engine | " + " | ".join(f"{goal:.0e} {unit}" for goal in goals) + " |", "|---" * (len(goals) + 1) + "|"]
    for curve in curves:
        cells = []
        for goal in goals:
            spent = [p[1] for p in curve["points"] if p[2] <= goal]
            cells.append(f"{_digits(1e3 * min(spent))} ms" if spent else "not reached" if curve["points"] else "not installed")
        lines.append(f"| {curve['engine']} | " + " | ".join(cells) + " |")
    return lines


def _about(group: str) -> str:
    """The docstring of a benchmark, read without importing the module or its peers."""
    source = Path(__file__).with_name(f"{group}.py").read_text(encoding="utf-8")
    return ast.get_docstring(ast.parse(source)) or ""


def _cells(*values: str) -> str:
    return f"| {' | '.join(values)} |"


def _value(row: Data) -> str:
    if row["value"] is None:
        return "-"
    value, unit = row["value"], UNITS.get(row["unit"], row["unit"])
    if unit == "s" and value < 0.1:
        value, unit = 1e3 * value, "ms"
    return f"{_digits(value)} {unit}".rstrip(" -")


def _digits(value: float) -> str:
    """Three digits, without an exponent where few zeros do: 1510, 0.0456."""
    return f"{float(f'{value:.3g}'):.10g}" if 1e-4 <= abs(value) < 1e7 else f"{value:.3g}"


def _two(value: float) -> str:
    return f"{float(f'{value:.2g}'):g}"


def _ratio(row: Data) -> str:
    return "" if row["ratio"] is None else f"{row['ratio']:.2g}"


def _goal(row: Data) -> str:
    if row["goal"] is None and row["goal_ratio"] is None:
        return ""
    words = f"≤ {row['goal']:g}" if row["goal"] is not None else f"ratio ≤ {row['goal_ratio']:g}"
    return words + {None: "", True: ", met", False: ", missed"}[row["met"]]
