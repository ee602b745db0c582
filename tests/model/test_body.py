"""Bodies from shapes: closed forms, then integration by samples that share nothing with the formulas, then what is refused."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import qmc

import routh as rt
from routh import joints, shapes
from routh.errors import ModelError

approx = pytest.approx
TURN = (math.cos(0.4), 0.3 * math.sin(0.4), -0.5 * math.sin(0.4), math.sqrt(0.66) * math.sin(0.4))
CUBE = np.array(list(itertools.product((0.0, 1.0), repeat=3)))
CUBE_FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
              (1, 5, 7), (1, 7, 3)]
# a closed curve, clockwise: a slot plate whose upper edge is a half circle outward, whose lower edge is a shallow dent
PLATE = shapes.Polyline("b", ((0.0, 0.0), (0.0, 0.2), (0.5, 0.2), (0.5, 0.0), (0.0, 0.0)), (0.0, -1.0, 0.0, 0.3))

BODIES = {
    "disk": [shapes.Disk("b", 0.3, point=(0.1, -0.2))],
    "ellipse": [shapes.Ellipse("b", (0.5, 0.2), point=(0.3, 0.1), turn=0.7)],
    "polygon": [shapes.Polygon("b", ((0.0, 0.0), (0.6, 0.1), (0.5, 0.5), (0.1, 0.4)))],
    "stadium": [shapes.Capsule("b", (0.1, 0.2), (0.7, -0.1), 0.15)],
    "plate with arcs": [PLATE],
    "crank": [shapes.Disk("b", 0.2, point=(-0.3, 0.0)),
              shapes.Polygon("b", ((-0.1, -0.05), (0.6, -0.05), (0.6, 0.05), (-0.1, 0.05)))],
    "sphere": [shapes.Sphere("b", 0.4, point=(0.1, 0.2, 0.3))],
    "ellipsoid": [shapes.Ellipsoid("b", (0.5, 0.3, 0.2), point=(0.1, 0.0, -0.2), turn=TURN)],
    "box": [shapes.Box("b", (0.4, 0.6, 0.2), point=(0.2, 0.0, 0.1), turn=TURN)],
    "cylinder": [shapes.Cylinder("b", 0.2, 0.7, axis=(1.0, 2.0, -1.0), point=(0.1, 0.1, 0.0))],
    "capsule": [shapes.Capsule("b", (0.1, 0.2, 0.0), (0.5, -0.1, 0.4), 0.15)],
    "hull": [shapes.Hull("b", [(0.0, 0.0, 0.0), (0.9, 0.1, 0.0), (0.2, 0.8, 0.1), (0.3, 0.2, 0.7), (0.8, 0.7, 0.5)])],
    "mesh": [shapes.Mesh("b", CUBE * (0.3, 0.5, 0.7), CUBE_FACES)],
    "bolt": [shapes.Cylinder("b", 0.1, 0.8, axis=(0.0, 0.0, 1.0)), shapes.Box("b", (0.3, 0.3, 0.15), point=(0.0, 0.0, 0.475))],
}


def inside(shape, x):
    """Whether points (n, d) are inside a shape, from its definition."""
    match shape:
        case shapes.Disk() | shapes.Sphere():
            return np.linalg.norm(x - shape.point, axis=1) < shape.radius
        case shapes.Capsule():
            a, b = np.array(shape.start), np.array(shape.end)
            s = np.clip((x - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0)
            return np.linalg.norm(x - a - s[:, None] * (b - a), axis=1) < shape.radius
        case shapes.Ellipse():
            c, s = math.cos(shape.turn), math.sin(shape.turn)
            own = (x - shape.point) @ np.array([[c, -s], [s, c]])
            return ((own / shape.axes) ** 2).sum(axis=1) < 1.0
        case shapes.Ellipsoid() | shapes.Box():
            from scipy.spatial.transform import Rotation

            turn = Rotation.from_quat(np.roll(shape.turn, -1)).as_matrix() if shape.turn else np.eye(3)
            own = (x - np.array(shape.point)) @ turn
            if isinstance(shape, shapes.Box):
                return (np.abs(own) < 0.5 * np.array(shape.size)).all(axis=1)
            return ((own / shape.axes) ** 2).sum(axis=1) < 1.0
        case shapes.Cylinder():
            d = x - np.array(shape.point or (0.0, 0.0, 0.0))
            along = d @ shape.axis
            return (np.abs(along) < 0.5 * shape.length) & (
                np.linalg.norm(d - np.outer(along, shape.axis), axis=1) < shape.radius)
        case shapes.Polygon():
            v = np.array(shape.vertices)
            edge = np.roll(v, -1, axis=0) - v
            d = x[:, None] - v
            return (edge[:, 0] * d[:, :, 1] - edge[:, 1] * d[:, :, 0] > 0.0).all(axis=1)
        case shapes.Hull():
            from scipy.spatial import Delaunay

            return Delaunay(shape.points).find_simplex(x) >= 0
        case shapes.Mesh():
            return (x > np.min(shape.vertices, axis=0)).all(axis=1) & (x < np.max(shape.vertices, axis=0)).all(axis=1)
    # PLATE: a rectangle with a half disc on its upper edge, and a circular segment cut out of its lower edge
    arc_radius, arc_centre = 0.25, np.array([0.25, 0.2])
    box = (x > 0.0).all(axis=1) & (x < (0.5, 0.2)).all(axis=1)
    cap = (np.linalg.norm(x - arc_centre, axis=1) < arc_radius) & (x[:, 1] >= 0.2)
    sagitta = 0.3 * 0.25  # bulge times half the chord
    radius = (0.25**2 + sagitta**2) / (2.0 * sagitta)
    dent = np.linalg.norm(x - (0.25, sagitta - radius), axis=1) < radius
    return (box & ~dent) | cap


@pytest.mark.parametrize("name", BODIES)
def test_mass_centre_and_inertia_are_those_of_half_a_million_samples(name):
    parts = BODIES[name]
    found = rt.Body("b", shapes=parts, density=500.0).mass_properties()
    d = len(found.centre)
    x = -1.2 + 2.4 * qmc.Sobol(d, seed=1).random_base2(14)
    x = x[np.any([inside(part, x) for part in parts], axis=0)]
    low, high = x.min(axis=0) - 0.12, x.max(axis=0) + 0.12  # a box that holds all, from a first, coarse look
    mass, first, second = 0.0, np.zeros(d), np.zeros((d, d))
    x = low + (high - low) * qmc.Sobol(d, seed=2).random_base2(19)
    cell = 500.0 * np.prod(high - low) / len(x)
    for part in parts:
        own = x[inside(part, x)]
        mass, first, second = mass + cell * len(own), first + cell * own.sum(axis=0), second + cell * own.T @ own
    centre = first / mass
    second -= mass * np.outer(centre, centre)
    inertia = np.trace(second) * np.eye(3) - second if d == 3 else np.trace(second)
    # at random the error would be 1 / √(half a million) = 1.4e-3; points that fill space evenly do better
    assert found.mass == approx(mass, rel=2e-3)
    assert found.centre == approx(centre, abs=1e-3)
    assert np.array(found.inertia) == approx(np.array(inertia), abs=4e-3 * np.abs(inertia).max())


@pytest.mark.parametrize("name", BODIES)
def test_a_shifted_frame_shifts_the_centre_and_leaves_mass_and_inertia(name):
    import dataclasses

    parts, found = BODIES[name], rt.Body("b", shapes=BODIES[name], density=2.0).mass_properties()
    by = np.array((0.7, -1.3, 2.1)[: len(found.centre)])

    def moved(shape):
        one = [f for f in ("point", "start", "end") if hasattr(shape, f)]
        many = [f for f in ("vertices", "points") if hasattr(shape, f)]
        fields = {f: tuple(np.array(getattr(shape, f) or 0.0 * by) + by) for f in one}
        fields |= {f: tuple(tuple(np.array(p) + by) for p in getattr(shape, f)) for f in many}
        return dataclasses.replace(shape, **fields)

    again = rt.Body("b", shapes=[moved(p) for p in parts], density=2.0).mass_properties()
    assert again.mass == approx(found.mass, rel=1e-13)
    assert again.centre == approx(np.array(found.centre) + by, abs=1e-13)
    assert np.array(again.inertia) == approx(np.array(found.inertia), abs=1e-12 * found.mass)


@pytest.mark.parametrize(("shape", "mass", "inertia"), [
    (shapes.Disk("b", 0.2), math.pi * 0.04, 0.5 * math.pi * 0.04 * 0.04),
    (shapes.Ellipse("b", (0.3, 0.2)), math.pi * 0.06, math.pi * 0.06 * (0.09 + 0.04) / 4.0),
    (shapes.Sphere("b", 0.2), 4 / 3 * math.pi * 0.008, [0.4 * 4 / 3 * math.pi * 0.008 * 0.04] * 3),
    (shapes.Box("b", (1.0, 2.0, 3.0)), 6.0, [0.5 * 13.0, 0.5 * 10.0, 0.5 * 5.0]),
    (shapes.Cylinder("b", 0.2, 0.6, (0, 0, 1)), math.pi * 0.024,
     [math.pi * 0.024 * (0.01 + 0.03)] * 2 + [math.pi * 0.024 * 0.02]),
])  # fmt: skip
def test_textbook_solids_of_density_one(shape, mass, inertia):
    found = rt.Body("b", shapes=[shape], density=1.0).mass_properties()
    assert found.mass == approx(mass, rel=1e-14)
    assert np.array(found.inertia) == approx(np.diag(inertia) if np.ndim(inertia) else inertia, rel=1e-13)


def test_a_fine_mesh_of_a_torus_has_the_mass_and_inertia_of_the_torus():
    """A mesh of a torus: volume 2π² R r², inertia about its axis m (R² + 3/4 r²), across m (R²/2 + 5/8 r²)."""
    R, r, n = 0.5, 0.15, 120
    u, v = np.meshgrid(np.arange(n) * 2 * np.pi / n, np.arange(n) * 2 * np.pi / n, indexing="ij")
    far = R + r * np.cos(v)
    vertices = np.stack([far * np.cos(u), far * np.sin(u), r * np.sin(v)], axis=-1).reshape(-1, 3)
    index = np.arange(n * n).reshape(n, n)
    a, b, c, d = index, np.roll(index, -1, 0), np.roll(np.roll(index, -1, 0), -1, 1), np.roll(index, -1, 1)
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    found = rt.Body("b", shapes=[shapes.Mesh("b", vertices, faces)], density=1000.0).mass_properties()
    mass = 1000.0 * 2.0 * math.pi**2 * R * r * r
    assert found.mass == approx(mass, rel=3e-3)  # the mesh is inscribed: 1 - cos(π/n) and the like, in three places
    assert found.centre == approx((0.0, 0.0, 0.0), abs=1e-12)
    across, along = found.mass * (R * R / 2 + 5 * r * r / 8), found.mass * (R * R + 0.75 * r * r)
    assert np.array(found.inertia) == approx(np.diag([across, across, along]), abs=3e-3 * along)


def test_a_ring_is_a_disk_with_a_hole_of_negative_density():
    ring = rt.Body("b", shapes=[shapes.Disk("b", 0.3), shapes.Disk("b", 0.2)], density=(7800.0, -7800.0), thickness=0.01)
    mass = 78.0 * math.pi * (0.09 - 0.04)
    assert ring.mass_properties().mass == approx(mass, rel=1e-14)
    assert ring.mass_properties().inertia == approx(0.5 * mass * (0.09 + 0.04), rel=1e-13)


@pytest.mark.parametrize(("parts", "inertia"), [
    ([shapes.Capsule("b", (-0.5, 0.0, 0.0), (0.5, 0.0, 0.0), 0.0)], [0.0, 2.0 / 12.0, 2.0 / 12.0]),          # thin rod
    ([shapes.Cylinder("b", 0.3, 0.0, axis=(0.0, 0.0, 1.0))], [2.0 * 0.09 / 4, 2.0 * 0.09 / 4, 2.0 * 0.09 / 2]),  # thin disc
    ([shapes.Sphere("b", 0.0, (0.3, 0.0, 0.0)), shapes.Sphere("b", 0.0, (-0.3, 0.0, 0.0))], [0.0, 0.18, 0.18]),  # two points
])  # fmt: skip
def test_a_mass_is_spread_over_lengths_areas_or_points(parts, inertia):
    found = rt.Body("b", mass=2.0, shapes=parts).mass_properties()
    assert np.array(found.inertia) == approx(np.diag(inertia), abs=1e-15)


def test_bodies_of_shapes_stay_declarations():
    body = rt.Body("b", shapes=[shapes.Disk("b", 0.1, (0.2, 0.0))], density=1000.0)
    model = rt.Model("planar", [body])
    heavier = model.replace({"b.density": 2000.0})
    assert heavier["b"].mass_properties().mass == approx(2.0 * body.mass_properties().mass, rel=1e-15)
    text = rt.format_model(model)
    assert "density" in text
    assert rt.parse_model(text).model == model
    with_units = text.replace("density = 1000.0", 'density = "1 g/cm^3"')
    assert rt.parse_model(with_units).model == model
    compiled = rt.compile_model(model)
    patched = compiled.replace({"b.density": 2000.0})
    assert patched.mass_matrix(np.zeros(3)) == approx(rt.compile_model(heavier).mass_matrix(np.zeros(3)), rel=1e-14)


def compound(space, offset):
    """A pendulum of three bodies, with the frames of the last two `offset` from their mass centres."""
    n = 2 if space == "planar" else 3
    by = np.array(offset[:n])
    axis = {} if space == "planar" else {"axis": (0.0, 0.0, 1.0)}
    inertia = 0.02 if space == "planar" else (0.02, 0.03, 0.04)
    point = lambda *x: tuple(np.array((*x, 0.0, 0.0)[:n]) + by)  # noqa: E731
    a = rt.Body("a", 1.0, inertia)
    b = rt.Body("b", 2.0, inertia, centre=tuple(by) if by.any() else ())
    free = rt.Body("free", 1.5, inertia, centre=tuple(by) if by.any() else ())
    ground = (0.0,) * n
    return rt.Model(space, [a, b, free], gravity=(0.0, -9.81, 0.0)[:n],
                    joints=[joints.Revolute("pin", "ground", "a", ground, (0.0, 0.5, 0.0)[:n], **axis),
                            joints.Revolute("elbow", "a", "b", (0.0, -0.5, 0.0)[:n], point(0.0, 0.4), **axis)],
                    forces=[rt.forces.SpringDamper("spring", "b", "free", point(0.1, -0.2), point(0.3, 0.1), 40.0, 0.5, 0.3)],
                    contacts=[rt.Contact("floor", shapes.HalfSpace("ground", (0.0, 1.0, 0.0)[:n], (0.0, -2.0, 0.0)[:n]),
                                         (shapes.Disk if n == 2 else shapes.Sphere)("free", 0.1, point(0.0, 0.0)),
                                         rt.Poisson(0.6, 0.2))])


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("engine", ["events", "stepping"])
def test_the_frame_of_a_body_changes_its_description_and_not_its_motion(space, engine):
    offset = np.array((0.3, -0.2, 0.15 if space == "spatial" else 0.0))
    n = 2 if space == "planar" else 3
    options = rt.Options(engine=engine, step=2e-3, output=np.linspace(0.0, 1.0, 11))
    turn, back = ("theta", 0.4), offset.copy()
    c, s = math.cos(0.4), math.sin(0.4)
    back[:2] = c * offset[0] - s * offset[1], s * offset[0] + c * offset[1]
    at = np.array((0.5, -1.2, 0.0))
    pose = {"theta": turn[1]} if n == 2 else {"q": (math.cos(0.2), 0.0, 0.0, math.sin(0.2))}
    spin = {"omega": 2.0} if n == 2 else {"omega": (0.0, 0.0, 2.0)}
    joints_start = {"pin": {"angle": 0.3}, "elbow": {"angle": -0.5, "angle_rate": 1.0}}

    def start(place, velocity):
        keys = "xyz"[:n]
        return rt.State(joints_start, free=dict(zip(keys, place[:n], strict=True)) | pose | spin
                        | {f"v{k}": v for k, v in zip(keys, velocity[:n], strict=True)})

    plain = rt.simulate(compound(space, np.zeros(3)), start(at, np.array((0.2, 0.1, 0.0))), 1.0, options=options)
    # the frame's origin is at minus the offset from the mass centre, and moves as the body turns
    arm = -back
    moved = np.array((0.2, 0.1, 0.0)) + np.cross((0.0, 0.0, 2.0), arm)
    other = rt.simulate(compound(space, offset), start(at + arm, moved), 1.0, options=options)
    assert other["pin.angle"] == approx(plain["pin.angle"], abs=1e-7)
    assert other["elbow.reaction"] == approx(plain["elbow.reaction"], abs=1e-5)
    assert other.energy["total"] == approx(plain.energy["total"], abs=1e-7)
    if n == 2:
        th = other["free.theta"]
        x = other["free.x"] + np.cos(th) * offset[0] - np.sin(th) * offset[1]
        assert x == approx(plain["free.x"], abs=1e-7)


def test_a_start_that_says_nothing_of_the_spin_means_none():
    model = rt.Model("planar", [rt.Body("b", 1.0, 0.1, centre=(0.5, 0.0))])
    state = rt.assemble(model, rt.State(b={"x": 1.0, "vx": 2.0}))
    assert (state["b"]["x"], state["b"]["vx"], state["b"]["omega"]) == approx((1.0, 2.0, 0.0), abs=1e-15)


def test_a_point_mass_on_a_massless_rod_is_the_simple_pendulum():
    """Period 4 √(l/g) K(sin(a/2)); the rod is a massless frame, the bob has no inertia."""
    from scipy.special import ellipk

    model = rt.Model("planar", [rt.Body("rod", 0.0, 0.0), rt.Body("bob", 0.3, 0.0)], gravity=(0.0, -9.81), joints=[
        joints.Revolute("pin", "ground", "rod"), joints.Weld("end", "rod", "bob", point_a=(0.0, -0.7))])
    period = 4.0 * math.sqrt(0.7 / 9.81) * ellipk(math.sin(0.5) ** 2)
    result = rt.simulate(model, rt.State(pin={"angle": 1.0}), period)
    assert result["pin.angle"][-1] == approx(1.0, abs=1e-7)
    assert result["pin.reaction"][0, 0] ** 2 + result["pin.reaction"][0, 1] ** 2 == approx((0.3 * 9.81 * math.cos(1.0)) ** 2)


def test_a_double_pendulum_of_point_masses_meets_the_equations_of_lagrange():
    """Spatial twin with thin massless links, against an independent integration."""
    from scipy.integrate import solve_ivp

    m1, m2, l1, l2, g = 1.0, 0.5, 0.6, 0.4, 9.81

    def rates(t, y):
        a, b, u, v = y
        d = a - b
        M = np.array([[(m1 + m2) * l1, m2 * l2 * np.cos(d)], [l1 * np.cos(d), l2]])
        f = np.array([-m2 * l2 * v * v * np.sin(d) - (m1 + m2) * g * np.sin(a), l1 * u * u * np.sin(d) - g * np.sin(b)])
        return [u, v, *np.linalg.solve(M, f)]

    axis = (0.0, 0.0, 1.0)
    model = rt.Model("spatial", [rt.Body("one", m1, 0.0), rt.Body("two", m2, 0.0)], gravity=(0.0, -g, 0.0), joints=[
        joints.Revolute("pin", "ground", "one", (0.0, 0.0, 0.0), (0.0, l1, 0.0), axis=axis),
        joints.Revolute("elbow", "one", "two", (0.0, 0.0, 0.0), (0.0, l2, 0.0), axis=axis)])
    result = rt.simulate(model, rt.State(pin={"angle": 1.2}, elbow={"angle": -0.7}), 2.0)
    check = solve_ivp(rates, (0.0, 2.0), [1.2, 0.5, 0.0, 0.0], rtol=1e-11, atol=1e-12)
    assert result["pin.angle"][-1] == approx(check.y[0, -1], abs=1e-6)
    assert result["pin.angle"][-1] + result["elbow.angle"][-1] == approx(check.y[1, -1], abs=1e-6)


@pytest.mark.parametrize(("model", "speed"), [
    (lambda: rt.Model("planar", [rt.Body("bob", 1.0, 0.0)]), "bob.theta"),
    (lambda: rt.Model("spatial", [rt.Body("rod", 1.0, (0.0, 0.1, 0.1))]), "rod.w"),
    (lambda: rt.Model("planar", [rt.Body("frame", 0.0, 0.0)], joints=[joints.Revolute("pin", "ground", "frame")]), "pin.angle"),
    (lambda: rt.Model("spatial", [rt.Body("bob", 1.0, 0.0)], joints=[joints.Revolute("pin", "ground", "bob", axis=(1, 0, 0))]),
     "pin.angle"),
])
def test_a_speed_that_moves_no_mass_is_named(model, speed):
    with pytest.raises(ModelError, match=f'"{speed}[xyz]?" moves no mass or inertia'):
        rt.compile_model(model())


@pytest.mark.parametrize(("make", "message"), [
    (lambda: rt.Body("b", "2", 1.0), "mass = '2' is not a number; give one in SI"),
    (lambda: rt.Body("b", "2 kg", 1.0), "is not a number"),
    (lambda: rt.Body("b", 1.0, ("1", 1.0, 1.0)), r"inertia\[0\] = '1' is not a number"),
    (lambda: shapes.Disk("b", "0.1"), "radius = '0.1' is not a number"),
    (lambda: rt.Body("b", 1.0), "give mass and inertia, or shapes"),
    (lambda: rt.Body("b", inertia=1.0), "give mass and inertia, or shapes"),
    (lambda: rt.Body("b", density=1.0), "needs shapes to fill"),
    (lambda: rt.Body("b", shapes=[shapes.Disk("b", 0.1)]), "either density or mass"),
    (lambda: rt.Body("b", 1.0, shapes=[shapes.Disk("b", 0.1)], density=1.0), "either density or mass"),
    (lambda: rt.Body("b", 1.0, 2.0, shapes=[shapes.Disk("b", 0.1)]), "inertia follow from the shapes"),
    (lambda: rt.Body("b", shapes=[shapes.Disk("c", 0.1)], density=1.0), 'a Disk of body "c"'),
    (lambda: rt.Body("b", shapes=[shapes.Disk("b", 0.1), 3], density=1.0), "which is no shape"),
    (lambda: rt.Body("b", shapes=3, density=1.0), "not a list of shapes"),
    (lambda: rt.Body("b", shapes=[shapes.HalfSpace("b", (0.0, 1.0))], density=1.0), "has no end"),
    (lambda: rt.Body("b", shapes=[shapes.Disk("b", 0.0)], density=1.0), "no area that a density could fill"),
    (lambda: rt.Body("b", shapes=[shapes.Cylinder("b", 0.1, 0.0, (0, 0, 1))], density=1.0), "no volume"),
    (lambda: rt.Body("b", shapes=[shapes.Disk("b", 0.1)], density=-1.0), "density = -1 must be positive"),
    (lambda: rt.Body("b", shapes=[shapes.Disk("b", 0.1)] * 2, density=(1.0, -2.0)), "holes must be smaller"),
    (lambda: rt.Body("b", shapes=[shapes.Disk("b", 0.1)] * 2, density=(1.0,)), "has 1 components, expected 2"),
    (lambda: rt.Body("b", shapes=[shapes.Disk("b", 0.1), shapes.Sphere("b", 0.1)], density=1.0), "in the plane and in space"),
    (lambda: rt.Body("b", shapes=[shapes.Polyline("b", ((0, 0), (1, 0), (1, 1)))], density=1.0), "with ends has no inside"),
    (lambda: rt.Body("b", shapes=[shapes.Polyline("b", ((0, 0), (1, 0), (1, 1), (0, 0)))], density=1.0), "counter-clockwise"),
    (lambda: shapes.Mesh("b", CUBE, CUBE_FACES[1:]), "the surface is not closed"),
    (lambda: shapes.Mesh("b", CUBE, [(0, 1, 9)]), "three numbers of its 8 vertices"),
    (lambda: shapes.Mesh("b", CUBE, 7), "not a list of three vertex numbers"),
    (lambda: shapes.Mesh("b", CUBE, [(0, 1, 2), (2, 1, 0)]), "no volume"),
    (lambda: rt.Model("spatial", [rt.Body("b", shapes=[shapes.Disk("b", 0.1)], density=1.0)]), "does not belong in a spatial"),
    (lambda: rt.Model("planar", [rt.Body("b", 1.0, 1.0, centre=(0.0, 0.0, 1.0))]), "centre"),
    (lambda: rt.Model("spatial", [rt.Body("b", shapes=[shapes.Mesh("b", CUBE, CUBE_FACES)], density=1.0)], contacts=[
        rt.Contact("c", shapes.HalfSpace("ground", (0, 0, 1)), shapes.Mesh("b", CUBE, CUBE_FACES), rt.Newton(0.0, 0.0))]),
     "contacts take convex shapes"),
    (lambda: rt.Model("planar", [rt.Body("b", 1.0, 1.0), rt.Body("m", 0.0, 0.0)], joints=[joints.Weld("w", "b", "m")],
                      impulses=[rt.impulses.Impulse("i", "m", at=0.1, impulse=(1.0, 0.0))]), "which has no mass"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(make, message):
    with pytest.raises(ModelError, match=message):
        make()


def test_an_inside_out_mesh_is_turned():
    mesh = shapes.Mesh("b", CUBE, [face[::-1] for face in CUBE_FACES])
    assert rt.Body("b", shapes=[mesh], density=1.0).mass_properties().mass == approx(1.0)


def test_a_mesh_file_becomes_a_body(tmp_path):
    path = tmp_path / "cube.obj"
    lines = [f"v {x} {y} {z}" for x, y, z in CUBE] + [f"f {a + 1}/1 {b + 1}/1 {c + 1}/1" for a, b, c in CUBE_FACES]
    path.write_text("\n".join(lines))
    mesh = shapes.Mesh("b", *rt.read_triangles(path, 0.1))
    found = rt.Body("b", shapes=[mesh], mass=3.0).mass_properties()
    assert np.array(found.inertia) == approx(np.eye(3) * 3.0 * 0.01 / 6.0, abs=1e-15)
    assert found.centre == approx((0.05, 0.05, 0.05))


def test_a_thin_disc_rolls_on_its_rim_at_the_rate_of_a_disc_without_thickness():
    """Steady motion with the centre at rest: Ω² = 4 g / (R sin α) [moffatt2000]."""
    g, R, alpha = 9.81, 0.05, 0.3
    s, c = math.sin(alpha), math.cos(alpha)
    rate = math.sqrt(4.0 * g / (R * s))
    disc = shapes.Cylinder("disc", R, 0.0, axis=(0.0, 0.0, 1.0))
    model = rt.Model("spatial", [rt.Body("disc", mass=0.2, shapes=[disc])], gravity=(0.0, 0.0, -g), contacts=[
        rt.Contact("rim", shapes.HalfSpace("ground", (0.0, 0.0, 1.0)), disc, rt.Poisson(0.0, mu=10.0))])
    start = rt.State(disc={"z": R * s, "q": (math.cos(0.5 * alpha), 0.0, math.sin(0.5 * alpha), 0.0),
                           "omega": tuple(-rate * s * np.array([c, 0.0, -s]))})
    result = rt.simulate(model, start, 0.5)
    assert result["disc.z"] == approx(R * s, abs=1e-6)
    assert np.hypot(result["disc.x"], result["disc.y"]).max() < 1e-6
    assert result["rim.force"] == approx(0.2 * g, rel=1e-4)
