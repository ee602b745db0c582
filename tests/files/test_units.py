"""Numbers with units: exact conversion, dimensions that must match, agreement with Pint."""

from __future__ import annotations

import math

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from routh.files import elements
from routh.files.quantities import QUANTITIES, quantity, start_quantity
from routh.files.units import UnitError, in_si, unit_of
from routh.model.model import Model
from routh.sim.options import Options

REGISTRY = pint.UnitRegistry()
EXPECTED = sorted(
    {
        unit
        for family in QUANTITIES.values()
        for entry in family.values()
        if entry
        for unit in ([entry] if isinstance(entry, str) else entry)
        if "P" not in unit and unit[0] != "1"
    }
)


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("5 kN/m", "N/m", 5000.0),
        ("20 cm", "m", 0.2),
        ("160 g", "kg", 0.16),
        ("0.58 kg cm^2", "kg m^2", 5.8e-5),
        ("1e-3", "1", 1e-3),
        ("30 %", "1", 0.3),
        ("9.81 m/s²", "m/s^2", 9.81),
        ("-40 rad/s", "rad/s", -40.0),
        ("3 N·m", "N m", 3.0),
        ("3 N*m", "N m", 3.0),
        ("2 ms", "s", 0.002),
        ("1.5 h", "s", 5400.0),
        ("7 N m s/rad", "N m s/rad", 7.0),
        ("12 kg m**2", "kg m^2", 12.0),
        ("4 m s⁻¹", "m/s", 4.0),
        ("4 m s^-1", "m/s", 4.0),
        ("+.5e1mm", "m", 0.005),
        ("3 1/s", "Hz", 3.0),
        ("2 µm", "m", 2e-6),
        ("1 in", "m", 0.0254),
        ("1 lbf", "N", 4.4482216152605),
        ("100 J/m", "N", 100.0),
        ("5 N/m/s", "N/m/s", 5.0),
    ],
)
def test_the_nearest_float_comes_out(text, unit, value):
    assert in_si(text, unit) == value


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("30 deg", "rad", math.pi / 6),
        ("180°", "rad", math.pi),
        ("60 rpm", "rad/s", 2 * math.pi),
        ("5 mm/rev", "m/rad", 0.005 / (2 * math.pi)),
        ("2 N m/deg", "N m/rad", 360 / math.pi),
    ],
)
def test_turns_carry_pi(text, unit, value):
    assert in_si(text, unit) == pytest.approx(value, rel=3e-16)


@given(
    st.floats(-1e30, 1e30, allow_nan=False).filter(lambda x: x == 0 or abs(x) > 1e-30),
    st.sampled_from(EXPECTED),
    st.sampled_from(["", "k", "m", "M", "c"]),
)
def test_pint_agrees(value, unit, prefix):
    text = unit.replace("kg", "g") if prefix and unit.startswith("kg") else unit
    written = f"{value!r} {prefix}{text}"
    theirs = REGISTRY.Quantity(value, f"{prefix}{text}".replace(" ", "*").replace("^", "**")).to(
        unit.replace(" ", "*").replace("^", "**")
    )
    assert in_si(written, unit) == pytest.approx(theirs.magnitude, rel=1e-14, abs=0.0)


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("5 kg", "N/m", '"5 kg" has the wrong unit; this is a quantity in N/m'),
        ("5 Hz", "rad/s", "wrong unit"),
        ("30 deg", "1", "has a unit, but this is a plain number"),
        ("5", "kg", 'has no unit; write "5 kg"'),
        ("5 furlong", "m", 'no unit "furlong"'),
        ("5 newton", "N", 'no unit "newton"'),
        ("heavy", "kg", "is not a number with a unit"),
        ("", "kg", "is not a number"),
        ("5 m*", "m", "is not a unit"),
        ("5 m^", "m", "is not a unit"),
        ("5 m^99", "m", "is not a unit"),
        ("5 N/m s", "N/m/s", "ambiguous"),
        ("1e999 m", "m", "too large or too small"),
        ("1e309 km", "m", "too large"),
        ("1e-999999999999 m", "m", "too large or too small"),
        ("9" * 81 + " m", "m", r"characters\) is not a number"),
        ("5 kkg", "kg", "no unit"),
        ("nan m", "m", "is not a number"),
        ("inf", "1", "is not a number"),
        ("0x10 m", "m", "no unit"),
        ("1_0 m", "m", "is not a unit"),
        ("५ m", "m", "is not a number"),
        ("5 m\n", "s", "wrong unit"),
        ("5 kgs", "kg", 'or "kg"'),
    ],
)
def test_wrong_texts_say_what_is_wrong(text, unit, words):
    with pytest.raises(UnitError, match=words):
        in_si(text, unit)


@given(st.text(max_size=100))
def test_any_text_is_a_finite_number_or_an_error(text):
    for unit in ("1", "m", "N m/rad"):
        try:
            assert math.isfinite(in_si(text, unit))
        except UnitError:
            pass


def declarations():
    """Every declaration that a file can hold."""
    left, found = list(elements.sections().values()), set()
    while left:
        for kind in elements.types_of(left.pop()).values():
            if kind not in found:
                found.add(kind)
                left += [f.family for f in elements.fields_of(kind).values() if f.family]
    return sorted(found, key=str)


@pytest.mark.parametrize("kind", [*declarations(), Model, Options], ids=lambda kind: kind.__name__)
def test_every_field_with_numbers_has_said_its_unit(kind):
    """A new field fails here until it has a line in quantities.py; None is an answer."""
    family = QUANTITIES[kind.__module__.rpartition(".")[2]]
    for name, field in elements.fields_of(kind).items():
        if field.kind == elements.NUMBER or field.number_too:
            assert name in family or f"{kind.__name__}.{name}" in family, f"{kind.__name__}.{name}"


def test_every_unit_that_a_field_expects_is_one():
    for family in QUANTITIES.values():
        for entry in family.values():
            for unit in [entry] if isinstance(entry, str) else entry or ():
                unit_of(unit.replace("P", "m") if unit.startswith("P") else unit)
    assert quantity(Model, "spam") is None


@pytest.mark.parametrize(
    ("key", "unit"),
    [
        ("x", "m"),
        ("vz", "m/s"),
        ("theta", "rad"),
        ("omega_body", "rad/s"),
        ("angle2_rate", "rad/s"),
        ("shift1", "m"),
        ("shift_rate", "m/s"),
        ("qw", "1"),
        ("q", "1"),
        ("mass", None),
        ("_rate", None),
    ],
)
def test_the_units_of_a_start(key, unit):
    assert start_quantity(key) == unit
