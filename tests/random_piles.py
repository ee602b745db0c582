"""Random piles for the stepping engine: bodies of many shapes dropped into a box or a funnel. `draw(seed, n, kind, space)`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

import routh as rt
from routh import shapes

G = 9.81
KINDS = ("balls", "boxes", "mixed")


@dataclass(frozen=True)
class Pile:
    """A model of one contact group, a start without overlap, and the size that its bodies have."""

    model: rt.Model
    start: rt.State
    size: float
    law: rt.model.laws.ImpactLaw

    def run(self, t_end, step=1e-3, **options):
        return rt.simulate(self.model, self.start, t_end, options=rt.Options(engine="stepping", step=step, **options))


def spatial_shape(rng, name, kind, size):
    """A shape that a ball of radius `size` holds, and its (mass, inertia)."""
    mass = rng.uniform(0.5, 2.0) * 1000.0 * size**3
    which = kind if kind != "mixed" else rng.choice(["balls", "boxes", "capsule", "cylinder", "hull"])
    inertia = 0.4 * mass * (0.6 * size) ** 2 * rng.uniform(0.8, 1.2, 3)
    if which == "balls":
        radius = size * rng.uniform(0.5, 1.0)
        return shapes.Sphere(name, radius), mass, np.full(3, 0.4 * mass * radius**2)
    if which == "boxes":
        edges = 2.0 * size / np.sqrt(3.0) * rng.uniform(0.5, 1.0, 3)
        return shapes.Box(name, tuple(edges)), mass, mass / 12.0 * (edges @ edges - edges**2)
    if which == "capsule":
        radius = size * rng.uniform(0.25, 0.5)
        return shapes.Capsule(name, (0.0, 0.0, radius - size), (0.0, 0.0, size - radius), radius), mass, inertia
    if which == "cylinder":
        radius = size * rng.uniform(0.3, 0.7)
        return shapes.Cylinder(name, radius, 1.9 * np.sqrt(size**2 - radius**2), (0.0, 0.0, 1.0)), mass, inertia
    points = rng.normal(size=(10, 3))
    return shapes.Hull(name, size * points / np.linalg.norm(points, axis=1, keepdims=True)), mass, inertia


def planar_shape(rng, name, kind, size):
    """The same in the plane, for its (mass, inertia)."""
    mass = rng.uniform(0.5, 2.0) * 1000.0 * size**2
    which = kind if kind != "mixed" else rng.choice(["balls", "boxes", "capsule", "polygon"])
    if which == "balls":
        radius = size * rng.uniform(0.5, 1.0)
        return shapes.Disk(name, radius), mass, 0.5 * mass * radius**2
    if which == "capsule":
        radius = size * rng.uniform(0.25, 0.5)
        return shapes.Capsule(name, (radius - size, 0.0), (size - radius, 0.0), radius), mass, 0.3 * mass * size**2
    if which == "boxes":
        x, y = size / np.sqrt(2.0) * rng.uniform(0.4, 1.0, 2)
        return shapes.Polygon(name, [(-x, -y), (x, -y), (x, y), (-x, y)]), mass, mass * (x * x + y * y) / 3.0
    angles = np.linspace(0.0, 2.0 * np.pi, int(rng.integers(3, 8)), endpoint=False) + rng.uniform(-0.2, 0.2)
    return shapes.Polygon(name, size * np.column_stack([np.cos(angles), np.sin(angles)])), mass, 0.4 * mass * size**2


def walls(space, width, funnel):
    """Half spaces of the ground: a floor, and walls that are upright or lean outwards."""
    lean = 0.7 if funnel else 0.0
    if space == "planar":
        up = [((0.0, 1.0), (0.0, 0.0))]
        sides = [((-s * np.cos(lean), np.sin(lean)), (s * width, 0.0)) for s in (-1.0, 1.0)]
    else:
        up = [((0.0, 0.0, 1.0), (0.0, 0.0, 0.0))]
        sides = [((-s * np.cos(lean) * (k == 0), -s * np.cos(lean) * (k == 1), np.sin(lean)),
                  (s * width * (k == 0), s * width * (k == 1), 0.0)) for k in (0, 1) for s in (-1.0, 1.0)]
    return [shapes.HalfSpace("ground", normal, point) for normal, point in up + sides]


def draw(seed, n, kind="mixed", space="spatial", size=0.05):
    """n bodies in layers over a box or funnel, turned and thrown at random."""
    rng = np.random.default_rng([seed, n, KINDS.index(kind), space == "spatial"])
    sizes = size * rng.uniform(0.4, 1.0, n)
    law = [rt.Newton, rt.Poisson][seed % 2](e=float(rng.choice([0.0, 0.2, 0.5])), mu=float(rng.uniform(0.2, 1.0)))
    side = int(np.ceil(n ** (1.0 / 3.0) if space == "spatial" else np.sqrt(0.5 * n)))
    pitch, make = 2.2 * size, spatial_shape if space == "spatial" else planar_shape
    bodies, parts, start = [], [], {}
    for i in range(n):
        shape, mass, inertia = make(rng, f"b{i}", kind, sizes[i])
        bodies.append(rt.Body(f"b{i}", mass, tuple(inertia) if space == "spatial" else float(inertia)))
        parts.append(shape)
        jitter = rng.uniform(-0.05, 0.05, 3) * size
        x = pitch * (i % side - 0.5 * (side - 1)) + jitter[0]
        if space == "planar":
            start[f"b{i}"] = {"x": x, "y": pitch * (i // side + 0.7) + jitter[1], "theta": rng.uniform(0.0, 6.0),
                              "vx": rng.normal(0.0, 0.3), "vy": rng.normal(0.0, 0.3), "omega": rng.normal(0.0, 5.0)}
            continue
        turn = rng.normal(size=4)
        start[f"b{i}"] = {"x": x, "y": pitch * (i // side % side - 0.5 * (side - 1)) + jitter[1],
                          "z": pitch * (i // side**2 + 0.7) + jitter[2], "q": tuple(turn / np.linalg.norm(turn)),
                          "vx": rng.normal(0.0, 0.3), "vz": rng.normal(0.0, 0.3), "omega": tuple(rng.normal(0.0, 5.0, 3))}
    down = (0.0, -G) if space == "planar" else (0.0, 0.0, -G)
    width = pitch * (0.5 * side + 0.1)
    ground = walls(space, width, funnel=seed % 3 == 0)
    model = rt.Model(space=space, name=f"pile{seed}", gravity=down, bodies=bodies,
                     contacts=[rt.ContactGroup("touch", parts, law=law), rt.ContactGroup("wall", ground, parts, law=law)])
    return Pile(model, rt.State(start), size, law)


def faults_of(pile, result, step):
    """What a run of every contact point did not keep, as a dict from kind to number; every step must be a sample."""
    model, out = pile.model, {}
    weight = sum(b.mass for b in model.bodies) * G
    if result.status != "finished":
        out["status " + result.status] = float(result.t[-1])
    energy = result.energy
    kept = energy["total"]
    growth = float((kept - np.minimum.accumulate(kept)).max()) / (weight * pile.size)
    depth = result.statistics["deepest_penetration"]
    steps = result.contact_steps
    over = steps["p_t"] - pile.law.mu * steps["p_n"]
    largest = steps["p_n"].max(initial=0.0)
    out["growth"], out["depth"] = growth, depth
    out["cone"] = float(over.max(initial=0.0)) / max(largest, 1e-300)
    out["pull"] = float(-steps["p_n"].min(initial=0.0)) / max(largest, 1e-300)
    out["momentum"] = momentum_missing(model, result)
    out["unconverged"] = result.statistics["unconverged_steps"] / result.statistics["steps"]
    out["residual"] = result.statistics["worst_residual"]
    heights = result.energy["kinetic"][-1]
    out["kinetic"] = float(heights) / (weight * pile.size)
    return out


def momentum_missing(model, result):
    """Largest change of a body's momentum between two samples that its weight and its contact impulses do not explain [m/s]."""
    axes = "xyz"[: model.dimension]
    steps, at = result.contact_steps, np.searchsorted(result.t, result.contact_steps["t"] * (1.0 - 1e-13)) - 1
    index = {b.name: i for i, b in enumerate(model.bodies)}
    given = np.zeros((len(result.t) - 1, len(model.bodies), len(axes)))
    for side, sense in (("b", 1.0), ("a", -1.0)):
        body = np.array([index.get(str(name), -1) for name in steps[side]], int)
        on = body >= 0
        np.add.at(given, (at[on], body[on]), sense * steps["impulse"][on])
    missing = 0.0
    for i, body in enumerate(model.bodies):
        v = np.stack([result[f"{body.name}.v{k}"] for k in axes], axis=1)
        left = np.diff(v, axis=0) - given[:, i] / body.mass - np.diff(result.t)[:, None] * np.array(model.gravity)
        missing = max(missing, float(np.abs(left).max()))
    return missing


