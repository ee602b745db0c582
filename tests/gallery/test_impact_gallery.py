"""Every claim of the impact papers and puzzles holds, or says why not; every figure is drawn."""

import importlib

import pytest

from routh.gallery.claims import Claim

MODULES = [
    "han_rod",
    "han_cho",
    "six_theories",
    "kane_pendulum",
    "rod_45",
    "painleve_rod",
    "sphere_threshold",
]
NOT_REPRODUCED = {
    "eq 35: P_zs diverges for A > 2A' or A < A'/2",
    "the loss falls with e, however small the step",
}


@pytest.mark.parametrize("name", MODULES)
def test_the_claims_hold(name):
    claims = importlib.import_module(f"routh.gallery.{name}").claims()
    assert claims
    for claim in claims:
        assert claim.holds == (claim.claim not in NOT_REPRODUCED), claim
        assert not claim.fails


@pytest.mark.parametrize("name", MODULES)
def test_the_figures_are_written_as_vectors_and_pixels(name, tmp_path):
    paths = importlib.import_module(f"routh.gallery.{name}").figures(tmp_path)
    assert {path.suffix for path in paths} == {".svg", ".png"}
    assert all(path.stat().st_size > 1000 for path in paths)


def test_a_claim_compares_numbers_texts_and_lists():
    assert Claim("x", "number", 1.0, 1.05, 0.1).holds
    assert not Claim("x", "number", 1.0, 1.2, 0.1).holds
    assert not Claim("x", "shape", [1.0, 2.0], [1.0], 0.1).holds
    assert Claim("x", "list", ["a", "b"], ["a", "b"]).holds
    assert not Claim("x", "text", 1.0, "one").holds
    assert not Claim("x", "text", "one", "two").holds
