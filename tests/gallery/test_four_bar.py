"""N-four-bar: it passes its flat positions without stopping, branching off or losing energy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import routh as rt
from routh.gallery import four_bar

TIMES = np.linspace(0.0, 10.0, 201)
LIBRARY_DRIFT = 0.1  # J, what the library asks for [gonzalez2006]


@pytest.fixture(scope="module", params=[1, 10, 40])
def case(request):
    n = request.param
    return n, four_bar.run(n, options=rt.Options(output=TIMES))


@pytest.mark.parametrize("flat", [0.0, -np.pi])
def test_the_freedom_jumps_from_one_to_n_plus_one_where_all_rods_lie_flat(flat):
    n = 4
    assert rt.degrees_of_freedom(four_bar.model(n), four_bar.start(n)).freedom == 1
    assert rt.degrees_of_freedom(four_bar.model(n), four_bar.start(n, flat)).freedom == n + 1


def turns(angle):
    return np.count_nonzero(np.diff(np.floor(angle / np.pi)))


def test_the_run_passes_many_flat_positions(case):
    _, result = case
    assert result.t[-1] == 10.0
    assert turns(result["rod0.theta"]) >= 8


def test_energy_drift_stays_below_the_librarys_limit(case):
    n, result = case
    total = result.energy["total"]
    drift = np.abs(total - total[0]).max()
    assert drift < LIBRARY_DRIFT
    if n == 1:
        assert drift < 1e-6 * abs(total[0])


def test_every_window_stays_a_parallelogram(case):
    n, result = case
    for i in range(1, n + 1):
        # the flat position loses rank, so the loops close there to the root of the closure tolerance 1e-10
        np.testing.assert_allclose(result[f"coupler{i}.theta"], 0.0, atol=1e-5)
        np.testing.assert_allclose(result[f"rod{i}.theta"], result["rod0.theta"], atol=1e-5)


def test_the_motion_is_that_of_one_compound_pendulum(case):
    n, result = case
    angle, rate = result["rod0.theta"][0], result["rod0.omega"][0]
    exact = solve_ivp(lambda t, y: four_bar.parallelogram(t, *y, n), (0.0, 10.0), [angle, rate],
                      method="DOP853", t_eval=result.t, rtol=1e-12, atol=1e-12)
    # default tolerance 1e-8, amplified by the slow passages over the top
    np.testing.assert_allclose(result["rod0.theta"], exact.y[0], atol=1e-4)
