"""Random scenes with contacts, plane and space: mechanisms and free bodies among floors, walls and obstacles.

Bodies and joints come from `random_mechanisms`. Every body gets a shape or two, the world a few; what can touch and does not
overlap becomes a contact. Stops, ropes, springs, drivers and blows are added now and then. Some scenes start at rest and in
touch, which is where modes are chosen without an impact before.

    scene = draw_scene(7, "planar")
    scene.model, scene.start, scene.t_end
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import routh as rt
from random_mechanisms import draw, random_forces, scalar_coordinates, unit
from routh import impulses, restitution, shapes
from routh.compiler.compile import compile_model
from routh.compiler.machine import Machine
from routh.compiler.pairs import gaps_of
from routh.errors import ModelError
from routh.model.body import GROUND
from routh.sim.assembly import assemble_arrays
from routh.sim.overlap import overlaps

MOST = 10        # declared contacts of a scene
POINTS = 40      # elementary ones: two boxes alone are 24


@dataclass(frozen=True)
class Scene:
    """A model and how it starts."""

    model: rt.Model
    start: rt.State
    t_end: float
    recipe: str

    def run(self, **options):
        """Its motion."""
        return rt.simulate(self.model, self.start, self.t_end, options=rt.Options(**options))


def random_law(rng, simultaneous):
    """Any of the four, with the extremes e = 0 and 1 and mu = 0 more often than chance has it."""
    e = float(rng.choice([0.0, 1.0, rng.uniform(), rng.uniform()]))
    mu = float(rng.choice([0.0, rng.uniform(0.0, 0.5), rng.uniform(0.0, 1.2)]))
    mu_s = mu * rng.uniform(1.0, 1.6) if rng.random() < 0.4 else None
    kind = ["Newton", "Poisson", "Stronge", "Brach"][rng.integers(2 if simultaneous else 4)]
    if kind == "Newton":
        return rt.Newton(e, mu, mu_s, form="marched" if simultaneous or rng.random() < 0.7 else "algebraic")
    if kind == "Brach":
        return rt.Brach(e, mu, mu_s, e_t=rng.uniform(-1.0, 1.0))
    return getattr(rt, kind)(e, mu, mu_s)


def convex_corners(rng, n, size):
    """Corners of a convex polygon, no three of them nearly in a line."""
    angles = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False) + rng.uniform(-0.6, 0.6, n) / n
    return [(size * np.cos(a), size * np.sin(a)) for a in angles + rng.uniform(0.0, 6.0)]


def random_shape(rng, body, space, size, at=None):
    """A bounded shape of about `size` near `at`."""
    d = 2 if space == "planar" else 3
    r = rng.uniform
    at = r(-0.1, 0.1, d) if at is None else np.asarray(at)
    point, half = tuple(at), size * unit(rng, d)
    turn = tuple(unit(rng, 4))
    kinds = {
        "planar": {
            "Disk": lambda: shapes.Disk(body, size if rng.random() < 0.85 else 0.0, point),
            "Ellipse": lambda: shapes.Ellipse(body, (size, size * r(0.4, 1.0)), point, r(-3.0, 3.0)),
            "Capsule": lambda: shapes.Capsule(body, tuple(at - half), tuple(at + half),
                                              size * r(0.1, 0.8) if rng.random() < 0.85 else 0.0),
            "Polygon": lambda: shapes.Polygon(body, [tuple(at + v) for v in convex_corners(rng, rng.integers(3, 6), size)]),
        },
        "spatial": {
            "Sphere": lambda: shapes.Sphere(body, size if rng.random() < 0.85 else 0.0, point),
            "Ellipsoid": lambda: shapes.Ellipsoid(body, tuple(size * r(0.4, 1.0, 3)), point, turn),
            "Capsule": lambda: shapes.Capsule(body, tuple(at - half), tuple(at + half), size * r(0.1, 0.8)),
            "Cylinder": lambda: shapes.Cylinder(body, size * r(0.4, 1.0), size * r(0.5, 2.0), tuple(unit(rng, 3)), point),
            "Box": lambda: shapes.Box(body, tuple(2.0 * size * r(0.3, 1.0, 3)), point, turn),
            "Hull": lambda: shapes.Hull(body, [tuple(at + size * unit(rng, 3)) for _ in range(6)]),
        },
    }[space]
    return kinds[list(kinds)[rng.integers(len(kinds))]]()


def random_world(rng, space):
    """Shapes of the ground: a floor, a container, terrain, and obstacles here and there."""
    d = 2 if space == "planar" else 3
    r = rng.uniform
    up = np.eye(d)[-1]
    kind = rng.integers(4)
    made = []
    if kind == 0:  # a floor that may slope
        normal = up + 0.4 * rng.normal(size=d) * (rng.random() < 0.5)
        made.append(shapes.HalfSpace(GROUND, tuple(normal), tuple(-r(0.9, 1.4) * up)))
    elif kind == 1 and d == 2:
        w, h = r(1.2, 1.8, 2)
        made.append(shapes.Polyline(GROUND, [(-w, -h), (w, -h), (w, h), (-w, h), (-w, -h)]))
    elif kind == 1:
        made += [shapes.HalfSpace(GROUND, tuple(-s * e), tuple(1.3 * s * e)) for e in np.eye(3) for s in (-1.0, 1.0)]
    elif kind == 2 and d == 2:  # hills, hollows and steps
        xs = np.sort(r(-2.0, 2.0, 4))
        vertices = [(-3.0, -1.0), *zip(xs, r(-1.6, -1.0, 4), strict=True), (3.0, -1.0)]
        bulges = np.where(rng.random(5) < 0.4, r(-0.3, 0.5, 5), 0.0) if rng.random() < 0.5 else np.zeros(5)
        made.append(shapes.Polyline(GROUND, vertices, tuple(bulges)))
    elif kind == 2:  # a trough
        made += [shapes.HalfSpace(GROUND, (s, 0.0, 1.0), (0.0, 0.0, -1.3)) for s in (-1.0, 1.0)]
    for _ in range(rng.integers(1 if kind == 3 else 0, 3)):
        made.append(random_shape(rng, GROUND, space, r(0.1, 0.4), r(-1.2, 1.2, d)))
    return made


def can_touch(space, a, b):
    """How many elementary gaps the pair has; 0 where it has none."""
    try:
        return len(gaps_of(space, a, b))
    except ModelError:
        return 0


def accepted(model, contact):
    """Whether a model may have this contact: both of its bodies may be driven, or fixed."""
    try:
        compile_model(replace(model, contacts=(contact,)))
    except ModelError:
        return False
    return True


def start_gaps(model, start):
    """The least gap of every declared contact at the start."""
    machine = Machine(compile_model(model))
    q, u = assemble_arrays(machine, start, 0.0, keep=True)
    gaps, owner = machine.gaps(q, u), machine.system.contact["owner"]
    deep = {contact.name: -depth for contact, depth in overlaps(machine, q)}
    return [min(gaps[owner == i].min(initial=np.inf), deep.get(c.name, np.inf)) for i, c in enumerate(model.contacts)]


def random_pairs(rng, model, simultaneous):
    """Contacts of bodies with each other and with the world, as many as there is room for."""
    space = model.space
    names = [b.name for b in model.bodies for _ in range(1 + (rng.random() < 0.2))]
    own = [random_shape(rng, name, space, rng.uniform(0.08, 0.3)) for name in names]
    world = random_world(rng, space)
    pairs = [(a, b) for i, a in enumerate(own) for b in [*own[:i], *world] if a.body != b.body]
    made, points = [], 0
    law = random_law(rng, simultaneous)
    for k in rng.permutation(len(pairs)):
        a, b = pairs[k] if rng.random() < 0.5 else pairs[k][::-1]
        n = can_touch(space, a, b)
        if len(made) >= MOST or not 0 < n <= POINTS - points:
            continue
        if rng.random() < 0.3:
            law = random_law(rng, simultaneous)
        made.append(rt.Contact(f"c{k}", a, b, law))
        points += n
    return made


def random_stops_and_ropes(rng, mechanism):
    """End stops around where the coordinates are, ropes as long as they are drawn or longer."""
    model, made = mechanism.model, []
    driven = {d.coordinate for d in model.drivers}
    for path in scalar_coordinates(model):
        if path not in driven and rng.random() < 0.3:
            room = 0.0 if rng.random() < 0.1 else rng.uniform(0.01, 0.4)
            value, e = mechanism.coordinates[path], float(rng.choice([0.0, 1.0, rng.uniform()]))
            lower, upper = [(value - room, None), (None, value + room), (value - room, value + 0.3)][rng.integers(3)]
            made.append(rt.Stop(f"stop{len(made)}", path, lower, upper, e))
    if rng.random() < 0.3:
        i, d = rng.integers(len(model.bodies)), model.dimension
        far = mechanism.poses[i][:d] + rng.uniform(0.5, 1.5) * unit(rng, d)
        length = np.linalg.norm(far - mechanism.poses[i][:d]) * (1.0 if rng.random() < 0.2 else rng.uniform(1.0, 1.5))
        e = float(rng.choice([0.0, rng.uniform()]))
        made.append(rt.Rope("rope", GROUND, model.bodies[i].name, length, tuple(far), e=e))
    return made


def brought_into_touch(rng, model, start):
    """The model with one half space of the ground moved up to what is nearest to it."""
    walls = [s for c in model.contacts if isinstance(c, rt.Contact) for s in (c.a, c.b) if isinstance(s, shapes.HalfSpace)]
    if not walls:
        return model
    wall = walls[rng.integers(len(walls))]
    gaps = zip(model.contacts, start_gaps(model, start), strict=True)
    gap = min(g for c, g in gaps if isinstance(c, rt.Contact) and wall in (c.a, c.b))
    near = replace(wall, point=tuple(np.array(wall.point or np.zeros(model.dimension)) + gap * np.array(wall.normal)))

    def moved(c):
        return replace(c, a=near if c.a == wall else c.a, b=near if c.b == wall else c.b) if isinstance(c, rt.Contact) else c

    return replace(model, contacts=tuple(map(moved, model.contacts)))


def throw(rng, space):
    """A scene, or None where the throw has nothing that can touch."""
    n = int(rng.choice([1, 1, 2, 2, 3, 4, 5, 6]))
    still = rng.random() < 0.3
    mechanism = draw(rng, space, n, loops=int(n > 1 and rng.random() < 0.25), drivers=int(rng.random() < 0.2),
                     rods=int(n > 1 and rng.random() < 0.1), float_share=float(rng.choice([0.2, 1.0])), load=False,
                     speed=0.0 if still else float(rng.choice([0.5, 2.0, 5.0])), at=0.0, smooth=True, regular=0.03)
    if mechanism is None:
        return None
    d = 2 if space == "planar" else 3
    simultaneous = rng.random() < 0.3
    gravity = tuple(-9.81 * np.eye(d)[-1]) if rng.random() < 0.85 else tuple(rng.uniform(-5.0, 5.0, d))
    bare = replace(mechanism.model, gravity=gravity, impacts="simultaneous" if simultaneous else "sequential")
    if rng.random() < 0.2:
        poses = dict(zip([b.name for b in bare.bodies], mechanism.poses, strict=True))
        springs = random_forces(rng, bare, poses, conservative=True)
        bare = replace(bare, forces=tuple(f for f in springs if f.name != "bush"))  # which jumps where it has turned half round
    if rng.random() < 0.15:
        blow = impulses.Impulse("blow", bare.bodies[0].name, 0.1, tuple(rng.normal(size=d)), tuple(0.1 * unit(rng, d)))
        bare = replace(bare, impulses=(blow,))
    made = [*random_pairs(rng, bare, simultaneous), *random_stops_and_ropes(rng, mechanism)]
    model = replace(bare, contacts=tuple(c for c in made if accepted(bare, c)))
    if rng.random() < 0.3:
        model = brought_into_touch(rng, model, mechanism.start)
    apart = [c for c, gap in zip(model.contacts, start_gaps(model, mechanism.start), strict=True) if gap > -1e-12]
    if not apart:
        return None
    return Scene(replace(model, contacts=tuple(apart)), mechanism.start, float(rng.uniform(0.5, 1.5)), "")


def draw_scene(seed, space):
    """The first throw of this seed in which something can touch."""
    for k in range(50):
        scene = throw(np.random.default_rng([seed, k]), space)
        if scene is not None:
            return replace(scene, recipe=f"draw_scene({seed}, {space!r})")
    raise AssertionError(f"seed {seed}: nothing can touch in 50 throws")


def faster_law(rng, law):
    """A law with a restitution that depends on the approach speed, under Moreau's rule as often as under its own."""
    speeds = tuple(np.cumsum([0.0, *rng.uniform(0.1, 2.0, 3)]))
    laws = [restitution.PowerLaw(float(rng.uniform(0.1, 1.0)), float(rng.uniform(0.2, 2.0)), float(rng.uniform(0.0, 0.5))),
            restitution.Table(speeds, tuple(rng.uniform(0.0, 1.0, 4))), restitution.Plastic(3e8, 1.15e11, 0.005, 0.0041), law.e]
    e = laws[rng.integers(len(laws))]
    return rt.Moreau(e, law.mu, law.mu_s) if rng.random() < 0.5 else replace(law, e=e)


def draw_fast_scene(seed, space):
    """The scene of `draw_scene` with laws of `faster_law`, drawn apart: seeds mean the same bodies and shapes in both."""
    scene, rng = draw_scene(seed, space), np.random.default_rng([seed, 77])
    made = tuple(replace(c, law=faster_law(rng, c.law)) if isinstance(c, rt.Contact) else c for c in scene.model.contacts)
    return replace(scene, model=replace(scene.model, contacts=made), recipe=f"draw_fast_scene({seed}, {space!r})")


__all__ = ["Scene", "draw_fast_scene", "draw_scene"]
