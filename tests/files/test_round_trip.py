"""A Model written to a file and read back is the same Model, in every language, to the last bit."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import random_mechanisms
import random_scenes
import routh as rt
from routh import forces, friction, joints, shapes
from routh.errors import ModelError
from routh.files import elements
from routh.gallery.scenes import SCENES, scene
from routh.model import compliant
from routh.vehicles import excavator

LANGUAGES = ("toml", "json", "yaml")


def same_bits(a, b):
    """Equality to the sign of a zero, which == does not see."""
    return a == b and repr(a) == repr(b)


def read_back(file, language):
    return rt.parse_model(rt.format_model(file, language=language), language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", sorted(SCENES))
def test_every_scene_of_the_gallery_survives(name, language):
    assert same_bits(read_back(scene(name), language), scene(name))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("seed", range(20))
def test_random_mechanisms_survive(space, seed, language):
    drawn = random_mechanisms.draw(np.random.default_rng(seed), space, n_bodies=4, loops=seed % 2)
    kept = tuple(f for f in drawn.model.forces if not hasattr(f, "law"))
    file = rt.ModelFile(dataclasses.replace(drawn.model, forces=kept), drawn.start, t_end=1.0 + seed / 7.0)
    back = read_back(file, language)
    assert back.model == file.model
    assert back.start == file.start
    assert back.t_end == file.t_end


@pytest.mark.parametrize("space", ["planar", "spatial"])
@pytest.mark.parametrize("seed", range(8))
def test_random_scenes_with_contacts_survive(space, seed):
    drawn = random_scenes.draw_scene(seed, space)
    kept = tuple(f for f in drawn.model.forces if not hasattr(f, "law"))
    model = dataclasses.replace(drawn.model, forces=kept)
    for language in LANGUAGES:
        back = read_back(rt.ModelFile(model, drawn.start, drawn.t_end), language)
        assert (back.model, back.start, back.t_end) == (model, drawn.start, drawn.t_end)


def compliant_laws():
    """Every compliant law, with every friction beside it."""
    laws = [
        compliant.Linear(1e5, 10.0),
        compliant.KhuliefShabana(1e5, 0.5, 2.0),
        compliant.Hertz(1e7, 1.4),
        compliant.HuntCrossley(1e7, 0.3),
        compliant.LankaraniNikravesh(1e7, 0.7, speed=0.5),
        compliant.Flores(1e7, 0.7, slow=1e-4),
        compliant.AdamsImpact(1e7, 30.0, 1e-4, 1.3),
        compliant.WaltonBraun(1e6, 3e6),
    ]
    rubbing = [
        None,
        friction.Regularised(0.3, 1e-3),
        friction.LuGre(friction.Stribeck(0.4, 0.3, 0.1), 1e5, 30.0, 0.1),
        friction.Stiction(0.3, 1e4),
    ]
    rolling = friction.Rolling(1e-3, slow=0.1)
    return [rt.Compliant(law, rubbing[i % 4], rolling if i == 1 else None) for i, law in enumerate(laws)]


def restitutions():
    """Every restitution that depends on the approach speed."""
    r = rt.restitution
    return [r.PowerLaw(0.7, 1.0, 0.2), r.Plastic(3e8, 1.15e11, 0.005, 0.0041), r.Table((0.0, 1 / 3), (0.9, 0.7))]


def everything():
    """A planar and a spatial model, and a tracked vehicle, that hold every type that a file can."""
    law = rt.Brach(e=0.1, mu=friction.Table((0.0, 1.0), (0.4, 0.2)), mu_s=0.5, e_t=-0.25)
    p = rt.profiles
    flat = rt.Model(
        "planar",
        name='quotes " and \\ and Ünïcode',
        gravity=(0.1, -1 / 3),
        impacts="sequential",
        bodies=[
            rt.Body("1e3", 0.1 + 0.2, 1e-300),
            rt.Body("true", 2.0, 1e300),
            rt.Body("null", 1.0, 1.0),
            rt.Body("späť-βody", 5e-324, 1.0),
            rt.Body("a'b\"c", 1.0, 1.0),
            rt.Body("#x=[]{}", 1.0, 1.0),
            rt.Body("plate", shapes=[shapes.Disk("plate", 0.3), shapes.Disk("plate", 0.1)], density=(2.0, -1.0), thickness=0.1),
            rt.Body("lever", 1.0, 0.2, centre=(0.1, -0.2)),
        ],
        joints=[
            joints.Revolute("r", "ground", "1e3", (0.1, 0.2), (-0.0, 0.3), turn=0.5,
                            friction=joints.DryFriction(mu=0.2, radius=0.005, preload=3.0, stiction=1.2)),
            joints.Weld("w", "1e3", "true", turn=1.0),
            joints.Prismatic("p", "ground", "null", axis=(3.0, 4.0), friction=joints.DryFriction(force=2.0)),
            joints.PinInSlot("s", "ground", "true", axis=(1.0, 1.0)),
            joints.Free("f", "ground", "späť-βody"),
            joints.Rod("rod", "null", "späť-βody", length=1.5),
            joints.Revolute("r2", "ground", "a'b\"c"),
            joints.Gear("g", "r.angle", "r2", ratio=-2.0, phase=0.1),
            joints.Rack("rk", "r2.angle", "p.shift", radius=0.3, phase=0.1),
        ],
        forces=[
            forces.PointForce("pf", "1e3", (1.0, 2.0), (0.1, 0.0), p.Haversine(0.1, 0.2, 3.0), follows=True),
            forces.Torque("t", "true", 2.0, p.Sine(1.0, 2.0, 0.3, 0.4)),
            forces.SpringDamper("sd", "null", "true", (0.0, 1.0), (1.0, 0.0), 100.0, 2.0, 0.5),
            forces.JointSpring("js", "r", 10.0, 1.0, 0.2),
            forces.JointFriction("jf", "p.shift", 0.3),
            forces.Drag("dr", "1e3", 0.1, 0.2, 0.3, 1e-3, (0.1, 0.2)),
            forces.SpinDrag("sp", "true", quadratic=0.1),
            forces.Motor("mo", "r", 2.0, p.Constant(0.5) + p.Sine(0.1, 2.0), 300.0),
            forces.Servo("se", "p", p.CubicStep(0.0, 1.0, 0.2), 10.0, 1.0, 5.0),
            forces.SpeedServo("ss", "r2", p.ConstantRate(1.0), 3.0),
            forces.Brake("br", "r2", 1.0, 1.5, p.Rectangle(0.5, 0.1)),
            forces.Clutch("cl", "r", "r2", 1.0, 1.5),
            forces.Bushing("bu", "null", "1e3", (0.0, 0.1), (0.2, 0.3), (1.0, 2.0), (3.0, 4.0), 5.0, 6.0),
            *(
                forces.PointForce(f"w{i}", "1e3", (1.0, 0.0), profile=profile)
                for i, profile in enumerate(
                    [
                        p.Rectangle(0.0, 1.0),
                        p.Triangle(0.0, 1.0, 2.0),
                        p.CubicPulse(0.5, 1.0),
                        p.Constant(2.0),
                        p.Polynomial((1.0, 2.0, 3.0), 0.5),
                        p.Table((0, 1, 2, 3), (0, 1, 0, 1), "natural"),
                    ]
                )
            ),
        ],
        drivers=[rt.Driver("d1", "s.shift", p.CubicStep(0.0, 1.0, 0.1)), rt.Driver("d2", "s.angle", p.ConstantRate(2.0, 0.1))],
        contacts=[
            rt.Contact("c1", shapes.Disk("1e3", 0.1, (0.1, 0.2)), shapes.Ellipse("ground", (0.2, 0.1), (9.0, 9.0), 0.3), law),
            rt.Contact(
                "c2",
                shapes.Polygon("null", ((5.0, 5.0), (6.0, 5.0), (6.0, 6.5))),
                shapes.Polyline("ground", ((-9.0, -9.0), (0.0, -9.0), (3.0, -8.0)), (0.1, -0.2)),
                rt.Newton(0.5, friction.Stribeck(0.5, 0.3, 0.1, 0.01, 1.0), form="algebraic"),
            ),
            rt.Contact(
                "c3",
                shapes.Capsule("true", (0.0, 0.0), (0.0, 1.0), 0.1),
                shapes.HalfSpace("ground", (3.0, 4.0)),
                rt.Stronge(1.0, friction.Fading(0.3, 0.1)),
            ),
            *(
                rt.Contact(f"fall{i}", shapes.Disk("null", 0.1), shapes.HalfSpace("ground", (0.0, 1.0), (0.0, -30.0)), law)
                for i, law in enumerate(rt.Moreau(e, 0.3) for e in restitutions())
            ),
            *(
                rt.Contact(f"soft{i}", shapes.Disk("null", 0.1), shapes.HalfSpace("ground", (0.0, 1.0), (0.0, -20.0)), soft)
                for i, soft in enumerate(compliant_laws())
            ),
            rt.ContactGroup(
                "heap", [shapes.Disk("null", 0.1), shapes.Disk("true", 0.2)], [shapes.HalfSpace("ground", (0.0, 1.0))], law
            ),
            rt.ContactGroup("all", [shapes.Disk("null", 0.3), shapes.Disk("true", 0.4)], law=rt.Poisson(0.5, 0.3)),
            rt.Stop("st", "r.angle", lower=-1.0, e=0.5),
            rt.Rope("ro", "ground", "null", 20.0, (0.0, 1.0), e=0.0),
        ],
        impulses=[
            rt.impulses.Impulse("i1", "null", 0.1, (1.0, 2.0), (0.1, 0.0), True),
            rt.impulses.AngularImpulse("i2", "null", 0.2, 0.3),
        ],
    )
    turn = (0.5, 0.5, -0.5, 0.5)
    bodies = [
        rt.Body(f"b{i}", 1.0 + i, (1.0, 1.5, 2.0) if i else ((1.0, 0.1, 0.0), (0.1, 1.0, 0.0), (0.0, 0.0, 1.0)))
        for i in range(9)
    ]
    corners = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    faces = ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    bodies.append(rt.Body("tetra", mass=2.0, shapes=[shapes.Mesh("tetra", corners, faces)]))
    solid = rt.Model(
        "spatial",
        bodies,
        gravity=(0.0, 0.0, -9.81),
        impacts="simultaneous",
        joints=[
            joints.Cylindrical("j0", "ground", "b0", axis=(1.0, 2.0, 3.0), turn=turn,
                               friction=joints.DryFriction(mu=0.1, radius=0.01, length=0.2)),
            joints.Screw("j1", "ground", "b1", axis=(0.0, 0.0, 1.0), pitch=-0.01),
            joints.Spherical("j2", "b1", "b2"),
            joints.Universal("j3", "ground", "b3", axis=(1.0, 0.0, 0.0), axis_b=(0.0, 1.0, 0.0)),
            joints.Planar("j4", "ground", "b4", axis=(0.0, 0.0, 1.0), tangent=(1.0, 1.0, 0.0)),
        ],
        forces=[
            forces.Torque("t", "b5", (1.0, 2.0, 3.0), follows=True),
            forces.Bushing(
                "bu",
                "b5",
                "b6",
                stiffness=(1.0, 2.0, 3.0),
                damping=(1.0, 1.0, 1.0),
                rotation_stiffness=(1.0, 2.0, 3.0),
                rotation_damping=(0.0, 0.0, 0.0),
            ),
        ],
        drivers=[rt.Driver("d", "j1.angle", rt.profiles.SmoothRamp(1.0, 0.5, 0.1, 0.2))],
        contacts=[
            rt.Contact(
                "c1", shapes.Sphere("b5", 0.1), shapes.Box("b6", (1.0, 2.0, 3.0), (9.0, 0.0, 0.0), turn), rt.Poisson(0.5, 0.3)
            ),
            rt.Contact(
                "c2",
                shapes.Ellipsoid("b7", (0.1, 0.2, 0.3), turn=turn),
                shapes.HalfSpace("ground", (0.0, 0.0, 1.0)),
                rt.Poisson(0.5, 0.3),
            ),
            rt.Contact(
                "c3",
                shapes.Cylinder("b8", 0.1, 0.5, (1.0, 1.0, 1.0)),
                shapes.Hull("ground", ((9, 0, 0), (10, 0, 0), (9, 1, 0), (9, 0, 1), (9.1, 0.1, 0.1))),
                rt.Poisson(0.5, 0.3),
            ),
            rt.Contact(
                "c4",
                shapes.Capsule("b8", (0.0, 0.0, 0.0), (0.0, 1.0, 0.0), 0.1),
                shapes.Sphere("b7", 0.1),
                rt.Poisson(0.5, 0.3),
            ),
        ],
    )
    return [flat, solid, excavator.vehicle().model()]


def types_in(value):
    """Every declaration inside a value."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from types_in(item)
    elif dataclasses.is_dataclass(value):
        yield type(value)
        for field in dataclasses.fields(value):
            yield from types_in(getattr(value, field.name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_declaration_survives_with_hostile_names_and_extreme_numbers(language):
    for model in everything():
        assert same_bits(read_back(rt.ModelFile(model), language).model, model)


def test_that_model_of_everything_is_one():
    """A new declaration must join `everything`, so that it is written and read."""
    seen = {kind for model in everything() for kind in types_in(model)}
    families = set(elements.sections().values()) | {
        f.family for kind in seen for f in elements.fields_of(kind).values() if f.family
    }
    known = {kind for family in families for kind in elements.types_of(family).values()}
    without = {kind for kind in known if any(f.kind == elements.FUNCTION for f in elements.fields_of(kind).values())}
    assert {k.__name__ for k in known - without - seen} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_start_and_options_survive(language):
    model = rt.Model("spatial", [rt.Body("b", 1.0, (1.0, 1.0, 1.0))])
    start = rt.State(b={"x": -0.0, "q": (0.6, 0.8, 0.0, 0.0), "omega": (1.0, 2.0, 1 / 3)})
    options = rt.Options(rtol=1e-11, method="explicit", output=(0.1, 0.2), max_step=0.1, max_steps=7, progress=False)
    file = rt.ModelFile(model, start, 2.0, -1.0, options)
    assert same_bits(read_back(file, language), file)


def test_a_file_on_disk_is_read_as_it_was_written(tmp_path):
    for suffix in (".toml", ".json", ".yaml", ".yml", ".TOML"):
        path = rt.write_model(tmp_path / f"rope{suffix}", scene("rope"))
        assert rt.read_model(path) == scene("rope")


@pytest.mark.parametrize(
    ("element", "path"),
    [
        (forces.BodyLaw("own", "b", law=lambda *a: None), "forces.own.law"),
        (
            rt.Contact(
                "c",
                shapes.Disk("b", 1.0),
                shapes.HalfSpace("ground", (0.0, 1.0)),
                rt.Poisson(0.5, friction.Law(lambda s, p: 0.3)),
            ),
            "contacts.c.law.mu.function",
        ),
    ],
)
def test_a_python_function_is_refused_with_its_path(element, path):
    field = path.partition(".")[0]
    model = rt.Model("planar", [rt.Body("b", 1.0, 1.0)], **{field: [element]})
    with pytest.raises(ModelError, match=f"{path} is a Python function, and a file holds only data"):
        rt.format_model(model)


def test_a_declaration_of_the_users_own_is_refused():
    @dataclasses.dataclass(frozen=True)
    class Magnet(forces.Force):
        pass

    model = rt.Model("planar", [rt.Body("b", 1.0, 1.0)])
    object.__setattr__(model, "forces", (Magnet("m"),))
    with pytest.raises(ModelError, match=r"forces\.m: Magnet is not a declaration that files know"):
        rt.format_model(model)


def test_a_model_with_a_law_of_its_own_is_refused():
    law = forces.BodyLaw("wind", "ball", law=lambda t, pose, velocity, p, out: None)
    with pytest.raises(ModelError, match="is a Python function"):
        rt.format_model(rt.Model("planar", [rt.Body("ball", 1.0, 1.0)], forces=[law]))
