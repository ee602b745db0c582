"""What was run, as plain data that JSON keeps and a saved run brings back."""

import json
import math

import h5py
import numpy as np
import pytest

import routh as rt
from made_results import sealed
from routh import forces, joints, profiles
from routh.errors import RouthError
from routh.sim.declaration import declaration_of, plain


def spring(x, v, p):
    return -p[0] * x


def rod():
    return rt.Model(
        name="rod",
        space="planar",
        gravity=(0.0, -9.81),
        bodies=[rt.Body("rod", 1.0, 0.1)],
        joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))],
        forces=[
            forces.JointLaw("own", coordinate="pin.angle", law=spring, parameters=(2.0,)),
            forces.Torque("kick", "rod", torque=1.0, profile=profiles.Sine(1.0, 2.0)),
        ],
    )


def test_a_declaration_keeps_kinds_names_and_numbers():
    data = declaration_of(rod(), rt.Options())["model"]
    assert data["joints"][0] == {
        "kind": "Revolute",
        "name": "pin",
        "a": "ground",
        "b": "rod",
        "point_a": [],
        "point_b": [0.0, 0.5],
        "axis": None,
        "turn": None,
        "friction": None,
    }
    assert data["forces"][1]["profile"]["kind"] == "Sine"


def test_a_function_of_the_user_leaves_only_its_name():
    assert declaration_of(rod(), rt.Options())["model"]["forces"][0]["law"] == {"kind": "function", "name": "spring"}


def test_numbers_that_json_lacks_become_text():
    assert plain({"a": math.inf, "b": np.float64("nan"), "c": np.arange(2)}) == {"a": "inf", "b": "nan", "c": [0, 1]}
    json.dumps(declaration_of(rod(), rt.Options()), allow_nan=False)


def test_a_list_of_output_times_is_only_counted():
    assert declaration_of(rod(), rt.Options(output=np.linspace(0.0, 1.0, 7)))["options"]["output"] == "7 times"


def test_a_saved_run_keeps_its_declaration(tmp_path):
    model = rt.Model(
        name="rod",
        space="planar",
        bodies=[rt.Body("rod", 1.0, 0.1)],
        joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 0.5))],
    )
    result = rt.simulate(model, rt.State(pin={"angle": 1.0}), t_end=0.1)
    assert rt.load(result.save(tmp_path / "run.nc")).declaration == result.declaration


def test_a_declaration_that_is_no_object_is_a_damaged_file(tmp_path):
    model = rt.Model(name="rod", space="planar", bodies=[rt.Body("rod", 1.0, 0.1)])
    result = rt.simulate(model, t_end=0.1)
    for damage in ("[1, 2]", "{", "[" * 100_000):
        path = result.save(tmp_path / "run.nc")
        with h5py.File(path, "r+") as file:
            del file["declaration"]
            file["declaration"] = np.array(list(damage), "S1")
        with pytest.raises(RouthError, match="damaged"):
            rt.load(sealed(path))
