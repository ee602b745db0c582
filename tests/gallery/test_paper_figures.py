"""Figures of the papers in motion: every panel has data, labels and a title."""

import importlib

import pytest

from routh.view import impact_figures


@pytest.mark.parametrize("name", ["park", "kim", "shin", "sliding_rod"])
def test_every_panel_is_drawn_and_labelled(name, monkeypatch, tmp_path):
    drawn = []
    monkeypatch.setattr(impact_figures, "save", lambda figure, folder, stem: drawn.append(figure) or [folder / stem])
    paths = importlib.import_module(f"routh.gallery.{name}").figures(tmp_path)
    assert len(paths) == len(drawn) > 0
    for axes in (axes for figure in drawn for axes in figure.axes):
        assert axes.has_data()
        assert axes.get_title()
        assert axes.get_xlabel()
        assert axes.get_ylabel()
