"""Andrews' squeezing mechanism against the published reference values of the IVP test set."""

import json
from pathlib import Path

import numpy as np
import pytest

import routh as rt
from routh.gallery import andrews

SHARP = rt.Options(rtol=1e-10, atol=1e-12)
DATA = Path(__file__).parents[3] / "shared" / "data" / "andrews.json"
pytestmark = pytest.mark.skipif(not DATA.exists(), reason="published data, not ours to ship: no shared/data here")


@pytest.fixture(scope="module")
def published():
    return json.loads(DATA.read_text())


def test_the_names_of_the_angles_are_the_published_ones(published):
    assert list(andrews.ANGLES) == published["order"]


def test_the_published_initial_angles_close_all_three_loops(published):
    start = andrews.start(published["initial"])
    model = andrews.model(published["parameters"])
    assembled = rt.evaluate(model, rt.assemble(model, start))
    # 30 digits are published: round-off
    np.testing.assert_allclose(andrews.angles(assembled)[0], published["initial"], atol=1e-13)


def test_there_is_one_degree_of_freedom(published):
    model, start = andrews.model(published["parameters"]), andrews.start(published["initial"])
    report = rt.degrees_of_freedom(model, start)
    assert report.freedom == 1
    assert not report.redundant


def test_the_seven_angles_after_thirty_milliseconds_are_the_published_ones(published):
    result = andrews.run(published["parameters"], published["initial"], options=SHARP)
    assert result.t[-1] == 0.03
    # the reference was computed to about 1e-14; the flow amplifies our 1e-10 by some thousand
    np.testing.assert_allclose(andrews.angles(result)[-1], published["at_0.03"], atol=1e-6)


def test_the_energy_gained_is_the_work_of_the_drive(published):
    result = andrews.run(published["parameters"], published["initial"], options=SHARP)
    work = published["parameters"]["mom"] * (result["pinO.angle"] - result["pinO.angle"][0])
    gained = result.energy["total"] - result.energy["total"][0]
    np.testing.assert_allclose(gained, work, atol=1e-6 * work.max())
