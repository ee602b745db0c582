"""A track as parts: teeth where the sprocket has them, soles where the shoes press."""

import numpy as np
import pytest

from routh.sim.declaration import plain
from routh.vehicles import excavator
from routh.view.track_parts import track_parts


@pytest.fixture(scope="module")
def model():
    return excavator.vehicle().model()


@pytest.fixture(scope="module")
def drawn(model):
    found = {}
    for body, part in track_parts(plain(model.tracks[0])):
        found.setdefault(body, []).append(part)
    return found


def test_everything_that_the_track_names_is_drawn(model, drawn):
    track = model.tracks[0]
    assert set(drawn) == {*track.links, *(w.body for w in track.wheels), *(s.body for s in track.sprockets), "ground"}


def test_a_seated_pin_lies_between_base_circle_and_tips(model, drawn):
    sprocket = model.tracks[0].sprockets[0]
    radius = np.linalg.norm(drawn["sprocket"][0]["points"], axis=1)
    assert radius.min() == pytest.approx(sprocket.pitch_radius - sprocket.pin_radius, abs=1e-5)
    assert radius.max() > sprocket.pitch_radius
    assert len(radius) == 4 * sprocket.teeth


def test_gaps_lie_where_the_phase_says(model, drawn):
    sprocket = model.tracks[0].sprockets[0]
    points = np.array(drawn["sprocket"][0]["points"])
    angle = np.arctan2(points[:, 1], points[:, 0]) - sprocket.phase
    tips = np.linalg.norm(points, axis=1) > sprocket.pitch_radius
    from_gap = np.abs((angle[tips] * sprocket.teeth / (2.0 * np.pi) + 0.5) % 1.0 - 0.5)  # in tooth pitches
    assert from_gap.min() > 0.3


def test_the_sole_of_a_link_goes_through_its_shoe_points(model, drawn):
    corners = {tuple(p[:2]) for p in drawn["link1"][0]["points"]}
    assert set(model.tracks[0].shoes.points) <= corners


def test_ground_is_drawn_level_beyond_its_ends(drawn):
    points = np.array(drawn["ground"][0]["points"])
    assert np.ptp(points[:, 0]) >= 2000.0
    assert np.all(np.diff(points[:, 0]) > 0.0)
