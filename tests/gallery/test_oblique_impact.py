"""Measured oblique impacts of a sphere against the law with a compliant tangent."""

import numpy as np
import pytest

from routh.errors import ModelError
from routh.gallery import oblique_impact

try:
    oblique_impact.data()
except ModelError as missing:
    ABSENT = str(missing)
else:
    ABSENT = ""
present = pytest.mark.skipif(bool(ABSENT), reason=ABSENT)


@present
def test_material_data_alone_meet_the_measured_rebounds():
    assert oblique_impact.rms(oblique_impact.compliant()) < 1.10  # measured angles scatter by about a degree
    assert oblique_impact.rms(oblique_impact.rigid()) > 2.8
    assert 0.95 < oblique_impact.floor_of_errors() < 1.0


@present
def test_the_contact_point_comes_back_where_it_was_measured_to():
    angles, found = oblique_impact.measured()
    back = np.array([oblique_impact.rebound(a, oblique_impact.compliant()) for a in angles]) < 0.0
    assert back.tolist() == (found < 0.0).tolist()


@present
def test_the_figure_is_drawn(tmp_path):
    (file,) = oblique_impact.figures(tmp_path)
    assert file.stat().st_size > 10_000


def test_missing_data_are_named(tmp_path):
    with pytest.raises(ModelError, match="not part of this library"):
        oblique_impact.data(tmp_path / "none.json")
