"""Results made of numbers alone, for tests of what is shown of them: no kernel runs."""

import hashlib

import numpy as np

import routh as rt
from routh.sim.declaration import declaration_of
from routh.sim.result import Energy, Result

HOSTILE = '"><script>alert(1)</script>'


def made(n_body=1, n=200, space="planar", name="made"):
    """A result of numbers alone: bodies on circles, with a jump of the speeds in the middle."""
    planar = space == "planar"
    inertia = 1.0 if planar else (1.0, 1.0, 1.0)
    model = rt.Model(name=name, space=space, bodies=[rt.Body(f"b{i}", 1.0, inertia) for i in range(n_body)])
    t = np.insert(np.linspace(0.0, 1.0, n - 1), n // 2, np.linspace(0.0, 1.0, n - 1)[n // 2])
    channels = {}
    for i in range(n_body):
        columns = (
            {"x": np.cos(t + i), "y": np.sin(t + i), "theta": t}
            if planar
            else {"x": np.cos(t), "y": np.sin(t), "z": t, "qw": np.cos(t), "qx": np.sin(t), "qy": 0 * t, "qz": 0 * t}
        )
        columns |= {
            k: np.where(np.arange(n) <= n // 2, 0.0, 1.0)
            for k in (
                ("vx", "vy", "omega", "ax", "ay", "alpha")
                if planar
                else ("vx", "vy", "vz", "wx", "wy", "wz", "ax", "ay", "az", "alphax", "alphay", "alphaz")
            )
        }
        channels |= {f"b{i}.{k}": (v, "m") for k, v in columns.items()}
    energy = Energy(np.ones(n), np.zeros(n), np.zeros((n, 5)))
    return Result(
        t=t,
        channels=channels,
        energy=energy,
        status="finished",
        space=space,
        model=name,
        declaration=declaration_of(model, rt.Options()),
    )


def sealed(path):
    """Give a file that was changed the digest that `load` wants, as one who means harm would."""
    content = path.read_bytes()
    content = content[:-79] if content[-79:].startswith(b"\nrouth-sha256 ") else content
    path.write_bytes(content + f"\nrouth-sha256 {hashlib.sha256(content).hexdigest()}\n".encode())
    return path
