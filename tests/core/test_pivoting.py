"""Complementary pivoting: every condition on redundant problems, of which a solution always exists."""

import numpy as np
import pytest

from contact_space import blocks, plane_rows, random_problem, space_rows
from routh.core.contact.complementarity import accept
from routh.core.contact.pivoting import pivot_modes
from routh.core.tables.layout import OPEN, SLIP, STICK
from routh.core.tables.runs import SIZE, new_solver

CLOSE = 1e-9  # some dozens of pivots on entries about 1, the least of which is SMALL: round-off over 1e-7


def pivoted(A, b, block):
    """(whether it ended, λ); modes are in `block`."""
    solver, lam, a = new_solver(len(b)), np.zeros(len(b)), np.zeros(len(b))
    return pivot_modes(solver, A, b, block, 0.0, lam, a, solver.spare[SIZE]), lam


def assert_coulomb(A, b, block, lam):
    """Every condition, against the largest force and acceleration."""
    a = A @ lam + b
    for c in block:
        f = c["first"]
        an, at, ln, lt = a[f], a[f + 1], lam[f], lam[f + 1]
        acceleration = CLOSE * np.abs(b).max()
        force = max(CLOSE * np.abs(lam).max(), acceleration / np.diag(A).max())
        assert an >= -acceleration
        assert ln >= c["base"] - force
        assert abs(lt) <= c["mu"] * ln + force
        assert abs(an) <= acceleration or abs(ln - c["base"]) <= force
        assert abs(at) <= acceleration or abs(lt + c["mu"] * ln * np.sign(at)) <= force
        assert (c["mode"] == OPEN) == (c["closed"] == 0 and c["base"] == 0.0)


@pytest.mark.parametrize("rank", [0.3, 0.6, 1.2])
@pytest.mark.parametrize("count", [2, 6, 15])
def test_what_can_be_solved_is_solved(count, rank):
    rng = np.random.default_rng(count)
    for _ in range(20):
        J, f = random_problem(rng, [2] * count, max(3, int(rank * 2 * count)), spread=2.0)
        A, b = J @ J.T, J @ f
        block = blocks([2] * count, rng.uniform(0.0, 2.0, count))
        block["base"] = rng.choice([0.0, 1.0], count) * rng.random(count)
        ended, lam = pivoted(A, b, block)
        assert ended
        assert_coulomb(A, b, block, lam)


def test_a_block_on_many_feet_holds_up_to_its_friction_and_slides_beyond():
    points = [(x, -0.5) for x in np.linspace(-1.0, 1.0, 9)]
    J = plane_rows(points)
    for push, mode in ((0.49, STICK), (0.51, SLIP)):
        block = blocks([2] * 9, 0.5)
        ended, lam = pivoted(J @ J.T, J @ np.array([push, -1.0, 0.0]), block)
        assert ended
        assert lam[::2].sum() == pytest.approx(1.0, rel=CLOSE)
        assert set(block["mode"][block["closed"] == 1]) == {mode}


def test_contacts_that_hang_in_the_air_stay_open():
    J = plane_rows([(-1.0, -0.5), (1.0, -0.5)])
    block = blocks([2, 2], 0.5)
    ended, lam = pivoted(J @ J.T, J @ np.array([0.0, 1.0, 0.0]), block)
    assert ended
    assert not lam.any()
    assert (block["mode"] == OPEN).all()


def test_in_space_its_modes_lead_to_a_solution():
    rng = np.random.default_rng(3)
    for _ in range(40):
        count = int(rng.integers(2, 9))
        J, f = random_problem(rng, [3] * count, max(3, int(rng.choice([0.4, 0.7, 1.3]) * 3 * count)), spread=2.0)
        A, b, block = J @ J.T, J @ f, blocks([3] * count, rng.uniform(0.0, 1.0, count))
        solver, lam, a = new_solver(len(b)), np.zeros(len(b)), np.zeros(len(b))
        assert pivot_modes(solver, A, b, block, 0.0, lam, a, solver.spare[SIZE])
        assert accept(solver, A, b, block, lam, a)


def test_a_box_pushed_askew_on_many_feet_slides_along_a_direction_between_those_of_the_pyramid():
    J = space_rows([(x, y, 0.0) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)])
    push = np.array([np.cos(0.2), np.sin(0.2)])
    block = blocks([3] * 9, 0.5)
    A, b = J @ J.T, J @ np.array([*push, -1.0, 0.0, 0.0, 0.0])
    solver, lam, a = new_solver(len(b)), np.zeros(len(b)), np.zeros(len(b))
    assert pivot_modes(solver, A, b, block, 0.0, lam, a, solver.spare[SIZE])
    assert accept(solver, A, b, block, lam, a)
    slides = block[block["closed"] == 1]
    assert set(slides["mode"]) == {SLIP}
    assert slides["wx"] == pytest.approx([push[0]] * len(slides), abs=1e-12)
    assert slides["wy"] == pytest.approx([push[1]] * len(slides), abs=1e-12)
    assert [lam[1::3].sum(), lam[2::3].sum()] == pytest.approx(-0.5 * push, abs=1e-12)
