"""The energy that is missing while a run goes on, for its progress bar."""

from __future__ import annotations

from typing import Any

import numpy as np

from routh.compiler.machine import Machine

__all__ = ["EnergyWatch"]


class EnergyWatch:
    """Looks at states of a run with scratch of its own, so that looking changes nothing. Made only when first asked."""

    def __init__(self, machine: Machine, stops: np.ndarray, y: np.ndarray) -> None:
        self.machine, self.begin, self.first = machine, (float(stops[0]), stops[:2].copy()), y.copy()
        self.eye: Any = None

    def drift(self, t: float, y: np.ndarray, stops: np.ndarray, segment: int) -> float:
        """Kinetic and potential energy less the works, against the start [J]; the sample lies in a segment between stops."""
        if self.eye is None:
            self.eye = Machine(self.machine.compiled)
            t0, first_stops = self.begin
            self.start = self._left(t0, self.first, first_stops, 0)
        return self._left(t, y, stops, segment) - self.start

    def _left(self, t: float, y: np.ndarray, stops: np.ndarray, segment: int) -> float:
        arrays, zero = self.eye.observation(1), np.zeros(1, np.int64)
        no_modes = np.zeros((1, 0))  # energies do not ask for the modes of contacts
        self.eye.call("observe", np.array([t]), y[None, :], np.array([segment]), stops, zero, no_modes,
                *arrays.values())
        return float(arrays["energy"][0, :2].sum() - y[int(self.eye.system.world["works"][0]):].sum())
