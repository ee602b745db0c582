"""The gallery of compliant laws: its claims hold, and its figure is drawn."""

from routh.gallery import compliant_impact


def test_claims_hold():
    for claim in compliant_impact.claims():
        assert claim.holds, f"{claim.claim}: published {claim.published}, computed {claim.computed}"


def test_the_figure_is_drawn(tmp_path):
    assert all(path.stat().st_size > 10_000 for path in compliant_impact.figures(tmp_path))
