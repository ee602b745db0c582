"""Steps that sweeps do not solve: `contact_solver="exact"` gives them to the methods of `solve_friction`."""

import numpy as np
import pytest

import routh as rt
from routh.errors import ModelError
from routh.gallery import sphere_pile

COUNT = 24
FEW_SWEEPS = 20    # too few for this pile
SLIPS = 1e-3         # m/s: the ledger has slip speeds at the end of the step, whose rows have turned a little since its middle


def pile(solver):
    options = rt.Options(engine="stepping", step=2e-3, max_sweeps=FEW_SWEEPS, contact_solver=solver, contact_log="steps",
                         output=0.1)
    return rt.simulate(sphere_pile.model(COUNT), sphere_pile.start(COUNT), t_end=0.4, options=options)


def coulomb_error(result):
    """Largest error of the law of friction over all points of all steps, against the largest normal impulse."""
    rows = result.contact_steps
    rough = np.isin(rows["contact"], ["floor", "balls"]) & (rows["v_n_after"] > -1e-9)  # what still closes has no friction yet
    p_n, p_t, slip = (np.asarray(rows[name])[rough] for name in ("p_n", "p_t", "slip"))
    outside = np.maximum(p_t - sphere_pile.MU * p_n, 0.0)
    slides = slip > SLIPS
    lagging = np.where(slides, np.abs(p_t - sphere_pile.MU * p_n), 0.0)
    return float(np.maximum(outside, lagging).max() / p_n.max())


def test_steps_that_sweeps_do_not_solve_are_solved_exactly():
    loose, exact = pile("sweeps"), pile("exact")
    assert loose.statistics["unconverged_steps"] > 100
    assert exact.statistics["hard_steps"] > 100
    assert exact.statistics["unconverged_steps"] <= 0.05 * exact.statistics["hard_steps"]
    assert exact.statistics["worst_residual"] < 1e-2 * loose.statistics["worst_residual"]
    assert coulomb_error(exact) < 1e-2 * coulomb_error(loose)


def test_the_same_bits_twice():
    first, second = pile("exact"), pile("exact")
    for name in ("ball1.x", "ball7.vy", f"ball{COUNT}.wz"):
        np.testing.assert_array_equal(first[name], second[name])


def test_a_solver_that_is_not_known_is_refused():
    with pytest.raises(ModelError, match=r'"exactly".*exact'):
        rt.Options(engine="stepping", contact_solver="exactly")
