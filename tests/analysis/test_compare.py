"""Two results side by side: the largest difference, when it is, and jumps that are no difference."""

from __future__ import annotations

import numpy as np
import pytest

from routh.analysis.compare import compare
from routh.errors import RouthError
from routh.sim.result import Energy, Result


def result(t, **channels):
    t = np.asarray(t, float)
    energy = Energy(np.zeros(len(t)), np.zeros(len(t)), np.zeros((len(t), len(Energy.WORKS))))
    named = {name.replace("_", "."): (np.asarray(values, float), "m") for name, values in channels.items()}
    return Result(t=t, channels=named, energy=energy, status="finished", space="planar")


T = np.linspace(0.0, 1.0, 11)


def test_the_largest_difference_is_found_where_it_is():
    a, b = result(T, b_x=T, b_y=0.0 * T), result(T, b_x=T + 0.01 * (T == 0.5), b_y=0.0 * T)
    found = compare(a, b)
    worst = found.rows[0]
    assert (worst.channel, worst.difference, worst.t, worst.agrees) == ("b.x", pytest.approx(0.01), 0.5, False)
    assert not found.agree
    assert compare(a, b, rtol=0.011).agree
    assert "1 differ" in found.table()


def test_other_sample_times_are_reached_by_straight_lines():
    fine = np.linspace(0.0, 1.0, 1001)
    assert compare(result(fine, b_x=3.0 * fine), result(T, b_x=3.0 * T)).agree


def test_vectors_are_compared_part_by_part():
    a, b = result(T, f=np.column_stack([T, T])), result(T, f=np.column_stack([T, 2.0 * T]))
    assert compare(a, b).rows[0].difference == 1.0


def test_an_impact_that_comes_a_rounding_earlier_is_no_difference():
    def hit(at):
        t = np.array([0.0, 0.2, at, at, 0.8, 1.0])
        return result(t, b_v=np.where(np.arange(6) < 3, -1.0, 1.0))

    assert compare(hit(0.5), hit(0.5 - 1e-13)).agree
    late = compare(hit(0.5), hit(0.3))
    assert late.agree  # no sample of the first lies between the two instants
    assert not compare(result(T, b_v=np.where(T < 0.45, -1.0, 1.0)), hit(0.3)).agree


def test_channels_of_one_result_alone_are_named():
    found = compare(result(T, b_x=T, only_a=T), result(T, b_x=T, only_b=T))
    assert (found.only_first, found.only_second, found.agree) == (("only.a",), ("only.b",), False)
    assert "only in the second: only.b" in found.table()


def test_numbers_that_are_none_differ():
    assert not compare(result(T, b_x=T), result(T, b_x=np.where(T > 0.5, np.nan, T))).agree


@pytest.mark.parametrize(("other", "words"), [(T + 2.0, "no time in common"), ([1.0, 1.0], "no sample in common")])
def test_results_that_do_not_overlap_are_refused(other, words):
    with pytest.raises(RouthError, match=words):
        compare(result(T, b_x=T), result(other, b_x=np.zeros(len(other))))
