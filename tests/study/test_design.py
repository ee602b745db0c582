"""Points of studies: grids, draws, and designs for Sobol indices."""

import numpy as np
import pytest

from routh.errors import ModelError
from routh.study import LogNormal, Normal, Uniform
from routh.study.design import design_of


def test_lists_form_all_combinations_and_the_last_varies_fastest():
    design = design_of({"a.x": [1.0, 2.0], "b.y": [3.0, 4.0, 5.0]}, None, "sobol", 0)
    assert design.columns["a.x"].tolist() == [1, 1, 1, 2, 2, 2]
    assert design.columns["b.y"].tolist() == [3, 4, 5, 3, 4, 5]
    assert design.is_grid


def test_every_point_of_a_grid_gets_the_same_samples():
    design = design_of({"e": Uniform(0.0, 1.0), "mu": [0.1, 0.2]}, 8, "latin", 3)
    first, second = np.split(design.columns["e"], 2)
    assert np.array_equal(first, second)
    assert design.columns["mu"].tolist() == [0.1] * 8 + [0.2] * 8
    assert sorted((first * 8).astype(int)) == list(range(8))  # one sample in each eighth: a Latin hypercube


@pytest.mark.parametrize("sampling", ["sobol", "latin", "random"])
def test_samples_have_the_moments_of_their_distributions(sampling):
    vary = {"u": Uniform(-1.0, 3.0), "n": Normal(2.0, 0.5), "l": LogNormal(2.0, 0.25)}
    columns = design_of(vary, 4096, sampling, 1).columns
    expected = {"u": (1.0, 4.0 / 12.0**0.5), "n": (2.0, 0.5), "l": (2.0 * np.exp(0.03125), None)}
    for name, (mean, deviation) in expected.items():
        five_errors = 5.0 / 64.0 * (deviation or 0.5)  # of the mean of random draws
        assert columns[name].mean() == pytest.approx(mean, abs=five_errors)
        if deviation:
            assert columns[name].std() == pytest.approx(deviation, rel=0.06)
    assert np.median(np.log(columns["l"])) == pytest.approx(np.log(2.0), abs=0.02)


def test_draws_depend_on_the_seed_alone():
    one, same, other = (design_of({"e": Normal(0.0, 1.0)}, 16, "sobol", seed).columns["e"] for seed in (5, 5, 6))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize(("vary", "samples", "sampling", "message"), [
    ({}, None, "sobol", "names no parameter"),
    ({"e": []}, None, "sobol", "no values"),
    ({"e": [0.1, 0.1]}, None, "sobol", "twice"),
    ({"e": [0.1, float("nan")]}, None, "sobol", "not finite"),
    ({"e": 0.5}, None, "sobol", "neither a list"),
    ({"e": [0.1]}, 4, "sobol", "no parameter is drawn"),
    ({"e": Uniform(0.0, 1.0)}, None, "sobol", "positive whole number"),
    ({"e": Uniform(0.0, 1.0)}, 4, "halton", "not one of"),
    ({"e": Uniform(0.0, 1.0)}, 6, "saltelli", "power of two"),
    ({"e": np.linspace(0, 1, 20000), "f": np.linspace(0, 1, 20000)}, None, "sobol", "the limit"),
])
def test_bad_designs_are_refused_with_the_reason(vary, samples, sampling, message):
    with pytest.raises(ModelError, match=message):
        design_of(vary, samples, sampling, 0)


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Uniform(1.0, 1.0), "below"), (lambda: Normal(0.0, -1.0), "positive"), (lambda: LogNormal(0.0, 1.0), "positive"),
    (lambda: design_of({"e": Uniform(0.0, 1.0)}, 4, "sobol", -1), "seed"),
])
def test_bad_distributions_are_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()
