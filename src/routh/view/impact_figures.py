"""Figures of impacts: Routh's diagram, impulse space, slip flow, energy maps, contact classes.

Every function returns a matplotlib Figure made without pyplot, so nothing opens and nothing leaks; `save`
writes it as SVG (vector) and PNG.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import distance_transform_edt

from routh.analysis.impulse_path import invariant_directions, routh_lines
from routh.analysis.painleve import ContactClass
from routh.extras import need
from routh.sim.impact import Impact, resolve_impacts
from routh.sim.impact_path import Path as ImpulsePath
from routh.whole_file import whole_file

need("matplotlib", what="a figure of an impact")
from matplotlib.colors import BoundaryNorm, ListedColormap  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

__all__ = [
    "class_map",
    "energy_map",
    "impulse_space",
    "law_lines",
    "loss_panels",
    "normal_force_panels",
    "routh_diagram",
    "save",
    "slip_flow",
    "slip_flow_panels",
    "slip_flow_polar",
]

Array = NDArray[np.float64]

INK, STICK, COMPRESS, LIMIT = "#1b1b1b", "#1f6fb4", "#c0392b", "#7a7a7a"  # path, S, C, F
SHADES = ("#08306b", "#2171b5", "#4aa3a2", "#e08214", "#b2182b", "#6a3d9a")
MARKER = {"start": "o", "slip stops": "s", "end of compression": "D", "compression resumes": "v", "end": "o"}


def save(figure: Figure, folder: Path, name: str) -> list[Path]:
    """Write the figure as SVG and PNG; return both paths."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.svg", folder / f"{name}.png"]
    with whole_file(paths[0]) as part:
        figure.savefig(part, metadata={"Date": None}, bbox_inches="tight")
    with whole_file(paths[1]) as part:
        figure.savefig(part, dpi=160, bbox_inches="tight")
    return paths


def _figure(width: float, height: float) -> Figure:
    return Figure(figsize=(width, height), layout="constrained")


def _plain(axes: Any) -> Any:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=8)
    return axes


def _mark(axes: Any, path: ImpulsePath, points: NDArray[np.float64]) -> None:
    for i, what in path.marks:
        face = "white" if what == "start" else INK
        axes.plot(*([x] for x in points[i]), MARKER[what], ms=5, mfc=face, mec=INK, zorder=5, label=what)


def routh_diagram(hit: Impact) -> Figure:
    """Routh's impulse plane: sticking line S, compression line C, limiting friction F, and the path."""
    path, lines = hit.path, routh_lines(hit.A, hit.v, hit.mu)
    reach_n = 1.18 * max(float(path.impulse[:, 0].max()), 1e-300)
    reach_t = 1.25 * max(float(np.abs(path.impulse[:, 1]).max()), 0.35 * hit.mu * reach_n, 0.1 * reach_n)
    fig = _figure(4.6, 4.2)
    axes = _plain(fig.add_subplot())
    axes.set(xlim=(-reach_t, reach_t), ylim=(-0.04 * reach_n, reach_n))
    axes.axhline(0.0, color="0.85", lw=0.8, zorder=0)
    axes.axvline(0.0, color="0.85", lw=0.8, zorder=0)
    for name, color, style in (
        ("F", LIMIT, "--"),
        ("F'", LIMIT, "--"),
        ("S", STICK, "-"),
        ("C", COMPRESS, "-"),
    ):
        (x0, y0), (dx, dy) = lines[name]
        axes.axline((x0, y0), (x0 + dx, y0 + dy), color=color, ls=style, lw=1.1)
        spot = _inside((x0, y0), (dx, dy), 0.93 * reach_t, 0.95 * reach_n)
        if spot:
            axes.annotate(
                name.rstrip("'"),
                spot,
                color=color,
                fontsize=11,
                fontweight="bold",
                bbox={"fc": "white", "ec": "none", "pad": 0.8},
            )
    axes.plot(path.impulse[:, 1], path.impulse[:, 0], color=INK, lw=2.2, zorder=4, solid_capstyle="round")
    _mark(axes, path, path.impulse[:, ::-1])
    fig.legend(fontsize=7, frameon=False, loc="outside lower center", ncols=4, columnspacing=1.0)
    axes.set(xlabel="tangential impulse $p_t$ [N s]", ylabel="normal impulse $p_n$ [N s]")
    axes.set_title(f"{_title(hit)}: {hit.kind.label}", fontsize=9)
    return fig


def _title(hit: Impact) -> str:
    law = hit.law
    static = f", $\\mu_s$ = {law.mu_s:g}" if law.mu_s is not None else ""
    return f"{type(law).__name__}, e = {law.restitution(-float(hit.v[0])):g}, $\\mu$ = {hit.mu:g}{static}"


