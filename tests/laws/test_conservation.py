"""What motion must keep: energy, momentum, constraints, the plane, and the way back."""

import numpy as np
import pytest

import measured
import routh as rt
from random_mechanisms import Mechanism, draw_until, embedded, settled
from reference import momentum

TIGHT = {"rtol": 1e-11, "atol": 1e-12}
spaces = pytest.mark.parametrize("space", ["planar", "spatial"])
shapes = pytest.mark.parametrize("loops", [0, 1], ids=["tree", "loop"])
seeds = pytest.mark.parametrize("seed", range(8))
T_END = 0.5
REGULAR = 0.03  # smallest singular value at the start: far from dead points, where no motion is unique


def run(m, t_end=T_END, start=None, **options):
    return rt.simulate(m.model, start or m.start, t_end, options=rt.Options(**(TIGHT | options)))


def energies(result, model):
    """Kinetic plus potential energy at every sample, by the reference."""
    solved = [measured.dense(result, model, i).solve() for i in range(len(result.t))]
    return np.array([s.kinetic + s.potential for s in solved]), solved


@seeds
@shapes
@spaces
def test_energy_stays_where_nothing_dissipates(space, loops, seed):
    m = draw_until(seed, space, n_bodies=4, loops=loops, couplings=1, conservative=True, at=0.0, regular=REGULAR)
    result = run(m, output=0.1)
    E, solved = energies(result, m.model)
    scale = max(s.kinetic for s in solved) + abs(E[0])
    assert np.ptp(E) <= 1e-8 * scale  # rtol 1e-11 over some hundred steps, amplified by the motion
    assert result.energy["total"] == pytest.approx(E, abs=1e-10 * scale)


@seeds
@shapes
@spaces
def test_energy_changes_by_the_work_of_forces_and_drives(space, loops, seed):
    m = draw_until(seed, space, n_bodies=4, loops=loops, drivers=1, at=0.0, regular=REGULAR, smooth=True, laws=seed == 0)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    times = np.concatenate([[0.0], 0.5 * T_END * (nodes + 1.0), [T_END]])
    result = run(m, output=times)
    E, solved = energies(result, m.model)
    scale = max(s.kinetic for s in solved) + np.abs(E).max()

    def work(name):
        return 0.5 * T_END * weights @ [s.power[name] for s in solved[1:-1]]

    done = {"applied": work("applied"), "dissipated": -work("dissipated"), "drive": work("drive")}
    # 60 Gauss points follow the fastest of these motions to 1e-9
    assert E[-1] - E[0] == pytest.approx(sum(done.values()), abs=1e-8 * scale)
    for name, value in done.items():
        assert result.energy[name][-1] - result.energy[name][0] == pytest.approx(value, abs=1e-7 * scale)
    assert result.energy["error"] == pytest.approx(0.0, abs=1e-7 * scale)


@seeds
@shapes
@spaces
def test_a_mechanism_afloat_keeps_its_momentum_and_moment_of_momentum(space, loops, seed):
    m = draw_until(seed, space, n_bodies=4, loops=loops, grounded=False, conservative=True, at=0.0, regular=REGULAR)
    result = run(m, output=0.1)
    found = [
        np.concatenate(
            [
                np.atleast_1d(x)
                for x in momentum(m.model, measured.poses(result, m.model, i), measured.velocities(result, m.model, i))
            ]
        )
        for i in range(len(result.t))
    ]
    assert np.ptp(found, axis=0).max() <= 1e-8 * max(1.0, np.abs(found).max())


@seeds
@shapes
@spaces
def test_a_motion_with_its_speeds_reversed_runs_back_to_its_start(space, loops, seed):
    m = draw_until(seed, space, n_bodies=3, loops=loops, conservative=True, at=0.0, regular=REGULAR)
    there = run(m)
    end = measured.poses(there, m.model), -measured.velocities(there, m.model)
    back = run(settled(Mechanism(m.model, 0.0, *end, measured.coordinates(there, m.model), {})))
    assert measured.poses(back, m.model)[:, :2] == pytest.approx(m.poses[:, :2], abs=1e-8)
    assert measured.velocities(back, m.model) == pytest.approx(-m.velocities, abs=1e-7)


@shapes
@spaces
def test_a_run_goes_on_from_the_state_where_another_ended(space, loops):
    m = draw_until(11, space, n_bodies=4, loops=loops, conservative=True, at=0.0, regular=REGULAR)
    first = run(m, 0.5 * T_END)
    whole, rest = run(m), run(m, 0.5 * T_END, start=first.state())
    assert measured.poses(rest, m.model) == pytest.approx(measured.poses(whole, m.model), abs=1e-9)


@seeds
@shapes
def test_a_planar_mechanism_moves_in_space_as_it_does_in_the_plane(loops, seed):
    flat = draw_until(
        seed,
        "planar",
        n_bodies=4,
        loops=loops,
        drivers=1,
        couplings=1,
        at=0.0,
        regular=REGULAR,
        laws=False,
        without=("PinInSlot",) if loops else (),
    )
    solid = embedded(flat)
    plane, space = run(flat), run(solid)
    found, expected = measured.velocities(space, solid.model), measured.velocities(plane, flat.model)
    scale = max(1.0, np.abs(expected).max())
    assert measured.poses(space, solid.model)[:, :2] == pytest.approx(
        measured.poses(plane, flat.model)[:, :2], abs=1e-8 * scale
    )
    assert found[:, [0, 1, 5]] == pytest.approx(expected, abs=1e-7 * scale)
    assert found[:, 2:5] == pytest.approx(0.0, abs=1e-9 * scale)


@seeds
@spaces
@pytest.mark.parametrize("output", [None, 0.05], ids=["steps", "dense"])
def test_joints_and_drivers_hold_at_every_sample(space, output, seed):
    m = draw_until(seed, space, n_bodies=5, loops=2, drivers=1, couplings=1, at=0.0, regular=REGULAR, laws=False)
    result = rt.simulate(m.model, m.start, T_END, options=rt.Options(output=output))
    for i in np.unique(np.linspace(0, len(result.t) - 1, 25).astype(int)):
        dense = measured.dense(result, m.model, i)
        assert np.abs(dense.phi).max(initial=0.0) <= 1e-10  # the drift the engine promises
        assert np.abs(dense.phi_rate).max(initial=0.0) <= 1e-10 * max(1.0, np.abs(dense.V).max())
