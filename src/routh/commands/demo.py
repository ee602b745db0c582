"""`routh demo`: a mechanism that collides, with its impact ledger, energy account, figure and report."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from routh.commands.arguments import AsJson, say_written

if TYPE_CHECKING:
    from routh.sim.result import Result

__all__ = ["register"]

SHOWN = 8  # rows of the impact ledger that are printed
STICK = 1  # in the channel lower.mode
TIMES = (0.0, 0.519, 0.92, 1.412)  # s, instants at which the toy is drawn: swung out and beak on the pole, twice
# outline of the bird in its own frame, beak, back, tail, breast [mm]; of it only the beak collides
OUTLINE = ((-20.1, 20.0), (-10.0, 23.0), (-6.0, 26.0), (-1.0, 26.0), (3.0, 22.0), (4.5, 14.0), (6.0, 4.0), (5.0, -8.0),
           (3.5, -25.0), (0.0, -25.0), (-2.0, -13.0), (-5.5, -4.0), (-6.0, 6.0), (-4.0, 13.0), (-8.0, 18.5))  # fmt: skip
SLEEVE, BIRD = "#08306b", "#2f8f8e"
CONTACTS = {"beak": "#b2182b", "upper": "#e08214", "lower": "#2171b5"}
ENERGIES = {"kinetic + potential": "#c6d5e8", "lost to friction": "#f6d3a3", "lost in impacts": "#dd8f86"}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FOLDER", file_okay=False,
                                      help="for figure, result and report")] = Path("out"),
    as_json: AsJson = False,
) -> None:
    """Simulate a woodpecker toy: table, figure, report.

    Prints the impact table and the energy account; writes a figure, the result and a report.
    """
    from routh.extras import need

    need("matplotlib", "pandas", "h5py", "nicegui", what="routh demo")
    began = time.perf_counter()
    from routh.gallery import woodpecker

    result = woodpecker.run()
    elapsed = time.perf_counter() - began
    out.mkdir(parents=True, exist_ok=True)
    files = [_figure(result, out / "woodpecker.png"), result.save(out / "woodpecker.nc"),
             result.report(out / "woodpecker.html", title="Woodpecker toy")]  # fmt: skip
    if as_json:
        say_written(*files, as_json=True, status=result.status, impacts=len(result.impacts))
        return
    events = Counter(result.events["kind"].tolist())
    typer.echo("Woodpecker toy: a bird, hinged to a loose sleeve with a spring, descends a pole by impacts, stick and slip.\n")
    typer.echo(f"status        {result.status} at t = {result.t[-1]:g} s, {len(result.t)} samples")
    typer.echo(f"events        {', '.join(f'{n} {kind}' for kind, n in events.items())}")
    typer.echo(f"first result  after {elapsed:.2f} s, imports included\n")
    typer.echo(f"impacts, first {SHOWN} of {len(result.impacts)}, each with its largest joint reaction impulse")
    typer.echo(f"{_ledger(result)}\n\n{result.energy.account()}\n")
    typer.echo("files written\n" + "\n".join(f"  {path}" for path in files))


def _ledger(result: Result) -> str:
    """The first impacts as text, each with its largest joint reaction impulse and the joint that bears it."""
    import numpy as np

    impacts = result.impacts[:SHOWN]
    table = impacts.table("t", "contact", "class", "p_n", "p_t", "energy_lost")
    joints = [name.removesuffix(".impulse") for name in impacts.columns if name.endswith(".impulse")]
    sizes = np.linalg.norm([impacts[f"{joint}.impulse"] for joint in joints], axis=2)
    table["joint"], table["reaction [N s]"] = np.array(joints)[sizes.argmax(axis=0)], sizes.max(axis=0)
    table = table.rename(columns={name: f"{name} [{impacts.unit(name)}]" for name in ("t", "p_n", "p_t", "energy_lost")})
    return table.to_string(index=False, formatters={"t [s]": "{:.6f}".format}, float_format="{:.3e}".format)


def _figure(result: Result, path: Path) -> Path:
    """Write motion, angles, impulses and energy account as a PNG."""
    import numpy as np
    from matplotlib.figure import Figure

    from routh.whole_file import whole_file

    figure = Figure(figsize=(10.0, 6.6), layout="constrained")
    axes = figure.subplot_mosaic([["motion", "angles"], ["motion", "impulses"], ["motion", "energy"]], width_ratios=[1.0, 2.8])
    motion, angles, impulses, account = axes.values()
    _draw_motion(motion, result)

    for body, colour in (("bird", BIRD), ("sleeve", SLEEVE)):
        angles.plot(result.t, np.degrees(result[f"{body}.theta"]), color=colour, lw=1.4, label=body)
    angles.fill_between(result.t, 0.0, 1.0, where=result["lower.mode"] == STICK, transform=angles.get_xaxis_transform(),
                        color="0.9", lw=0.0, label="sleeve sticks")  # fmt: skip
    angles.set(ylabel="angle [deg]")

    ledger = result.impacts
    for contact, colour in CONTACTS.items():
        own = ledger[ledger["contact"] == contact]
        impulses.vlines(own.t, 0.0, 1e3 * own.p_n, color=colour, lw=2.5, label=f"{contact}, normal")
    reaction = 1e3 * np.linalg.norm(ledger["hinge.impulse"], axis=1)
    impulses.plot(ledger.t, reaction, "o", color="0.2", mfc="white", ms=4, clip_on=False, label="hinge, reaction")
    impulses.set(ylabel="impulse [mN s]", ylim=(0.0, None))

    total, friction, impacts = (1e3 * result.energy[key] for key in ("total", "friction", "impacts"))
    account.stackplot(result.t, total - total[-1], -friction, -impacts, colors=ENERGIES.values(), labels=ENERGIES)
    account.axhline(total[0] - total[-1], color="0.2", lw=1.2, ls="--", label="at the start")
    account.set(xlabel="t [s]", ylabel="energy above end [mJ]")

    for ax in (angles, impulses, account):
        ax.set_xlim(result.t[0], result.t[-1])
        ax.legend(frameon=False, fontsize=8.5, ncols=4, loc="lower right", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2,
                  handlelength=1.6, columnspacing=1.4)  # fmt: skip
        ax.grid(True, alpha=0.25, lw=0.6)
    for ax, title in zip(axes.values(), ("Motion", "Angles", "Impulses", "Energy account"), strict=True):
        ax.spines[["top", "right"]].set_visible(False)
        ax.set_title(title, loc="left", fontsize=10, fontweight="bold")
    with whole_file(path) as part:
        figure.savefig(part, dpi=130)
    return path


def _draw_motion(ax: Any, result: Result) -> None:
    """Draw pole, sleeve (in section) and bird at a few instants, in millimetres."""
    import numpy as np

    from routh.gallery import woodpecker as toy

    pole, b, h, hinge, arm = (1e3 * x for x in (toy.POLE, toy.BORE, toy.HALF_HEIGHT, toy.HINGE, toy.BIRD))
    walls = [((s * b, -h), (s * (b + 2.5), -h), (s * (b + 2.5), h), (s * b, h)) for s in (-1.0, 1.0)]
    ax.axvspan(-pole, pole, color="#d8c7a8", lw=0)
    for t in TIMES:
        now = result.at(t)
        for body, colour, filled, line in (("sleeve", SLEEVE, walls, ((b, 0.0), (hinge, 0.0))),
                                           ("bird", BIRD, [OUTLINE], ((-arm, 0.0), (0.0, 0.0)))):  # fmt: skip
            c, s = np.cos(now[f"{body}.theta"]), np.sin(now[f"{body}.theta"])
            place = [np.array(points) @ ((c, s), (-s, c)) + (1e3 * now[f"{body}.x"], 1e3 * now[f"{body}.y"])
                     for points in (line, *filled)]  # fmt: skip
            ax.plot(*place[0].T, color="0.3", lw=1.8, solid_capstyle="round", zorder=0.9)
            for outline in place[1:]:
                ax.fill(*outline.T, color=colour, lw=0.8, joinstyle="round")
        ax.text(40.0, 1e3 * now["sleeve.y"], f"{t:.2f} s", fontsize=8.5, va="center")
    ax.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal", xlim=(-12.0, 58.0))
