"""Plots: labels with units, jumps as jumps, events marked, constants in the middle."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import routh as rt
from routh.gallery.scenes import scene
from routh.view.plots import plot

mpl.use("Agg")


@pytest.fixture(scope="module")
def ball():
    return rt.simulate(scene("park_ball").model, scene("park_ball").start, 4.0)


@pytest.fixture(autouse=True)
def closed():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_no_line_runs_through_a_jump(ball):
    (line, *_) = plot(ball, "ball.vy", marks=False).axes[0].get_lines()
    t, v = line.get_data()
    joined = np.isfinite(t[1:]) & np.isfinite(t[:-1])
    slope = np.diff(v)[joined] / np.maximum(np.diff(t)[joined], 1e-12)
    assert slope == pytest.approx(np.full(joined.sum(), -9.81), rel=1e-3)  # free flight everywhere
    assert np.isnan(t).sum() == len(ball.impacts)


def test_both_sides_of_a_jump_are_drawn(ball):
    dots = plot(ball, "ball.vy", marks=False).axes[0].get_lines()[1]
    hit = ball.impacts[0]
    before, after = (ball.at(hit.t, side)["ball.vy"] for side in ("left", "right"))
    assert {before, after} <= set(dots.get_ydata())


def test_labels_carry_units_and_axes_share_time(ball):
    figure = plot(ball, "ball.y", "ball.vx", "ball.vy", "bounce.force", title="ball")
    assert [ax.get_ylabel() for ax in figure.axes] == ["ball.y [m]", "[m/s]", "bounce.force [N]"]
    assert figure.axes[-1].get_xlabel() == "t [s]"
    assert [text.get_text() for text in figure.axes[1].get_legend().get_texts()] == ["ball.vx", "ball.vy"]
    assert all(ax.get_xlim() == (0.0, 4.0) for ax in figure.axes)


def test_events_are_marked_at_their_times(ball):
    figure = plot(ball, "ball.y")
    marks = next(line for line in figure.axes[0].get_lines() if str(line.get_label()).startswith("impact"))
    assert np.array_equal(marks.get_xdata(), ball.events[ball.events["kind"] == "impact"]["t"])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [f"impact ({len(ball.impacts)})"]
    assert not plot(ball, "ball.y", marks=False).legends


def test_a_constant_is_a_line_in_the_middle(ball):
    low, high = plot(ball, "ball.ax").axes[0].get_ylim()
    assert (low, high) == (-0.1, 0.1)


def test_a_plot_without_channels_says_what_there_is(ball):
    with pytest.raises(ValueError, match=r'name at least one channel, such as "ball\.x"'):
        plot(ball)
