"""Two bodies in space with one declared contact, moved by hand: what the tests of spatial gaps share."""

from dataclasses import dataclass

import numpy as np
from gap_calls import gap
from scipy.spatial.transform import Rotation

from routh.compiler.pairs import gaps_of
from routh.core.tables import layout


@dataclass
class Scene:
    """Poses are (x, R); body 0 has the first declared shape, body 1 the second."""

    system: layout.SpatialSystem
    work: layout.SpatialWork
    swapped: list

    @property
    def n(self):
        return self.system.contact.size

    def place(self, *poses):
        for frame, (x, R) in zip(self.work.frame, poses, strict=True):
            frame["x"], frame["R"] = x, R

    def touch(self, i):
        """Gap i as the kernel writes it."""
        gap(self.system, self.work, i)
        return self.work.touch[i]

    def gaps(self, *poses):
        self.place(*poses)
        return np.array([float(self.touch(i)["g"]) for i in range(self.n)])


def scene(a, b):
    """The elementary gaps of a pair as the compiler would table them, for bodies whose joint point is their origin."""
    specs = gaps_of("spatial", a, b)
    contact, vertex = np.zeros(len(specs), layout.CONTACT), [np.zeros((0, 3))]
    rows = 0
    for c, s in zip(contact, specs, strict=True):
        c["kind"], c["a"], c["b"], c["size"] = s.kind, int(s.swapped), 1 - int(s.swapped), s.size
        for side, part in (("a", s.vertices_a), ("b", s.vertices_b)):
            for field in ("point", "turn", "size", "reach"):
                c[f"{field}_{side}"] = getattr(s, f"{field}_{side}")
            vertex.append(part)
            c[f"first_{side}"], c[f"last_{side}"] = rows, rows + len(part)
            rows += len(part)
    tables = {name: np.zeros((0,) * axes, dtype) for name, (dtype, axes) in layout.SpatialSystem.fields.items()}
    tables |= {"contact": contact, "vertex": np.concatenate(vertex), "world": np.zeros(1, layout.WORLD),
               "node": np.zeros(2, layout.SPATIAL_NODE)}
    system = layout.SpatialSystem(**tables)
    return Scene(system, layout.new_work(system), [s.swapped for s in specs])


def random_pose(rng, spread=1.0):
    return spread * rng.standard_normal(3), Rotation.random(random_state=rng).as_matrix()


def moved(pose, v, w, dt):
    """The pose after a time dt at constant velocities of its origin and of its rotation, both in world axes."""
    return pose[0] + dt * v, Rotation.from_rotvec(dt * w).as_matrix() @ pose[1]
