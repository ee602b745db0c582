"""Gaps of convex meshes, boxes, capsules and cylinders against Coal, the collision library of the field."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import routh as rt
from random_mechanisms import unit
from random_scenes import start_gaps
from routh import shapes

coal = pytest.importorskip("coal", reason="Coal has no wheels for Windows")

TOLERANCE = 1e-9  # Coal's iteration over support points ends at 1e-12 of the squared distance, or at its duality gap


def mesh(points):
    """A convex mesh of Coal with these corners."""
    hull = ConvexHull(points)
    faces = coal.StdVec_Triangle()
    middle = points.mean(axis=0)
    for face, (*normal, offset) in zip(hull.simplices, hull.equations, strict=True):
        assert np.dot(normal, middle) + offset < 0.0
        a, b, c = (points[i] for i in face)
        order = face if np.cross(b - a, c - a) @ normal > 0.0 else face[::-1]
        faces.append(coal.Triangle(*map(int, order)))
    corners = coal.StdVec_Vec3s()
    corners.extend(list(points))
    return coal.Convex(corners, faces)


def random_pair(rng, kind):
    """(our shape, Coal's) of one kind, about a body's origin."""
    if kind == "mesh":
        points = 0.3 * np.array([unit(rng, 3) * rng.uniform(0.7, 1.0) for _ in range(rng.integers(6, 40))])
        points = points[np.unique(ConvexHull(points).simplices)]
        return lambda body: shapes.Hull(body, points.tolist()), mesh(points)
    size = rng.uniform(0.1, 0.4, 3)
    if kind == "box":
        return lambda body: shapes.Box(body, tuple(size)), coal.Box(*size)
    if kind == "capsule":
        ends = (0.0, 0.0, -size[0]), (0.0, 0.0, size[0])
        return lambda body: shapes.Capsule(body, *ends, size[1]), coal.Capsule(size[1], 2.0 * size[0])
    axis = (0.0, 0.0, 1.0)
    return lambda body: shapes.Cylinder(body, size[0], size[1], axis), coal.Cylinder(size[0], size[1])


def distance(first, second, poses):
    """Coal's distance of two shapes at these poses."""
    placed = [coal.Transform3s(Rotation.from_quat(q, scalar_first=True).as_matrix(), np.array(x)) for x, q in poses]
    wish = coal.DistanceRequest()
    wish.gjk_tolerance, wish.gjk_max_iterations = 1e-12, 1000
    return coal.distance(first, placed[0], second, placed[1], wish, coal.DistanceResult())


PAIRS = [("mesh", "mesh"), ("mesh", "box"), ("mesh", "capsule"), ("mesh", "cylinder"), ("box", "cylinder")]


@pytest.mark.parametrize("kinds", PAIRS, ids="-".join)
def test_gaps_of_convex_shapes_are_the_distances_of_coal(kinds):
    rng, compared = np.random.default_rng(11), 0
    while compared < 25:
        (ours, theirs), (other, their_other) = (random_pair(rng, kind) for kind in kinds)
        poses = [(rng.uniform(-0.6, 0.6, 3), unit(rng, 4)) for _ in range(2)]
        expected = distance(theirs, their_other, poses)
        if expected < 1e-3:
            continue
        compared += 1
        model = rt.Model("spatial", [rt.Body(name, 1.0, (0.1, 0.1, 0.1)) for name in ("a", "b")],
                         contacts=[rt.Contact("pair", ours("a"), other("b"), rt.Newton(0.5, 0.3))])
        start = rt.State({name: {**dict(zip("xyz", map(float, x), strict=True)), "q": tuple(q)}
                          for name, (x, q) in zip("ab", poses, strict=True)})
        assert start_gaps(model, start)[0] == pytest.approx(expected, abs=TOLERANCE)