def hopper(seed, n, kind, size=0.01, slope=0.6):
    """n bodies at rest over an upside-down pyramid with rough walls; "mixed" is spheres and boxes by turns."""
    rng, side, pitch = np.random.default_rng([seed, n]), max(2, round((0.5 * n) ** (1.0 / 3.0))), 2.2 * size
    law, bodies, parts, start = rt.Newton(e=0.0, mu=0.5), [], [], {}
    for i in range(n):
        name, rest, spot = f"b{i}", i % side**2, rng.uniform(-0.09, 0.09, 3) * size
        if kind == "boxes" or (kind == "mixed" and i % 2 == 1):
            edges = 2.0 * size / np.sqrt(3.0) * rng.uniform(0.6, 1.0, 3)
            mass = 1000.0 * float(edges.prod())
            shape, inertia = shapes.Box(name, tuple(edges)), tuple(mass / 12.0 * (edges @ edges - edges**2))
        else:
            mass = 1000.0 * 4.0 / 3.0 * np.pi * size**3
            shape, inertia = shapes.Sphere(name, size), (0.4 * mass * size**2,) * 3
        bodies.append(rt.Body(name, mass, inertia))
        parts.append(shape)
        turn = rng.normal(size=4)
        x, y, z = spot + pitch * np.array([rest // side - 0.5 * (side - 1), rest % side - 0.5 * (side - 1), i // side**2])
        start[name] = {"x": x, "y": y, "z": z + 0.75 * side * pitch * np.tan(slope) + 2.0 * size,
                       "q": tuple(turn / np.linalg.norm(turn))}
    s, c = np.sin(slope), np.cos(slope)
    walls = [shapes.HalfSpace("ground", (-x * s, -y * s, c)) for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))]
    model = rt.Model(space="spatial", name="hopper", gravity=(0.0, 0.0, -G), bodies=bodies,
                     contacts=[rt.ContactGroup("walls", walls, parts, law), rt.ContactGroup("touch", parts, law=law)])
    return Pile(model, rt.State(start), size, law)
