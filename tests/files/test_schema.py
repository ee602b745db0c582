"""The JSON Schema takes what the reader takes, and refuses what an editor should underline."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from test_round_trip import everything

import routh as rt
from routh.files.schema import schema
from routh.gallery.scenes import SCENES, scene

VALIDATOR = Draft202012Validator(schema())


def test_the_schema_is_one():
    Draft202012Validator.check_schema(schema())
    assert json.loads(json.dumps(schema())) == schema()


@pytest.mark.parametrize("name", sorted(SCENES))
def test_scenes_of_the_gallery_fit(name):
    VALIDATOR.validate(json.loads(rt.format_model(scene(name), language="json")))


def test_every_declaration_fits():
    for model in everything():
        VALIDATOR.validate(json.loads(rt.format_model(model, language="json")))


BALL = {
    "format": 1,
    "space": "planar",
    "gravity": [0, "-9.81 m/s^2"],
    "bodies": {"ball": {"mass": "160 g", "inertia": 5.8e-5}},
    "contacts": {
        "bounce": {
            "a": {"type": "Disk", "body": "ball", "radius": 0.03},
            "b": {"type": "HalfSpace", "body": "ground", "normal": [0, 1]},
            "law": {"type": "Stronge", "e": 0.8, "mu": 0.3},
        }
    },
    "start": {"ball": {"y": "1 m"}},
    "run": {"t_end": "5 s"},
}


def test_numbers_with_units_fit():
    VALIDATOR.validate(BALL)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["format"], 2),
        (["space"], "flat"),
        (["bodies", "ball", "mass"], "heavy"),
        (["bodies", "ball", "mass"], [1.0]),
        (["bodies", "ball", "colour"], "red"),
        (["bodies", "a.b"], {"mass": 1, "inertia": 1}),
        (["contacts", "bounce", "law", "e"], True),
        (["contacts", "bounce", "law", "type"], "Bounce"),
        (["contacts", "bounce", "a", "radius"], None),
        (["run", "t_stop"], 1),
        (["contacts", "bounce", "b", "normal"], 1.0),
        (["forces"], {"f": {"type": "BodyLaw", "body": "ball", "law": "f"}}),
    ],
)
def test_what_the_reader_refuses_is_underlined(path, value):
    data = json.loads(json.dumps(BALL))
    holder = data
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    assert not VALIDATOR.is_valid(data)
    with pytest.raises(rt.errors.FileError):
        rt.parse_model(json.dumps(data), "json")
