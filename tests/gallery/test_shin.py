"""Claims of the tracked vehicle: all hold but the printed sign of friction, and what is designed in says so."""

import pytest

from routh.gallery import shin


@pytest.fixture(scope="module")
def claims():
    """Every claim, computed once."""
    return shin.claims()


def test_all_claims_hold_but_the_printed_sign_of_friction(claims):
    failing = [claim for claim in claims if not claim.holds]
    assert [claim.claim for claim in failing] == ["friction as printed, F_x = -mu F_y: speed at 5 s, m/s"]
    assert failing[0].computed == pytest.approx(-4.9, abs=0.05)  # mu g for five seconds
    assert "one sign for ever" in failing[0].note


def test_what_was_designed_in_says_so(claims):
    designed = {claim.claim.partition(":")[0] for claim in claims if claim.note.startswith("designed in")}
    assert designed == {"bodies with the ground, and links of the track", "Fig 6", "Fig 7", "Fig 10"}
    free = next(claim for claim in claims if "mu g" in claim.claim)
    assert "designed" not in free.note
