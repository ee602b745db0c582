"""What the template refuses, and that it says why."""

import dataclasses
import math
import re

import numpy as np
import pytest

import routh as rt
from routh.errors import ModelError
from routh.model.compliant import Linear
from routh.vehicles import carrier, excavator
from routh.vehicles.parts import SpeedDrive


def with_links(vehicle, **changes):
    """The vehicle with other links."""
    return dataclasses.replace(vehicle, links=dataclasses.replace(vehicle.links, **changes))


@pytest.mark.parametrize(("count", "way", "links"), [(43, "too long", "1 link fewer"), (41, "too short", "1 link more"),
                                                     (60, "too long", "18 links fewer"), (20, "too short", "21 links more")])
def test_a_chain_that_does_not_close_says_by_how_many_millimetres(count, way, links):
    with pytest.raises(ModelError, match=f"{count} links of 175 mm do not close: .* mm {way}; take {links}") as refused:
        with_links(excavator.vehicle(), count=count)
    millimetres = float(re.search(r"the chain is ([\d.]+) mm", str(refused.value)).group(1))
    # from the length at which 42 links close, the idler can give or take about twice its travel
    at = 1.43 if way == "too long" else 1.33
    expected = abs((count - 42) * 175.0 - 2e3 * (at - 1.381356))
    assert millimetres == pytest.approx(expected, rel=0.05)


def test_a_link_count_within_the_travel_of_the_idler_closes():
    longer = dataclasses.replace(excavator.vehicle(), idler=dataclasses.replace(excavator.vehicle().idler, travel=0.2))
    vehicle = with_links(longer, count=44)
    assert vehicle.idler_taut == pytest.approx(1.381356 + 0.175, abs=0.005)
    assert np.abs(np.diff(vehicle.pins, append=vehicle.pins[0])) == pytest.approx(np.full(44, 0.175), rel=1e-11)


def test_an_idler_behind_the_sprocket_is_moved_the_other_way():
    vehicle = carrier.vehicle()
    assert vehicle.idler.center[0] < vehicle.sprocket.center[0]
    assert vehicle.excess(vehicle.idler_taut) == pytest.approx(0.0, abs=1e-11)
    with pytest.raises(ModelError, match=r"66 links of 152 mm do not close: .*x = -2.1 m.* too long"):
        with_links(vehicle, count=66)


@pytest.mark.parametrize("vehicle", [excavator.vehicle(), carrier.vehicle()], ids=["front", "rear"])
def test_slack_draws_the_idler_towards_the_sprocket(vehicle):
    slack = dataclasses.replace(vehicle, idler=dataclasses.replace(vehicle.idler, slack=0.01)).model()
    gap = abs(slack["idler_axle"].point_a[0] - slack["sprocket_axle"].point_a[0])
    assert gap == pytest.approx(abs(vehicle.idler_taut - vehicle.sprocket.center[0]) - 0.01, abs=1e-12)


@pytest.mark.parametrize(("changes", "message"), [
    ({"name": "a b"}, "may hold no dot"),
    ({"drive": 3.0}, "drive = 3.0 is not a SpeedDrive"),
    ({"chassis": None}, "chassis = None is not a Chassis"),
    ({"links": 42}, "links = 42 is not a Links"),
    ({"rollers": 7}, "rollers = 7 is not a list"),
    ({"rollers": ("roller",)}, r"rollers\[0\] = 'roller' is not a Roller"),
    ({"ground": 0.0}, "is not a HeightProfile"),
    ({"ground_law": 1e6}, "is not a Compliant law"),
    ({"gravity": math.nan}, "gravity"),
])
def test_bad_fields_of_the_vehicle_are_named(changes, message):
    with pytest.raises(ModelError, match=message):
        dataclasses.replace(excavator.vehicle(), **changes).model()


@pytest.mark.parametrize(("part", "changes", "message"), [
    ("links", {"rail": 0.05}, "links.rail = 0.05 is not a Rail"),
    ("idler", {"tensioner": 5e4}, "idler.tensioner = 50000.0 is not a Tensioner"),
    ("links", {"count": 2}, "links.count = 2 must be a whole number from 3"),
    ("links", {"count": 4.2e9}, "links.count"),
    ("links", {"pitch": -0.1}, "links.pitch = -0.1 must be positive"),
    ("links", {"pitch": math.nan}, "links.pitch = nan is not finite"),
    ("links", {"mass": 0.0}, 'body "link1": mass'),
    ("idler", {"travel": math.inf}, "idler.travel = inf"),
    ("idler", {"slack": math.nan}, "idler.slack"),
    ("idler", {"radius": 0.0}, "idler.radius = 0 must be positive"),
    ("idler", {"center": (1.0,)}, "idler.center"),
    ("idler", {"law": 3.0}, "law = 3.0 is not a normal law"),
    ("sprocket", {"teeth": 5}, "5 teeth with 2 per link seat fewer than three links"),
    ("sprocket", {"first_pin": 0.0}, "does not lie on the outline"),
    ("chassis", {"center": (0.0, math.nan)}, "chassis.center"),
])
def test_bad_parts_are_named(part, changes, message):
    vehicle = excavator.vehicle()
    with pytest.raises(ModelError, match=message):
        dataclasses.replace(vehicle, **{part: dataclasses.replace(getattr(vehicle, part), **changes)}).model()


@pytest.mark.parametrize("spring", ["arm", "tensioner"])
def test_a_spring_without_stiffness_carries_nothing(spring):
    vehicle = carrier.vehicle()
    if spring == "arm":
        wheel = vehicle.rollers[0]
        changes = {"rollers": (dataclasses.replace(wheel, arm=dataclasses.replace(wheel.arm, stiffness=0.0)),
                               *vehicle.rollers[1:])}
    else:
        soft = dataclasses.replace(vehicle.idler.tensioner, stiffness=0.0)
        changes = {"idler": dataclasses.replace(vehicle.idler, tensioner=soft)}
    with pytest.raises(ModelError, match=f"{spring}.stiffness = 0 must be positive"):
        dataclasses.replace(vehicle, **changes)


def test_a_drive_that_jumps_is_refused():
    with pytest.raises(ModelError, match="jump in speed"):
        excavator.vehicle(drive=SpeedDrive(rt.profiles.Rectangle(0.0, 1.0))).model()


def test_vehicles_are_values():
    assert excavator.vehicle() == excavator.vehicle()
    assert excavator.vehicle().model() == excavator.vehicle().model()
    softer = excavator.vehicle().model().replace({"track.shoes.law.normal.k": 1e6})
    assert softer.tracks[0].shoes.law.normal == Linear(1e6, 5e3)


def test_a_vehicle_goes_to_a_file_and_back(tmp_path):
    for vehicle in (excavator.vehicle(), carrier.vehicle()):
        rt.write_model(tmp_path / "vehicle.toml", vehicle.model(), vehicle.built(), t_end=1.0)
        read = rt.read_model(tmp_path / "vehicle.toml")
        assert read.model == vehicle.model()
        assert read.start == vehicle.built()