def _inside(
    start: tuple[float, float], way: tuple[float, float], x: float, y: float
) -> tuple[float, float] | None:
    """A point of the line near the top or the side of the frame [-x, x] × [0, y]."""
    best = None
    for t in np.linspace(-1.0, 1.0, 4001) * 4.0 * (x + y) / math.hypot(*way):
        px, py = start[0] + t * way[0], start[1] + t * way[1]
        if abs(px) <= x and 0.05 * y <= py <= y and (best is None or py > best[1]):
            best = (px, py)
    return best


def impulse_space(hit: Impact) -> Figure:
    """Impulse space of a spatial impact: friction cone, plane of maximum compression, sticking line, path."""
    path = hit.path
    p = path.impulse
    top = 1.1 * float(p[:, 0].max())
    mu = hit.mu
    fig = _figure(5.0, 4.8)
    axes = fig.add_subplot(projection="3d", computed_zorder=False)
    angle, height = np.meshgrid(np.linspace(0.0, 2.0 * math.pi, 49), np.linspace(0.0, top, 2))
    axes.plot_surface(
        mu * height * np.cos(angle),
        mu * height * np.sin(angle),
        height,
        color=LIMIT,
        alpha=0.12,
        linewidth=0.0,
        zorder=1,
    )
    # C: v_n = 0 is a plane; S: slip = 0 is a line
    wide = 1.05 * mu * top
    x, y = np.meshgrid([-wide, wide], [-wide, wide])
    nn, a = hit.A[0, 0], hit.A[0, 1:]
    plane = (-hit.v[0] - a[0] * x - a[1] * y) / nn
    axes.plot_surface(x, y, plane, color=COMPRESS, alpha=0.18, zorder=2)
    C = hit.A[1:, 1:]
    ends = np.array([0.0, top])
    line = -np.linalg.solve(C, hit.v[1:, None] + a[:, None] * ends[None, :])
    keep = np.hypot(*line) <= 1.5 * wide
    if keep.all():
        axes.plot(line[0], line[1], ends, color=STICK, lw=1.4, label="S: no slip", zorder=3)
    axes.plot(p[:, 1], p[:, 2], p[:, 0], color=INK, lw=2.2, label="path", zorder=4)
    for i, what in path.marks:
        face = "white" if what == "start" else INK
        axes.plot(
            [p[i, 1]], [p[i, 2]], [p[i, 0]], MARKER[what], ms=5, mfc=face, mec=INK, label=what, zorder=5
        )
    axes.set(xlim=(-wide, wide), ylim=(-wide, wide), zlim=(0.0, top))
    axes.set_xlabel("$p_{t1}$ [N s]", fontsize=8)
    axes.set_ylabel("$p_{t2}$ [N s]", fontsize=8)
    axes.set_zlabel("$p_n$ [N s]", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.view_init(elev=18, azim=-58)
    axes.set_box_aspect((1, 1, 1), zoom=0.88)
    axes.legend(loc="upper left", fontsize=7, frameon=False)
    fig.suptitle(
        f"{_title(hit)}: {hit.kind.label}" + (f", case {hit.case}" if hit.case else ""), fontsize=9
    )
    return fig


def _flow(A: NDArray[np.float64], mu: float, x: Any, y: Any) -> tuple[Any, Any]:
    s = np.hypot(x, y)
    s = np.where(s > 0.0, s, 1.0)
    a, C = A[0, 1:], A[1:, 1:]
    return a[0] - mu * (C[0, 0] * x + C[0, 1] * y) / s, a[1] - mu * (C[1, 0] * x + C[1, 1] * y) / s


def slip_flow(A: ArrayLike, mu: float, paths: Sequence[Impact] = (), reach: float = 1.0) -> Figure:
    """Portrait of the slip flow in the slip plane, its invariant directions, and the slips of some impacts."""
    return slip_flow_panels([(f"slip flow, $\\mu$ = {mu:g}", A)], mu, paths, reach)


def slip_flow_panels(contacts: Sequence[tuple[str, ArrayLike]], mu: float, paths: Sequence[Impact] = (),
                     reach: float = 1.0) -> Figure:
    """Portraits of the slip flow, one panel per contact (title, A); streamlines are whole, from the border to their end."""
    fig = _figure(4.4 if len(contacts) == 1 else 3.4 * len(contacts), 4.3 if len(contacts) == 1 else 3.7)
    for k, (title, A) in enumerate(contacts):
        matrix = np.array(A, dtype=np.float64)
        axes = _plain(fig.add_subplot(1, len(contacts), k + 1))
        for line in _streamlines(matrix, mu, reach, 36):
            axes.plot(line[:, 0], line[:, 1], color="0.55", lw=0.7)
            _arrow(axes, line, np.hypot(*line.T) - 0.65 * reach)
        seen = set()
        for way in invariant_directions(matrix, mu):
            color = COMPRESS if way.growth > 0.0 else STICK
            label = ("slip grows" if way.growth > 0.0 else "slip stops") + (
                ", attracting" if way.attracts else ", repelling"
            )
            end = 1.6 * reach * np.array(way.direction)
            axes.plot([0.0, end[0]], [0.0, end[1]], "-" if way.attracts else "--", color=color, lw=1.8,
                      label=None if label in seen else label)
            seen.add(label)
        for hit in paths:
            slip = hit.path.slip
            axes.plot(slip[:, 0], slip[:, 1], color=INK, lw=2.0)
            axes.plot(*slip[0], "o", mfc="white", mec=INK, ms=5)
            axes.plot(*slip[-1], "o", mfc=INK, mec=INK, ms=5)
        axes.plot(0.0, 0.0, "o", ms=5, color=INK)
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
        axes.set(xlabel="slip $v_{t1}$ [m/s]", ylabel="slip $v_{t2}$ [m/s]" if k == 0 else "")
        axes.set_title(title, fontsize=9)
        if seen and k == 0:
            axes.legend(fontsize=7, loc="upper right", framealpha=0.95, edgecolor="none")
    return fig


def _streamlines(A: Array, mu: float, reach: float, n: int) -> list[Array]:
    """Lines of the slip flow (m, 2) through n points on a circle around the picture, in the sense of the flow."""
    def way(s: Array) -> Array:
        flow = np.array(_flow(A, mu, s[0], s[1]))
        return flow / max(float(np.hypot(*flow)), 1e-300)

    lines = []
    for angle in (np.arange(n) + 0.5) * 2.0 * math.pi / n:
        s = 1.45 * reach * np.array([math.cos(angle), math.sin(angle)])
        sense = -1.0 if float(way(s) @ s) > 0.0 else 1.0  # inward, whichever way the slip goes
        line = [s]
        for _ in range(2000):
            h = sense * min(0.02 * reach, 0.1 * float(np.hypot(*s)))  # the direction of the flow has no scale but the slip
            half = way(s + 0.5 * h * way(s))
            s = s + h * half
            line.append(s)
            if not 2e-3 * reach < np.hypot(*s) < 1.5 * reach:
                break
        lines.append(np.array(line if sense > 0.0 else line[::-1]))
    return lines


def _arrow(axes: Any, line: Array, away: Array) -> None:
    """An arrow head on a line (m, 2), where it is least `away`."""
    m = min(int(np.argmin(np.abs(away))), len(line) - 2)
    if m >= 0:
        axes.annotate("", xy=line[m + 1], xytext=line[m], arrowprops={"arrowstyle": "-|>", "color": "0.55", "lw": 0.7})


def slip_flow_polar(contacts: Sequence[tuple[str, ArrayLike]], mu: float, reach: float = 1.0) -> Figure:
    """The same flow over slip direction and slip speed, one panel per contact; streamlines are whole."""
    fig = _figure(3.9 * len(contacts), 3.4)
    for k, (title, A) in enumerate(contacts):
        matrix = np.array(A, dtype=np.float64)
        axes = _plain(fig.add_subplot(1, len(contacts), k + 1))
        for line in _streamlines(matrix, mu, reach, 36):
            turned = np.degrees(np.unwrap(np.arctan2(line[:, 1], line[:, 0])))
            polar = np.column_stack([turned - 360.0 * np.floor(turned[0] / 360.0), np.hypot(*line.T)])
            axes.plot(polar[:, 0], polar[:, 1], color="0.5", lw=0.7)
            _arrow(axes, polar, polar[:, 1] - 0.5 * reach)
        for way in invariant_directions(matrix, mu):
            at = math.degrees(math.atan2(way.direction[1], way.direction[0])) % 360.0
            for turn in (0.0, 360.0) if at == 0.0 else (0.0,):
                axes.axvline(
                    at + turn,
                    color=COMPRESS if way.growth > 0.0 else STICK,
                    lw=1.8,
                    ls="-" if way.attracts else "--",
                    clip_on=False,
                )
        axes.set(xlim=(0.0, 360.0), ylim=(0.0, reach), xticks=[0, 90, 180, 270, 360])
        axes.set(xlabel="slip direction [deg]", ylabel="slip speed [m/s]" if k == 0 else "")
        axes.set_title(title, fontsize=9)
    return fig


def loss_panels(
    panels: Sequence[tuple[str, Any, Any, str]], es: Any, ylabel: str = "energy loss [%]"
) -> Figure:
    """Curves over friction (or angle, or size), one per e, on equal axes. A panel is (x label, x, y per e, title)."""
    fig = _figure(3.3 * len(panels), 3.0)
    top = 1.05 * max(float(np.nanmax(curves)) for _, _, curves, _ in panels)
    for k, (label, x, curves, title) in enumerate(panels):
        axes = _plain(fig.add_subplot(1, len(panels), k + 1))
        for i, (e, y) in enumerate(zip(es, curves, strict=True)):
            axes.plot(x, y, color=SHADES[i % len(SHADES)], lw=1.5, label=f"e = {e:g}")
        axes.set(xlabel=label, ylabel=ylabel if k == 0 else "")
        axes.set_title(title, fontsize=9)
        axes.set_ylim(0.0, top)
    handles, labels = fig.axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, fontsize=7, frameon=False, loc="outside right center")
    return fig


