"""Docstrings of the public names: parameters, units, and examples that run as they are printed."""

import doctest
import inspect

import numpy as np
import pytest

import routh as rt
from routh import compliant, errors, forces, friction, joints, profiles, restitution, shapes, view
from routh.gallery import park

NAMES = [name for name in rt.__all__ if name != "__version__" and not inspect.ismodule(getattr(rt, name))]
MODULES = [name for name in rt.__all__ if inspect.ismodule(getattr(rt, name))]


def examples(thing):
    finder = doctest.DocTestFinder(exclude_empty=True, recurse=inspect.isclass(thing))
    return [test for test in finder.find(thing, thing.__name__, module=False) if test.examples]


@pytest.mark.parametrize("name", NAMES)
def test_examples_of_a_public_name_run_as_they_are_printed(name, tmp_path):
    names = {"rt": rt, "np": np, "compliant": compliant, "forces": forces, "friction": friction,
             "restitution": restitution, "joints": joints, "park": park,
             "profiles": profiles, "shapes": shapes, "folder": tmp_path, "result": park.drop()}
    found = examples(getattr(rt, name))
    assert found, f"{name} has no example"
    for test in found:
        test.globs = dict(names)
        said: list[str] = []
        failed = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=said.append).failed
        assert not failed, "".join(said)


@pytest.mark.parametrize("name", [n for n in NAMES if inspect.isfunction(getattr(rt, n))])
def test_every_parameter_of_a_function_is_explained(name):
    function = getattr(rt, name)
    text = (inspect.getdoc(function) or "").partition("Parameters\n")[2].partition("\nReturns\n")[0]
    for parameter in inspect.signature(function).parameters:
        assert any(parameter in line.replace(",", " ").split() for line in text.splitlines()), f"{name}: {parameter}"


def test_every_option_is_explained():
    text = inspect.getdoc(rt.Options)
    for field in rt.Options.__dataclass_fields__:
        assert f"\n{field} : " in text


@pytest.mark.parametrize("name", MODULES)
def test_completion_offers_public_names_only(name):
    module = getattr(rt, name)
    assert dir(module) == sorted(module.__all__)


def test_completion_of_the_view_offers_its_functions():
    assert {"plot", "report", "picture"} <= set(dir(view))
    assert "RouthError" in dir(errors)
