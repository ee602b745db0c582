"""A claim of a paper beside what Routh computes for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

__all__ = ["Claim"]


@dataclass(frozen=True)
class Claim:
    """One published statement. `computed` is found when the claim is built, never typed in.

    Numbers (or lists of them) hold within `tolerance`, which is absolute; texts hold when they are equal. `derived` says how a
    "published" number was found that does not stand in the paper. `unreproducible` marks the few claims that no reading of the
    paper reproduces; their note says why. Any other claim that does not hold is a failure.
    """

    paper: str
    claim: str
    published: Any
    computed: Any
    tolerance: float = 0.0
    note: str = ""
    derived: str = ""
    unreproducible: bool = False

    @property
    def fails(self) -> bool:
        """Whether it does not hold, and is not one of those that no reading reproduces."""
        return not self.holds and not self.unreproducible

    @property
    def holds(self) -> bool:
        """Whether the computed value is the published one."""
        if isinstance(self.published, (str, bool)) or isinstance(self.computed, str):
            return bool(self.published == self.computed)
        if np.asarray(self.published).dtype.kind not in "fiu":
            return list(self.published) == list(self.computed)
        published, computed = np.asarray(self.published, dtype=float), np.asarray(self.computed, dtype=float)
        if published.shape != computed.shape:
            return False
        return bool(np.all(np.abs(published - computed) <= self.tolerance))
