"""The timing models are mechanisms too: a chain keeps its energy, a free ring falls as one body would."""

import numpy as np
import pytest

import routh as rt
from routh.gallery import chain, ring


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_a_swinging_chain_keeps_its_energy(space):
    total = chain.run(12, space, t_end=2.0).energy["total"]
    assert np.abs(total - total[0]).max() < 1e-6 * np.abs(total).max()  # default tolerance 1e-8


def test_a_planar_chain_is_a_spatial_chain_with_parallel_hinges():
    planar = chain.model(6)
    spatial = chain.model(6, "spatial").replace({f"pin{i}.axis": (0.0, 0.0, 1.0) for i in range(6)})
    a, b = (rt.evaluate(model, chain.start(6)) for model in (planar, spatial))
    for i in range(6):
        assert a[f"link{i}.ax"][0] == pytest.approx(b[f"link{i}.ax"][0], abs=1e-10)
        assert a[f"link{i}.alpha"][0] == pytest.approx(b[f"link{i}.alphaz"][0], abs=1e-10)


def test_a_closed_ring_of_n_links_has_n_freedoms():
    report = rt.degrees_of_freedom(ring.model(9), ring.start(9))
    assert report.freedom == 9


def test_the_centre_of_a_free_ring_falls_with_gravity():
    result = ring.run(12, t_end=0.5)
    height = np.mean([result[f"link{i}.y"] for i in range(12)], axis=0)
    np.testing.assert_allclose(height, -0.5 * ring.GRAVITY * result.t**2, atol=1e-8)
