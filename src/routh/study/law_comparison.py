"""Which impact law explains measured motions: each is fitted to some of them and judged by those kept apart."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from routh.errors import ModelError
from routh.model.contacts import Contact
from routh.model.laws import ImpactLaw
from routh.model.model import Model
from routh.study.fit import Fit
from routh.study.identify import identify, motions_of

__all__ = ["LawComparison", "compare_laws"]

SURE = 2.0            # standard errors by which a law must be better to be called so


class LawComparison:
    """Fits of several laws, and what each predicts of motions that were not fitted.

    `fits[law]` is the Fit, `losses[law]` the loss of every motion kept apart (see `Fit.loss`).
    """

    def __init__(self, fits: dict[str, Fit], losses: dict[str, np.ndarray]) -> None:
        self.fits, self.losses = fits, losses

    @property
    def best(self) -> str:
        """The law with the least mean loss on motions kept apart."""
        return min(self.losses, key=lambda law: float(self.losses[law].mean()))

    def behind(self, law: str) -> tuple[float, float]:
        """(mean, standard error) of the loss of a law above the best one's, motion by motion."""
        return _mean(self.losses[law] - self.losses[self.best])

    @property
    def verdict(self) -> str:
        """Which laws predict worse than the best by more than two standard errors, as a sentence."""
        others = [law for law in self.losses if law != self.best]
        worse = [law for law in others if self.behind(law)[0] > SURE * self.behind(law)[1]]
        equal = [law for law in others if law not in worse]
        text = f"{self.best} has the least mean loss."
        if worse:
            text += f" It predicts better than {', '.join(worse)}."
        if equal:
            text += f" The data do not tell it from {', '.join(equal)}."
        return text

    def table(self) -> list[dict[str, Any]]:
        """One row per law: values, intervals, mean loss of the motions fitted and of those kept apart, with standard errors."""
        rows = []
        for law, fit in self.fits.items():
            fitted = _mean(np.array([fit.loss(m) for m in range(len(fit.motions))]))
            apart, behind = _mean(self.losses[law]), self.behind(law)
            rows.append({"law": law, **fit.values, **{f"{name} interval": fit.intervals[name] for name in fit.names},
                         "loss fitted": fitted[0], "loss apart": apart[0], "error": apart[1], "behind": behind[0],
                         "error of behind": behind[1]})
        return rows

    def __repr__(self) -> str:
        lines = []
        for row in self.table():
            fit = self.fits[row["law"]]
            values = ", ".join(f"{name} {fit.values[name]:.4g} ({fit.intervals[name][0]:.4g} to {fit.intervals[name][1]:.4g})"
                               for name in fit.names[:4])
            lines.append(f"{row['law']}: {values}; loss fitted {row['loss fitted']:.4g}, apart {row['loss apart']:.4g} ± "
                         f"{row['error']:.2g}, behind the best {row['behind']:.2g} ± {row['error of behind']:.2g}")
        return "\n".join([*lines, self.verdict])


def compare_laws(model: Model, motions: Any, contact: str, laws: Sequence[type[ImpactLaw]], vary: Mapping[str, Sequence[float]],
                 *, apart: Any, **choices: Any) -> LawComparison:
    """Fit each of several impact laws of a contact to measured motions, and judge it by motions kept apart.

    Parameters
    ----------
    model
        What moved, with any impact law in the contact.
    motions
        Motions to fit to, as of `rt.identify`.
    contact
        Name of the contact whose law is in question.
    laws
        Classes of laws: `[rt.Newton, rt.Poisson, rt.Stronge]`. Each begins with the e and mu of the model's law.
    vary
        Bounds of the parameters, as of `rt.identify`.
    apart
        Motions to judge by. None of them may be among those fitted.
    choices
        Further parameters of `rt.identify`; `noise` must be given, so that losses of all laws have one unit.

    Examples
    --------
    >>> def drop(height, law):
    ...     model = park.ball().replace({"bounce.law": law})
    ...     result = rt.simulate(model, rt.State(ball={"y": height, "vx": 1.0}), 2.5, options=rt.Options(output=0.05))
    ...     t = np.unique(result.t)
    ...     return rt.study.Measured(t, {"ball.x": result.sol(t, "ball.x")["ball.x"]}, result.state(0), name=f"{height}")
    >>> truth = rt.Poisson(e=0.6, mu=0.3)
    >>> found = rt.study.compare_laws(park.ball(), [drop(6.0, truth), drop(9.0, truth)], "bounce", [rt.Newton, rt.Poisson],
    ...                               {"bounce.law.e": (0.3, 0.9), "bounce.law.mu": (0.05, 0.6)}, noise=0.01, starts=2,
    ...                               apart=[drop(7.0, truth), drop(8.0, truth)])
    >>> sorted(found.fits)
    ['Newton', 'Poisson']
    """
    if not isinstance(model, Model):
        raise ModelError(f"compare_laws: {model!r:.60} is not a Model")
    declared = next((one for one in model.contacts if one.name == contact), None)
    if not isinstance(declared, Contact) or not isinstance(declared.law, ImpactLaw):
        raise ModelError(f'compare_laws: "{contact}" is not a contact with an impact law')
    if choices.get("noise") is None:
        raise ModelError("compare_laws: give the noise of every channel, so that losses of all laws have one unit")
    fitted, judged = motions_of(motions), motions_of(apart)
    if any(one is other for one in fitted for other in judged):
        raise ModelError("compare_laws: a motion is fitted and kept apart at once")
    if not laws or not all(isinstance(law, type) and issubclass(law, ImpactLaw) for law in laws):
        raise ModelError("compare_laws: laws must be classes of impact laws, such as [rt.Newton, rt.Stronge]")
    fits, losses = {}, {}
    for law in laws:
        fields = {f.name: getattr(declared.law, f.name) for f in dataclasses.fields(law)
                  if f.name in ("e", "mu", "mu_s") and hasattr(declared.law, f.name)}
        fit = identify(model.replace({f"{contact}.law": law(**fields)}), fitted, vary, **choices)
        fits[law.__name__] = fit
        losses[law.__name__] = np.array([fit.loss(motion) for motion in judged])
    return LawComparison(fits, losses)


def _mean(values: np.ndarray) -> tuple[float, float]:
    """Mean and its standard error."""
    spread = float(values.std(ddof=1)) / np.sqrt(len(values)) if len(values) > 1 else np.inf
    return float(values.mean()), float(spread)
