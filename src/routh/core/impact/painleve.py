"""A closed contact that slides: which accelerations Coulomb's law allows ([painleve1895], [lotstedt1981]).

With the free normal acceleration b (no contact force) and the force λ >= 0, the normal acceleration is
b + D λ, where D = A_nn - mu a·t is the sliding denominator for slip along the unit vector t.
"""

import numpy as np

from routh.core.jit import kernel

SLIDING, LIFT_OFF, INCONSISTENT, INDETERMINATE, STICK = range(5)


@kernel
def sliding_class(b, D):
    """(class, sliding force λ) of a sliding contact. λ is -b/D whatever its sign; D = 0 has none."""
    force = -b / D if D != 0.0 else np.nan
    if D > 0.0:
        return (LIFT_OFF if b > 0.0 else SLIDING), force
    return (INDETERMINATE if b > 0.0 else INCONSISTENT), force


@kernel
def sliding_classes(b, D, kind_out, force_out):
    """`sliding_class` over flat arrays."""
    for i in range(b.shape[0]):
        kind_out[i], force_out[i] = sliding_class(b[i], D[i])
