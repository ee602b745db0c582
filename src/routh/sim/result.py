"""What a run gives back: named channels over time, ledgers of impacts and events, the energy account, the status.

Numbers and names only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from routh.display import present
from routh.errors import RouthError, StateError, did_you_mean
from routh.extras import need
from routh.model.state import State
from routh.sim.channels import Channel
from routh.sim.later import Later, Part
from routh.sim.ledger import Ledger, no_contact_steps, no_contact_sums, no_events, no_impacts, no_stretches, no_touches

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from routh.sim.sensitivities import Sensitivities

__all__ = ["Energy", "Result", "load"]

FORMAT = 2


class Energy(Mapping[str, np.ndarray]):
    """The energy account in joules: kinetic, potential, and the works done since the start.

    `error` is what is missing from kinetic + potential = start + applied + dissipated + drive + friction + impacts +
    hysteresis + scheme: pure integration error. Hysteresis is the damping of compliant contacts; what they store is potential
    energy. `scheme` is what the steps of the time-stepping engine lose or gain beside all forces; it falls with the step.
    `by_contact` shares works out: `energy.by_contact["bounce"]["impacts"]`, negative where lost.
    """

    WORKS = ("applied", "dissipated", "drive", "friction", "impacts", "hysteresis", "scheme")
    KEYS = ("kinetic", "potential", "total", *WORKS, "error")

    def __init__(self, kinetic: np.ndarray, potential: np.ndarray, works: np.ndarray,
                 by_contact: Mapping[str, Mapping[str, float]] | None = None) -> None:
        self.by_contact = {name: {k: float(w) for k, w in shares.items()} for name, shares in (by_contact or {}).items()}
        total = kinetic + potential
        if works.shape[1] < len(self.WORKS):  # no hysteresis in runs of old, no scheme in those with events
            works = np.pad(works, ((0, 0), (0, len(self.WORKS) - works.shape[1])))
        with np.errstate(invalid="ignore", over="ignore"):  # a run that overflowed still shows what it has
            error = total - total[:1] - works.sum(axis=1)
        self._values = dict(zip(self.KEYS, (kinetic, potential, total, *works.T, error), strict=True))

    def __getitem__(self, key: str) -> np.ndarray:
        if key not in self._values:
            raise KeyError(f'no energy "{key}"' + did_you_mean(key, self.KEYS))
        return self._values[key]

    def __getattr__(self, key: str) -> np.ndarray:
        if key in type(self).KEYS:
            return self._values[key]
        raise AttributeError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def account(self) -> str:
        """The account of the whole run as text: start, works itemised per contact, end, and what is missing."""
        total, error = self["total"], self["error"]
        if not len(total):
            return "energy account: no samples"
        lines = self.lines()
        # against the energies that were added up: the largest content, or all that came and went
        scale = max(np.abs(self["kinetic"]).max(), np.ptp(self["potential"]), sum(abs(self[w][-1]) for w in self.WORKS))
        part = f"  {abs(error[-1]) / scale:.1e} of {scale:.6g} J" if scale > 0.0 else ""
        width = max(len(name) for name, _ in lines)
        text = [f"{name:<{width}}  {value:>14.{3 if name == 'missing' else 8}g}" for name, value in lines]
        return "\n".join(["energy account [J]", *text[:-1], text[-1] + part])

    def lines(self) -> list[tuple[str, float]]:
        """The account line by line [J]: start, each work and (indented) its share per contact, end, and what is missing."""
        out = [("start", float(self["total"][0]))]
        for work in self.WORKS:
            out.append((f"  {work}", float(self[work][-1])))
            out += [(f"    {name}", shares[work]) for name, shares in self.by_contact.items() if shares.get(work)]
        return [*out, ("end", float(self["total"][-1])), ("missing", float(self["error"][-1]))]


ENERGIES = {f"energy.{key}": key for key in Energy.KEYS}  # channels of every result


class Result:
    """What a run gives back: a mapping of channels over time, tables of impacts and events, the energy account, the status.

    `result["ball.y"]` is an array with a leading time axis over `result.t` [s]. Where something jumps, two samples have the
    same time. Results are made by `simulate` and `load`.

    Attributes
    ----------
    t : array
        Times of the samples [s].
    status, success, message : str, bool, str
        How the run ended: "finished" or a reason; whether it reached its end; the reason as a sentence.
    impacts, events, touches : Ledger
        One row per impact, per event, and per time a compliant contact was closed. `routh.sim.ledger` lists the columns.
    energy : Energy
        The energy account [J]; `print(result.energy.account())`.
    stretches : Ledger
        One row for each interval that an event-driven run went by time steps.
    contact_sums, contact_steps : Ledger
        Of stepped runs: sums per contact, and every contact point of every step.
    sensitivities : Sensitivities or None
        Derivatives by the parameters that `simulate` was asked for.
    statistics, declaration : dict
        Steps and counts of the run; the model and the options as plain data.

    Examples
    --------
    >>> result = park.drop()
    >>> result["ball.y"].shape == result.t.shape, result.unit("ball.vy")
    (True, 'm/s')
    >>> len(result.impacts), result.success
    (2, True)
    >>> round(float(result.sol(1.0, "ball.y")["ball.y"][0]), 3)          # between samples, too
    5.095
    """

    energy = Later[Energy]()
    impacts = Later[Ledger]()
    events = Later[Ledger]()
    touches = Later[Ledger]()
    stretches = Later[Ledger]()
    contact_sums = Later[Ledger]()
    contact_steps = Later[Ledger]()
    declaration = Later[Mapping[str, Any]]()
    _channels = Later[Mapping[str, Channel]]()

    def __init__(self, *, t: np.ndarray, channels: Part[Mapping[str, Channel]], energy: Part[Energy], status: str, space: str,
                 model: str = "", entries: Sequence[str] = (), statistics: Mapping[str, float] | None = None,
                 impacts: Part[Ledger] | None = None, events: Part[Ledger] | None = None, touches: Part[Ledger] | None = None,
                 declaration: Part[Mapping[str, Any]] | None = None, contact_sums: Part[Ledger] | None = None,
                 contact_steps: Part[Ledger] | None = None, engine: str = "events",
                 stretches: Part[Ledger] | None = None, detail: str = "") -> None:
        self.t = t
        self.detail = detail  # who, where and by how much, where the run stopped early or was ended by an event
        self.engine = engine
        self.error: dict[str, float] = {}
        self.sensitivities: Sensitivities | None = None
        self.contact_sums = no_contact_sums if contact_sums is None else contact_sums
        self.contact_steps = (lambda: no_contact_steps(space)) if contact_steps is None else contact_steps
        self.energy = energy
        self.impacts = (lambda: no_impacts(space)) if impacts is None else impacts
        self.events = no_events if events is None else events
        self.touches = no_touches if touches is None else touches
        self.stretches = no_stretches if stretches is None else stretches
        self.status = status
        self.space = space
        self.model = model
        self.statistics = dict(statistics or {})
        self.declaration = {} if declaration is None else declaration
        self._channels = channels
        self.entries = tuple(entries)

    def complete(self) -> Result:
        """This result with every part made, so that it holds numbers and names only."""
        for name in vars(self):
            getattr(self, name)
        return self

    def __getstate__(self) -> dict[str, Any]:
        return vars(self.complete())

    @property
    def channels(self) -> list[str]:
        """Names of all channels."""
        return [*self._channels, *ENERGIES]

    def __contains__(self, name: object) -> bool:
        return name in ENERGIES or name in self._channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self._channels) + len(ENERGIES)

    def keys(self) -> list[str]:
        """Names of all channels, as of a mapping."""
        return self.channels

    def values(self) -> Iterator[np.ndarray]:
        """Values of all channels."""
        return (self[name] for name in self)

    def items(self) -> Iterator[tuple[str, np.ndarray]]:
        """Names and values of all channels."""
        return ((name, self[name]) for name in self)

    def get(self, name: str, default: Any = None) -> Any:
        """A channel, or `default` where there is none of this name."""
        return self[name] if name in self else default

    def _ipython_key_completions_(self) -> list[str]:
        return self.channels

    @property
    def success(self) -> bool:
        """Whether the run reached its end."""
        return self.status in ("finished", "evaluated")

    @property
    def message(self) -> str:
        """The status as a sentence: how far the run came, and why no further."""
        t = f"t = {self.t[-1]:g} s" if len(self.t) else "no sample"
        if self.success:
            end = f"The run ended at {t}: {self.detail}." if self.detail else f"The run reached its end, {t}."
            return end + self._loose_steps()
        if self.status == "interrupted":
            return f"The run was interrupted at {t}."
        from routh.sim.run import WHY

        return f"The run stopped at {t}: {WHY.get(self.status, self.status)}" + (f": {self.detail}." if self.detail else ".")

    def _loose_steps(self) -> str:
        """What the stepping engine did not keep of the options, as sentences; empty where it kept all."""
        told, wanted = self.statistics, self.statistics.get("wanted_step", 0.0)
        text = ""
        if told.get("step", 0.0) < wanted:
            text += f" Its springs and dampers need steps of {told['step']:g} s; {wanted:g} s was asked for."
        if told.get("unconverged_steps", 0.0) > 0.0:
            text += (f" {told['unconverged_steps']:.0f} of {told['steps']:.0f} steps missed Options.contact_tolerance, "
                     f"the worst with {told['worst_residual']:.2g}.")
        return text

    def __getitem__(self, name: str) -> np.ndarray:
        return self._find(name)[0]

    def unit(self, name: str) -> str:
        """The unit of a channel."""
        return self._find(name)[1]

    def _find(self, name: str) -> Channel:
        if name in ENERGIES:
            return self.energy[ENERGIES[name]], "J"
        if name not in self._channels:
            raise KeyError(f'no channel "{name}"' + did_you_mean(name, self.channels))
        return self._channels[name]

    def at(self, t: float, side: str = "right") -> dict[str, Any]:
        """Every channel at one time t [s]; at a jump the limit from `side`, "left" or "right". See `sol` for its accuracy.

        >>> round(float(result.at(0.5)["ball.y"]), 4)
        8.7738
        """
        return {name: values[0] for name, values in self.sol(np.array([t]), side=side).items()}

    def sol(self, t: ArrayLike, *channels: str, side: str = "right") -> dict[str, np.ndarray]:
        """Channels (all by default) at times t [s], between samples too: arrays with a leading time axis.

        Positions and angles of bodies are polynomials of degree 5 through stored values, velocities and accelerations, so that
        their error falls with the sixth power of the spacing of samples. Velocities and joint coordinates are of degree 3.
        Forces, energies, and stepped runs are linear between samples. At a jump the limit from `side` is taken.

        >>> result.sol(np.linspace(0.0, 1.0, 5001), "ball.y", "ball.vy")["ball.y"].shape
        (5001,)
        """
        from routh.sim.interpolate import interpolate

        if side not in ("left", "right"):
            raise ValueError(f'side = {side!r} is neither "left" nor "right"')
        times = np.atleast_1d(np.asarray(t, float))
        if times.ndim != 1:
            raise ValueError(f"sol: times of shape {times.shape}; give one time or a list of times")
        outside = times[~((times >= self.t[0]) & (times <= self.t[-1]))]
        if outside.size:
            raise ValueError(f"t = {outside[0]:g} s lies outside the result, {self.t[0]:g} to {self.t[-1]:g} s")
        return {name: interpolate(self, name, times, side) for name in channels or self.channels}

    def peaks(self) -> Ledger:
        """The largest reaction of every joint: force, moment and impulse (of impacts), each with its time.

        Columns: joint, force [N], t_force [s], moment [N m], t_moment [s], impulse [N s], t_impulse [s]. Sizes of vectors, over
        all samples and impacts. A joint without impacts has impulse 0 and a time that is not a number.

        >>> result.peaks().columns[:3]
        ['joint', 'force', 't_force']
        """
        joints = [name.removesuffix(".reaction") for name in self._channels if name.endswith(".reaction")]
        columns: dict[str, list[Any]] = {"joint": joints}
        for key, channel in (("force", "reaction"), ("moment", "reaction_moment")):
            found = [_largest(self[f"{joint}.{channel}"], self.t) for joint in joints]
            columns |= {key: [size for size, _ in found], f"t_{key}": [t for _, t in found]}
        empty, had = np.zeros(0), self.impacts.columns
        found = [_largest(self.impacts[f"{j}.impulse"] if f"{j}.impulse" in had else empty, self.impacts["t"]) for j in joints]
        columns |= {"impulse": [size for size, _ in found], "t_impulse": [t for _, t in found]}
        typed = {name: np.array(values, float if name != "joint" else str) for name, values in columns.items()}
        return Ledger(typed, {"force": "N", "t_force": "s", "moment": "N m", "t_moment": "s", "impulse": "N s",
                              "t_impulse": "s"})

    def to_dataframe(self, *channels: str) -> pd.DataFrame:
        """A pandas DataFrame over `t` [s] of these channels, or of all; a vector becomes "pin.reaction[0]", ...

        Two rows share a time where something jumps. Units are in `frame.attrs["units"]`.
        """
        need("pandas", what="to_dataframe()")
        import pandas as pd

        parts: dict[str, np.ndarray] = {}
        units: dict[str, str] = {}
        for name in channels or self.channels:
            values, unit = self._find(name)
            labels = [name] if values.ndim == 1 else [f"{name}[{i}]" for i in range(values.shape[1])]
            parts |= dict(zip(labels, values.reshape(len(self.t), -1).T, strict=True))
            units |= dict.fromkeys(labels, unit)
        frame = pd.DataFrame(parts, index=pd.Index(self.t, name="t"))
        frame.attrs["units"] = units
        return frame

    def to_xarray(self, *channels: str) -> xr.Dataset:
        """An xarray Dataset over `t` [s] with one variable per channel, of these channels or of all, each with its unit."""
        need("xarray", what="to_xarray()")
        import xarray as xr

        variables = {}
        for name in channels or self.channels:
            values, unit = self._find(name)
            variables[name] = (("t", *(f"axis{i}_of_{n}" for i, n in enumerate(values.shape[1:]))), values, {"units": unit})
        return xr.Dataset(variables, coords={"t": ("t", self.t, {"units": "s"})},
                          attrs={"model": self.model, "status": self.status})

    def contact_impulse(self, contact: str, begin: float | None = None, end: float | None = None) -> np.ndarray:
        """Impulse [N s] of a contact on its second body in world axes, summed over the steps of an interval.

        Stepped runs only, and only where every step was kept (`Options.contact_log`).
        """
        steps = self.contact_steps
        names = set(self.contact_sums["contact"].tolist())
        if contact not in names:
            raise KeyError(f'no contact "{contact}" in a stepped run' + did_you_mean(contact, names))
        if not len(steps) and self.contact_sums["impulse_n"][self.contact_sums["contact"] == contact].any():
            raise KeyError('contact points of single steps were not kept; take Options(contact_log="steps")')
        within = steps["contact"] == contact
        within &= steps["t"] > (-np.inf if begin is None else begin)
        within &= steps["t"] <= (np.inf if end is None else end)
        return np.asarray(steps["impulse"][within].sum(axis=0))

    def state(self, sample: int = -1) -> State:
        """The complete state at a sample (the last by default), from which a run can go on."""
        if not self.entries:
            raise StateError("this result holds no state")
        out: dict[str, dict[str, Any]] = {}
        for name in self.entries:
            keys = [c.partition(".")[2] for c in self._channels if c.partition(".")[0] == name]
            values: dict[str, Any] = {k: float(self[f"{name}.{k}"][sample]) for k in keys if self[f"{name}.{k}"].ndim == 1
                      and (k.startswith("angle") or not k.startswith(("a", "reaction")))}
            if self.space == "spatial" and "x" in values:
                values |= {"q": tuple(values.pop(k) for k in ("qw", "qx", "qy", "qz"))}
            if values:
                out[name] = values
        return State(out)

    @property
    def final_state(self) -> State:
        """The complete state at the end."""
        return self.state()

    def __repr__(self) -> str:
        drift = float(np.abs(self.energy["error"]).max()) if len(self.t) else 0.0
        if self.engine == "stepping":
            step, loose = self.statistics.get("step", np.nan), int(self.statistics.get("unconverged_steps", 0))
            note = f", {loose} of {self.statistics['steps']:.0f} not converged" if loose else ""
            status = f"{self.status} ({self.detail})" if self.detail else self.status
            return (f"<Result of {self.model!r}: {status}; t = {self.t[0]:g} ... {self.t[-1]:g} s by steps of {step:g} s"
                    f"{note}, {len(self.t)} samples, {len(self.channels)} channels, scheme {self.energy['scheme'][-1]:.2g} J>")
        exact = self.statistics.get("exact_share", 1.0)
        note = f", {_share(exact)} of it exact ({len(self.stretches)} stretches by time steps)" if exact < 1.0 else ""
        status = f"{self.status} ({self.detail})" if self.detail else self.status
        return (f"<Result of {self.model!r}: {status}; t = {self.t[0]:g} ... {self.t[-1]:g} s{note}, "
                f"{len(self.t)} samples, {len(self.channels)} channels, energy error {drift:.2g} J>")

    def save(self, path: str | Path) -> Path:
        """Write netCDF-4: channels with their units, ledgers as groups, status as attributes."""
        from routh.sim.files import save

        return save(self, Path(path))

    def plot(self, *channels: str, ax: Any = None, title: str | None = None, marks: bool = True) -> Any:
        """Draw channels over time with matplotlib and return the Figure: one axes per unit, or all in `ax`; see `view.plot`.

        >>> figure = result.plot("ball.y", "ball.vy")
        """
        return present("plot", self, *channels, ax=ax, title=title, marks=marks)

    def export(self, path: str | Path, **choices: Any) -> Path:
        """Write a run for other programs; the suffix says how: .csv, .parquet, .mat, .nc, .gif, .mp4, .glb, .gltf.

        `channels` and `table` ("channels", "impacts", "events") choose what a table holds; `fps` and `speed` are those of
        moving pictures.

        >>> result.export(folder / "run.csv", channels=["ball.y"]).name
        'run.csv'
        """
        return Path(present("export_run", self, Path(path), **choices))

    def animate(self, path: str | Path, *, fps: float = 25.0, speed: float = 1.0) -> Path:
        """Write the motion as .gif, .mp4 (needs ffmpeg), .glb or .gltf: `fps` frames per second, `speed` times real time."""
        path = Path(path)
        if path.suffix.lower() not in (".gif", ".mp4", ".glb", ".gltf"):
            raise RouthError(f'{path}: no motion is written as "{path.suffix}"; take .gif, .mp4, .glb or .gltf')
        return self.export(path, fps=fps, speed=speed)

    def report(self, path: str | Path, **choices: Any) -> Path:
        """Write one HTML file that opens offline: moving scene, plots, ledger, energy account; see `routh.view.report`."""
        return Path(present("report", self, path, **choices))

    def _repr_html_(self) -> str:
        return str(present("result_html", self))

    def _repr_svg_(self) -> str | None:
        return str(present("picture", self)) if self.declaration and len(self.t) else None


Mapping.register(Result)


def _largest(vectors: np.ndarray, t: np.ndarray) -> tuple[float, float]:
    """The largest size of vectors (n,) or (n, d), and its time; 0 and not a number where there is none."""
    if not len(vectors):
        return 0.0, float("nan")
    size = np.abs(vectors) if vectors.ndim == 1 else np.linalg.norm(vectors, axis=1)
    i = int(np.argmax(size))
    return float(size[i]), float(t[i])


def _share(part: float) -> str:
    """A share below one in percent, never rounded up to all."""
    return f"{min(100.0 * part, 99.99):.4g} %"


def load(path: str | Path) -> Result:
    """Read a result that `Result.save` wrote.

    Parameters
    ----------
    path
        A .nc file. One that was cut short, damaged or changed is refused.

    Examples
    --------
    >>> rt.load(park.drop().save(folder / "ball.nc")).status
    'finished'
    """
    from routh.sim.files import load as read

    return read(Path(path))
