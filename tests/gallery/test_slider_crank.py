"""The slider-crank under a gas pulse: its account closes, and its figure is drawn."""

import numpy as np

from routh.gallery import slider_crank


def test_the_account_closes_and_the_loop_stays_shut():
    result = slider_crank.run()
    energies = [np.abs(result.energy[name]).max() for name in ("kinetic", "drive", "applied", "dissipated")]
    assert np.abs(result.energy["error"]).max() < 1e-7 * max(energies)
    assert result.statistics["worst_drift"] < 1e-10


def test_the_figure_is_drawn(tmp_path):
    for path in slider_crank.figures(tmp_path):
        assert path.stat().st_size > 20_000