def normal_force_panels(panels: Sequence[tuple[str, Any, Any, str]]) -> Figure:
    """Normal force of a sliding contact; its negative branch, where sliding has no solution, is red."""
    fig = _figure(3.3 * len(panels), 3.0)
    for k, (label, x, force, title) in enumerate(panels):
        axes = _plain(fig.add_subplot(1, len(panels), k + 1))
        values = np.array(force, dtype=np.float64)
        good, bad = np.where(values > 0.0, values, math.nan), np.where(values < 0.0, values, math.nan)
        axes.axhline(0.0, color="0.8", lw=0.8)
        axes.plot(x, good, color=STICK, lw=1.6, label="sliding")
        axes.plot(x, bad, color=COMPRESS, lw=1.6, label="inconsistent")
        axes.set(xlabel=label, ylabel="normal force λ [N]" if k == 0 else "", ylim=(-200.0, 200.0))
        axes.set_title(title, fontsize=9)
        if k == 0:
            axes.legend(fontsize=7, frameon=False)
    return fig


def energy_map(A: ArrayLike, v: ArrayLike, law: str = "poisson", mu_max: float = 1.5, n: int = 121) -> Figure:
    """Energy lost over (mu, e), in percent of the energy ½ vᵀA⁻¹v that the contact sees; white: gained."""
    matrix, before = np.array(A, dtype=np.float64), np.array(v, dtype=np.float64)
    mus, es = np.linspace(0.0, mu_max, n), np.linspace(0.0, 1.0, n)
    mu, e = (x.ravel() for x in np.meshgrid(mus, es))
    hits = resolve_impacts(matrix, np.tile(before, (mu.size, 1)), e, mu, law)
    whole = 0.5 * float(before @ np.linalg.solve(matrix, before))
    lost = np.where(hits.creates_energy, math.nan, 100.0 * hits.energy_lost / whole).reshape(n, n)
    fig = _figure(4.8, 3.9)
    axes = _plain(fig.add_subplot())
    drawn = axes.contourf(mus, es, lost, levels=np.linspace(0.0, 100.0, 21), cmap="viridis")
    drawn.set_edgecolor("face")  # no hairlines between the bands in vector output
    kinds = hits.kind.reshape(n, n)
    axes.contour(mus, es, kinds, levels=np.arange(0.5, 12.5), colors="white", linewidths=0.8)
    bar = fig.colorbar(drawn, ax=axes)
    bar.set_label("energy lost [% of contact energy]", fontsize=8)
    bar.ax.tick_params(labelsize=7)
    axes.set(xlabel="friction $\\mu$", ylabel="restitution e")
    axes.set_title(f"{law}; white lines part the classes", fontsize=9)
    return fig


