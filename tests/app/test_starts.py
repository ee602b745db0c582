"""Start values that are turned: loops stay closed, drives keep their coordinate, and a fifth more or less always runs."""

import dataclasses

import pytest

import routh as rt
from routh.app.starts import free_starts, started
from routh.errors import RouthError
from routh.gallery.scenes import scene

FIFTH = 0.2


@pytest.mark.parametrize("name", ["tank", "bricard", "ring", "slider_crank", "newtons_cradle", "four_bar", "park_ball"])
def test_every_slider_of_a_start_moves_by_a_fifth_and_the_run_begins(name):
    file = scene(name)
    for found in free_starts(file):
        small = FIFTH * abs(found.value) or FIFTH * (found.high - found.low)
        for value in (max(found.low, found.value - small), min(found.high, found.value + small)):
            start = started(file, {found.path: value})
            instant = file.t_start + 1e-4 * (file.t_end - file.t_start)
            result = dataclasses.replace(file, start=start, t_end=instant).simulate()
            owner, _, key = found.path.rpartition(".")
            assert start[owner][key] == pytest.approx(value, abs=1e-5 * max(1.0, abs(value - found.value)))
            assert result.t[-1] == pytest.approx(instant)


def test_the_ranges_of_the_sliders_do_not_depend_on_the_machine():
    assert free_starts(scene("bricard")) == free_starts(scene("bricard"))
    assert len(free_starts(scene("bricard"))) == 8


def test_the_turned_angle_of_a_linkage_is_held_and_its_loop_stays_closed():
    file = scene("four_bar")
    start = started(file, {"base0.angle": 1.9})
    result = rt.simulate(file.model, start, t_end=1e-3)
    assert result["base0.angle"][0] == pytest.approx(1.9, abs=1e-6)


def test_what_a_drive_holds_has_no_slider():
    file = scene("slider_crank")
    assert not any(found.path.startswith("main.") for found in free_starts(file))
    with pytest.raises(RouthError, match=r"main\.angle cannot be 0\.5|driver says"):
        started(file, {"main.angle": 0.5})


def test_a_value_that_cannot_be_is_told_by_name():
    file = scene("four_bar")
    with pytest.raises(RouthError, match=r"base1\.angle cannot be 2\.9"):
        started(file, {"base0.angle": 1.2, "base1.angle": 2.9, "left1.angle": 2.0})
