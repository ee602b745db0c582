"""Variants of Siconos's friction problems and random stacks, walls and heaps: which of them does `solve_friction` not solve?

`python tests/friction_variants.py 16 --first 0` takes 16 seeds. A seed disturbs every problem once (contacts permuted or left
out, tangents turned, other units, b and mu changed) and makes 20 problems of its own (mass ratios up to 1e6, mu 1e-4 to 10).
Each problem that does not converge, or takes more than 1 s of CPU, is printed; a table of all comes last.
"""

import argparse
import time
from pathlib import Path

import numpy as np
from scipy import sparse

import routh as rt

DATA = Path(__file__).parents[2] / "shared" / "data" / "friction_contact"
LEFT_OUT = ("RockPile_tob1", "fc2d_granularflowonwall_02020_00213")  # need not be solved even undisturbed
LARGE = "fc2d_granularflowonwall_07002_00801"                         # taken with every fourth seed


def load(path):
    """(A, b, mu, d) of a file."""
    data = np.load(path)
    d, n = int(data["dim"]), int(data["dim"] * data["nc"])
    A = sparse.csr_matrix((data["W_data"], data["W_indices"], data["W_indptr"]), shape=(n, n))
    return A, data["q"].astype(float), np.broadcast_to(data["mu"], int(data["nc"])).astype(float), d


def disturbed(A, b, mu, d, rng):
    """(A, b, mu, d, what was done)."""
    n, done = mu.size, []
    kept = rng.permutation(n)
    if rng.random() < 0.5 and n > 3:
        kept = kept[: int(rng.integers(max(2, n // 4), n))]
        done.append(f"{kept.size} of {n}")
    rows = (d * kept[:, None] + np.arange(d)).ravel()
    A, b, mu, n = A[rows][:, rows].tocsr(), b[rows], mu[kept], kept.size
    if d == 3 and rng.random() < 0.6:
        angle, turn = rng.uniform(0.0, 2.0 * np.pi, n), np.zeros((n, 3, 3))
        turn[:, 0, 0], turn[:, 1, 1], turn[:, 2, 2] = 1.0, np.cos(angle), np.cos(angle)
        turn[:, 1, 2], turn[:, 2, 1] = -np.sin(angle), np.sin(angle)
        R = sparse.bsr_matrix((turn, np.arange(n), np.arange(n + 1))).tocsr()
        A, b = (R @ A @ R.T).tocsr(), R @ b
        done.append("turned")
    if rng.random() < 0.7:
        unit_p, unit_v = 10.0 ** rng.uniform(-3.0, 3.0, 2)
        A, b = A * (unit_v / unit_p), b * unit_v
        done.append(f"units {unit_p:.0e} {unit_v:.0e}")
    if rng.random() < 0.5:
        push = A @ rng.normal(size=b.size)
        b = b + 0.1 * np.linalg.norm(b) / max(np.linalg.norm(push), 1e-300) * push
        done.append("b")
    if rng.random() < 0.5:
        mu = mu * rng.uniform(0.3, 2.0, n)
        done.append("mu")
    return A, b, mu, d, ", ".join(done)


def made(rng):
    """(A, b, mu, d, what it is): bodies on four or two feet in stacks and walls, or touching at random places."""
    d, count, ratio = int(rng.choice([2, 3])), int(rng.integers(2, 60)), 10.0 ** rng.uniform(0.0, 6.0)
    kind, dof = str(rng.choice(["stack", "wall", "chain", "heap"])), 3 if d == 2 else 6
    mass = np.where(np.arange(count) == count - 1, ratio, 1.0)
    if rng.random() < 0.6:
        mass = 10.0 ** rng.uniform(0.0, np.log10(ratio), count)
    up, blocks = np.eye(d)[1], []

    def touch(first, second, normal, at_first, at_second):
        side = np.cross(normal, np.eye(3)[int(abs(normal[0]) > 0.9)]) if d == 3 else None
        frame = np.array([normal, [-normal[1], normal[0]]] if d == 2 else
                         [normal, side / np.linalg.norm(side), np.cross(normal, side / np.linalg.norm(side))])
        J = np.zeros((d, dof * count))
        for body, r, sign in ((first, at_first, 1.0), (second, at_second, -1.0)):
            if body >= 0:
                spin = np.array([[-r[1]], [r[0]]]) if d == 2 else np.cross(np.eye(3), r).T
                J[:, dof * body: dof * body + dof] += sign * np.hstack([frame, frame @ spin])
        blocks.append(J)

    for i in range(count):
        if kind in ("stack", "wall"):
            below = max(-1, i - (1 if kind == "stack" else int(rng.integers(1, 4))))
            for foot in ([(-0.5, -0.5), (0.5, -0.5)] if d == 2 else [(x, -0.5, z) for x in (-0.5, 0.5) for z in (-0.5, 0.5)]):
                touch(i, below, up, np.array(foot), np.array(foot) + up)
        else:
            for j in [i - 1] if kind == "chain" else rng.integers(-1, count, size=int(rng.integers(1, 5))):
                normal = rng.normal(size=d)
                normal /= np.linalg.norm(normal)
                if j != i:
                    touch(i, int(j), normal, -0.5 * normal, 0.5 * normal)
    if not blocks:
        return made(rng)
    J = np.vstack(blocks)
    inverse = np.repeat(1.0 / mass, dof).reshape(count, dof)
    inverse[:, d:] *= 5.0
    speed = np.tile(np.eye(dof)[1] * -0.0981, count)
    if rng.random() < 0.6:
        speed = speed + rng.normal(size=speed.size) * 10.0 ** rng.uniform(-3.0, 0.5)
    mu = np.full(len(blocks), 10.0 ** rng.uniform(-4.0, 1.0)) if rng.random() < 0.4 else rng.uniform(0.05, 1.2, len(blocks))
    return (sparse.csr_matrix(J * inverse.ravel() @ J.T), J @ speed, mu, d,
            f"{kind} of {count}, d = {d}, mass ratio {ratio:.0e}, mu up to {mu.max():.1e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("seeds", type=int)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="", help="part of the names to take; `made` for those that are not Siconos's")
    chosen = parser.parse_args()
    table = {}
    for seed in range(chosen.first, chosen.first + chosen.seeds):
        rng, problems = np.random.default_rng(seed), []
        for path in sorted(DATA.glob("*.npz")):
            if path.stem not in LEFT_OUT and not (path.stem == LARGE and seed % 4):
                problems.append((path.stem, *disturbed(*load(path), rng)))
        problems += [("made", *made(rng)) for _ in range(20)]
        for name, A, b, mu, _, done in problems:
            if chosen.only not in name:
                continue
            began = time.process_time()
            found = rt.solve_friction(A, b, mu)
            seconds = time.process_time() - began
            row = table.setdefault(name, [0, 0, 0.0])
            row[0], row[1], row[2] = row[0] + 1, row[1] + found.converged, row[2] + seconds
            if not found.converged or seconds > 1.0:
                print(f"{'slow' if found.converged else 'open'} seed {seed} {name} ({done}), {mu.size} contacts: "
                      f"{found.residual:.1e} {seconds:.2f} s", flush=True)
    for name, (count, solved, seconds) in table.items():
        print(f"{name:40s} {solved:4d} of {count:4d} solved, {seconds:.2f} s")


if __name__ == "__main__":
    main()