def class_map(kinds: NDArray[np.int64], x: Any, y: Any, xlabel: str, ylabel: str) -> Figure:
    """Classes of a sliding contact over two parameters."""
    colors = ListedColormap(["#d9e8f5", "#e6f2d8", "#c0392b", "#e8b04a", "#b8b8b8"])
    fig = _figure(4.8, 3.8)
    axes = _plain(fig.add_subplot())
    norm = BoundaryNorm(np.arange(-0.5, 5.5), colors.N)
    axes.pcolormesh(x, y, kinds, cmap=colors, norm=norm, rasterized=True)
    for kind in ContactClass:
        depth = distance_transform_edt(np.pad(kinds == kind, 1))[1:-1, 1:-1]
        if depth.max() > 3.0:
            i, j = np.unravel_index(int(np.argmax(depth)), depth.shape)  # the point farthest inside its class
            axes.text(x[j], y[i], kind.label, ha="center", va="center", fontsize=8)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    return fig


def law_lines(x: Any, lines: Mapping[str, Any], xlabel: str, ylabel: str) -> Figure:
    """One curve per law."""
    fig = _figure(4.4, 3.2)
    axes = _plain(fig.add_subplot())
    axes.axhline(0.0, color="0.8", lw=0.8)
    for i, (name, y) in enumerate(lines.items()):
        axes.plot(x, y, color=(COMPRESS, STICK, INK, LIMIT)[i % 4], lw=1.7, label=name)
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.legend(fontsize=8, frameon=False)
    return fig
