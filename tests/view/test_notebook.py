"""What notebooks show: tables and pictures in which names are only text, and a run inside a frame or in the browser."""

import sys
import types
import xml.etree.ElementTree as ET

import pytest

import routh as rt
from made_results import HOSTILE, made
from routh import joints, shapes


def test_a_model_shows_its_elements():
    disk, floor = shapes.Disk("ball", radius=0.03), shapes.HalfSpace("ground", normal=(0.0, 1.0))
    model = rt.Model(
        name=HOSTILE,
        space="planar",
        gravity=(0.0, -9.81),
        bodies=[rt.Body("ball", 0.16, 5.8e-5), rt.Body("rod", 1.0, 1.0)],
        joints=[joints.Revolute("pin", "ground", "rod", point_b=(0.0, 1.0))],
        contacts=[rt.Contact("bounce", disk, floor, law=rt.Stronge(e=0.8, mu=0.3))],
    )
    text = model._repr_html_()
    assert "Stronge(e = 0.8, mu = 0.3)" in text
    assert "point_b = (0, 1)" in text
    assert "<script>" not in text


def test_a_result_shows_its_picture_and_its_account():
    result = made(name=HOSTILE)
    text = result._repr_html_()
    assert "energy account [J]" in text
    assert "<svg" in text
    assert "<script>" not in text
    ET.fromstring(result._repr_svg_())


def test_a_result_without_a_declaration_still_shows_its_numbers():
    result = made()
    result.declaration = {}
    assert "energy account" in result._repr_html_()
    assert result._repr_svg_() is None


@pytest.mark.parametrize(
    ("A", "v"),
    [([[2.5, -1.5], [-1.5, 2.5]], [-1.0, 0.1]), ([[2.0, 0.1, 0.0], [0.1, 3.0, 0.2], [0.0, 0.2, 2.5]], [-1.0, 0.4, 0.2])],
)
def test_an_impact_shows_its_diagram_and_numbers(A, v):
    hit = rt.resolve_impact(A, v, rt.Poisson(e=0.5, mu=0.3))
    assert hit.kind.label in hit._repr_html_()
    ET.fromstring(hit._repr_svg_())


def test_show_opens_the_browser_from_a_script(monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    path = rt.show(made())
    assert opened == [path.as_uri()]
    assert "Content-Security-Policy" in path.read_text()


def test_show_stands_inside_a_notebook(monkeypatch):
    shown = []
    shell = types.SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "IPython.display", types.SimpleNamespace(HTML=lambda text: text, display=shown.append))
    assert rt.show(made(name=HOSTILE)) is None
    assert shown[0].startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in shown[0]
    assert "<script>" not in shown[0]
