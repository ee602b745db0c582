"""Tracks as declarations: what they refuse, and that they say why."""

import math

import pytest

import routh as rt
from routh.errors import ModelError
from routh.model.compliant import Compliant, Flores, Linear
from routh.model.friction import LuGre, Regularised
from routh.model.tracks import HeightProfile, Rail, Shoes, Sprocket, Track, Wheel, closed_chain

SOFT = Linear(1e6, 100.0)
RAIL = Rail(0.05, 0.1, 0.1)
TOOTHED = {"body": "disc", "teeth": 10, "pitch": 0.1, "pin": (-0.05, 0.0), "pin_radius": 0.01, "seat": SOFT, "flanks": SOFT}


def model(**parts):
    """Two links and a disc."""
    names = ("one", "two", "disc")
    return rt.Model("planar", [rt.Body(name, 1.0, 0.1) for name in names],
                    [rt.joints.Revolute("pin", "one", "two"), rt.joints.Weld("weld", "ground", "disc")],
                    tracks=[Track("track", **{"links": ("one", "two"), **parts})])


@pytest.mark.parametrize(("changes", "message"), [
    ({"teeth": 2.5}, "teeth = 2.5 must be a positive whole number"),
    ({"teeth_per_link": 0}, "teeth_per_link = 0"),
    ({"teeth": 5, "teeth_per_link": 2}, "seat fewer than three links"),
    ({"pitch": 0.0}, "pitch = 0 must be positive"),
    ({"pin_radius": 1.0}, "leave no base circle"),
    ({"flank_angle": 2.0}, r"flank_angle = 2 rad is outside \[0, π/2\)"),
    ({"flank": (0.1, 0.0)}, "must run from a smaller to a larger number"),
    ({"play": -1.0}, "play = -1 must be zero or positive"),
    ({"pin": (0.0, math.nan)}, r"pin\[1\] = nan is not finite"),
    ({"seat": 1e6}, "seat = 1000000.0 is not a normal law"),
    ({"flanks": Flores(1e6, 0.5)}, "flanks: Flores takes its damping from the speed of each impact"),
])
def test_bad_sprockets_are_named(changes, message):
    with pytest.raises(ModelError, match=message):
        Sprocket(**{**TOOTHED, **changes})


@pytest.mark.parametrize(("make", "message"), [
    (lambda: Rail(0.05, 0.0, 0.1), "rail: back = 0 must be positive"),
    (lambda: Wheel("disc", -1.0, SOFT), 'wheel "disc": radius = -1 must be positive'),
    (lambda: HeightProfile(3.0), "points = 3.0 is not a list"),
    (lambda: HeightProfile(()), "has 0 points"),
    (lambda: HeightProfile(((0.0, 0.0), (0.0, 1.0))), r"points\[1\] has x = 0 after 0. A wall is a steep stretch"),
    (lambda: HeightProfile(((0.0, math.inf),)), r"points\[0\]\[1\] = inf is not finite"),
    (lambda: HeightProfile(((1e20, 0.0),)), r"a coordinate of 1e\+20 m is beyond"),
    (lambda: HeightProfile.from_table((0.0, 1.0), (0.0,)), "2 places and 1 heights"),
    (lambda: Shoes((), Compliant(SOFT)), "give at least one"),
    (lambda: Shoes(((0.0, 0.0),), SOFT), "is not a Compliant law"),
    (lambda: Shoes(((0.0, 0.0),), Compliant(SOFT, LuGre(0.1, 1e4))), "friction must be Regularised"),
    (lambda: Shoes(((0.0, 0.0),), Compliant(SOFT), ground=0.0), "is not a HeightProfile"),
    (lambda: Shoes(((0.0, 0.0),), Compliant(SOFT), area=0.0), "area = 0 must be positive"),
    (lambda: Shoes(((0.0, 0.0),), Compliant(SOFT), belt=math.nan), "belt = nan"),
    (lambda: Shoes(((0.0, 0.0),), Compliant(Flores(1e6, 0.5), Regularised(0.1, 0.01))), "give it a speed"),
    (lambda: closed_chain(2, 0.1, 1.0, 1.0), "2 links cannot close"),
    (lambda: closed_chain(5, 0.0, 1.0, 1.0), "pitch = 0 must be positive"),
    (lambda: model(links="one"), "links = 'one' is not a list"),
    (lambda: model(links=()), "has no links"),
    (lambda: model(links=("one", "tow")), 'no body "tow"; did you mean "two"'),
    (lambda: model(pins=("pinn",)), 'no Revolute joint "pinn"; did you mean "pin"'),
    (lambda: model(pins=("weld",)), 'no Revolute joint "weld"'),
    (lambda: model(wheels=[Wheel("disc", 0.1, SOFT)]), "its wheels need a rail"),
    (lambda: model(rail=RAIL, wheels=[Wheel("one", 0.1, SOFT)]), 'body "one" is named twice'),
    (lambda: model(wheels=[3]), "wheels holds 3, which is no Wheel"),
    (lambda: model(sprockets=[3]), "sprockets holds 3, which is no Sprocket"),
    (lambda: model(shoes=3), "shoes = 3 is not a Shoes"),
    (lambda: model(drag=-1.0), "drag = -1 must be zero or positive"),
])
def test_bad_parts_are_named(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_a_track_lives_in_the_plane():
    with pytest.raises(ModelError, match="does not exist in a spatial model"):
        rt.Model("spatial", [rt.Body("one", 1.0, (1.0, 1.0, 1.0))], tracks=[Track("track", ("one",))])


def test_heights_are_linear_between_points_and_level_beyond():
    ground = HeightProfile.from_table((0.0, 2.0), (1.0, 3.0))
    assert [ground.height(x) for x in (-5.0, 0.5, 9.0)] == [1.0, 1.5, 3.0]


def test_a_law_that_knows_its_speed_is_welcome():
    assert Wheel("disc", 0.1, Flores(1e6, 0.5, speed=0.3)).law.speed == 0.3


def test_what_flies_off_to_infinity_ends_the_run_with_a_message():
    """Wheels whose places overflow must not send the search for near links astray."""
    bodies, pins = closed_chain(6, 0.1, 1.0, 0.01)
    thrown = rt.Model("planar", [*bodies, rt.Body("disc", 1.0, 0.1)], pins,
                      [rt.forces.PointForce("push", "disc", (1e308, 0.0))],
                      tracks=[Track("track", tuple(b.name for b in bodies), tuple(p.name for p in pins), RAIL,
                                    [Wheel("disc", 0.1, SOFT)], shoes=Shoes(((0.0, -0.1),), Compliant(SOFT)))])
    angle = 2.0 * math.pi / 6
    start = {b.name: {"x": 0.0866 * math.cos(i * angle), "y": 0.0866 * math.sin(i * angle) + 1.0,
                      "theta": i * angle + 0.5 * math.pi} for i, b in enumerate(bodies)}
    with pytest.raises(rt.errors.SimulationError, match=r"finite|too small|many steps"):
        rt.simulate(thrown, rt.State(start), 1e3, options=rt.Options(max_steps=2000))
