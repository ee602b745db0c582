"""A bolt that slides down two rails by its head."""

from routh.gallery import bolt_feeder as bolt


def test_the_claims_hold():
    for claim in bolt.claims():
        assert claim.holds, claim


def test_the_head_reaches_farther_than_friction_tips():
    chord = (bolt.HEAD**2 - (0.5 * bolt.SLOT) ** 2) ** 0.5
    assert 0.6 * bolt.DEPTH < chord


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 1000 for path in bolt.figures(tmp_path))
