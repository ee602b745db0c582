"""Routh's side of the evaluations: accelerations again and again inside compiled code."""

from __future__ import annotations

import numpy as np

from routh.bench.common import best_time
from routh.compiler.compile import compile_model
from routh.compiler.machine import Machine
from routh.sim.assembly import assemble_arrays

TIMES = 200  # evaluations per call from Python


class Evaluation:
    """The accelerations of a model at a start; `seconds()` per evaluation, `accelerations()` by joint."""

    def __init__(self, model, start):
        self.machine = Machine(compile_model(model))
        self.q, self.u = assemble_arrays(self.machine, start, 0.0, keep=True)

    def repeat(self, times):
        machine = self.machine
        return machine.call("repeat", 0.0, self.q, self.u, times)

    def seconds(self):
        return best_time(lambda: self.repeat(TIMES)) / TIMES

    def accelerations(self, joints):
        """Second derivatives of the first coordinates of named joints."""
        self.repeat(1)
        speeds = [self.machine.compiled.coordinates[joint, 0][1] for joint in joints]
        return np.array(self.machine.work.dof["udot"])[speeds]
