"""Every claim of the gallery, published and computed, paper by paper: for `routh reproduce` and for the page of the docs."""

from __future__ import annotations

import importlib
import os
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import routh.gallery
from routh.errors import ModelError, did_you_mean
from routh.gallery.claims import Claim

__all__ = ["Reproduction", "claiming_modules", "page", "published", "reproduce", "shown"]

MOST_DIGITS = 12  # of a number in a table


@dataclass(frozen=True)
class Reproduction:
    """What one module of the gallery claims, and the figures it drew."""

    module: str
    about: str
    claims: tuple[Claim, ...]
    figures: tuple[Path, ...]


def claiming_modules() -> list[str]:
    """Names of the gallery modules that make claims."""
    names = [found.name for found in pkgutil.iter_modules(routh.gallery.__path__)]
    return [name for name in names if hasattr(importlib.import_module(f"routh.gallery.{name}"), "claims")]


def reproduce(names: Sequence[str] = (), figures: Path | None = None) -> Iterator[Reproduction]:
    """Compute the claims of these modules (all by default), one after another; draw their figures into a folder."""
    known = claiming_modules()
    for name in names:
        if name not in known:
            raise ModelError(f'no gallery module "{name}" that makes claims' + did_you_mean(name, known))
    for name in names or known:
        module: Any = importlib.import_module(f"routh.gallery.{name}")
        claims = tuple(module.claims())
        drawn: list[Path] = []
        if figures is not None and hasattr(module, "figures"):
            figures.mkdir(parents=True, exist_ok=True)
            drawn = list(module.figures(figures))
        yield Reproduction(name, (module.__doc__ or "").strip().partition("\n")[0], claims, tuple(drawn))


def shown(value: Any, like: Any = None) -> str:
    """A value as a table shows it; `like` is the published one, whose digits say how many are of interest."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu":
        items = [{"True": "yes", "False": "no"}.get(str(x), str(x)) for x in array.ravel()]
        return ", ".join(items if len(set(items)) > 1 else items[:1])
    digits = max((_digits(x) for x in np.ravel(like)), default=MOST_DIGITS) if like is not None else MOST_DIGITS
    return ", ".join(f"{x + 0.0:.{digits}g}" for x in array.ravel().tolist())


def published(claim: Claim) -> str:
    """The published value as a table shows it, with how it was derived where the paper does not print it."""
    return shown(claim.published, claim.published) + (f" (derived: {claim.derived})" if claim.derived else "")


def _digits(x: Any) -> int:
    """How many digits a published number has, and one more, so that a difference shows."""
    if not isinstance(x, float | int | np.number):
        return MOST_DIGITS
    written = repr(float(x)).partition("e")[0].replace(".", "").strip("-0")
    return min(max(len(written) + 1, 4), MOST_DIGITS)


def page(done: Sequence[Reproduction], beside: Path) -> str:
    """A page of the docs in Markdown; figures are linked from the folder `beside`."""
    claims = [claim for part in done for claim in part.claims]
    lines = ["# Published claims and computed values", "",
             f"`routh reproduce` computes every claim below: {sum(c.holds for c in claims)} of {len(claims)} hold. One that "
             "does not hold says why. A number that the paper does not print says how it was derived. This page is its output: "
             "`routh reproduce --page docs/reproduce.md`.", ""]
    for part in done:
        lines += [f"## {part.module}", "", part.about, ""]
        for picture in (f for f in part.figures if f.suffix == ".png"):
            lines += [f"![{picture.stem}]({os.path.relpath(picture, beside)})", ""]
        lines += ["| claim | published | computed | holds |", "|---|---|---|---|"]
        for c in part.claims:
            verdict = ("yes" if c.holds else "no") + (f": {c.note}" if c.note else "")
            cells = (c.claim, published(c), shown(c.computed, c.published), verdict)
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines)
