"""The claims of chute_flow hold, and its figure is drawn."""

from routh.gallery import chute_flow


def test_the_claims_hold():
    for claim in chute_flow.claims():
        assert claim.holds, claim


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in chute_flow.figures(tmp_path))
