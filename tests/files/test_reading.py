"""What is wrong in a model file is said with its line, its path, and the near names."""

from __future__ import annotations

import json

import pytest

import routh as rt
from routh.errors import FileError, ModelError
from routh.files.changes import value_of
from routh.files.lines import lines_of

BALL = """\
format = 1
name = "ball"
space = "planar"
gravity = [0, "-9.81 m/s^2"]

[bodies.ball]
mass = "160 g"
inertia = "0.58 kg cm^2"

[joints.rail]                     # never closes a loop
type = "Prismatic"
a = "ground"
b = "ball"
axis = [0, 1]

[forces.spring]
type = "JointSpring"
coordinate = "rail.shift"
stiffness = "2 N/m"

[contacts.bounce]
a = {type = "Disk", body = "ball", radius = "3 cm"}
b = {type = "HalfSpace", body = "ground", normal = [0, 1]}
law = {type = "Stronge", e = 0.8, mu = 0.3}

[start.rail]
shift = "1.03 m"

[run]
t_end = "5 s"
output = "10 ms"
"""


def read(text, language="toml"):
    return rt.parse_model(text, language, name="ball.toml")


def test_units_become_si():
    file = read(BALL)
    assert file.model["ball"] == rt.Body("ball", 0.16, 5.8e-5)
    assert file.model.gravity == (0.0, -9.81)
    assert file.model["bounce"].a.radius == 0.03
    assert file.start == rt.State(rail={"shift": 1.03})
    assert (file.t_end, file.options.output) == (5.0, 0.01)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("160 g", "160 N", 7, 'bodies.ball.mass: "160 N" has the wrong unit; this is a quantity in kg'),
        ("mass =", "mas =", 7, 'bodies.ball.mas: no entry "mas"; did you mean "mass"?'),
        ('"160 g"', "-1", 7, "mass = -1 must be zero or positive"),
        ('"160 g"', "true", 7, "True is not a number"),
        ('"160 g"', "1979-05-27", 7, "is not a number"),
        ('"160 g"', "nan", 7, "not finite"),
        ('"160 g"', "1" + "0" * 400, 7, "too large"),
        ('"160 g"', "[1, 2]", 7, "is not a number"),
        ('inertia = "0.58 kg cm^2"', "", 6, 'bodies.ball: body "ball": give mass and inertia'),
        ("Prismatic", "Prismatik", 11, 'no type "Prismatik" here; did you mean "Prismatic"'),
        ('type = "Prismatic"', "", 10, '"type" is missing'),
        ("Prismatic", "Spherical", 14, 'no entry "axis"'),
        ('b = "ball"', "b = 7", 13, "7 is not text; put it in quotes"),
        ('b = "ball"', 'b = "bal"', 10, 'no body "bal"; did you mean "ball"?'),
        ('"2 N/m"', '"2 N m/rad"', 19, "this is a quantity in N/m"),
        ('"rail.shift"', '"rail.shft"', 16, 'no coordinate "shft"'),
        ('"ball", radius', '"bal", radius', 21, 'no body "bal"; did you mean "ball"?'),
        ("e = 0.8", "e = 1.8", 24, "e = 1.8 is outside"),
        ("[0, 1]}", "[0, 0]}", 23, "has no direction"),
        ("law = {", "law = 3 # {", 24, "3 is not a table"),
        ("shift =", "shft =", 27, 'no quantity "shft"; did you mean "shift"'),
        ('shift = "1.03 m"', "x = 1", 27, 'no quantity "x"; known: "shift", "shift_rate"'),
        ("start.rail", "start.ral", 26, 'no body or joint "ral"; did you mean "rail"?'),
        ("t_end", "tend", 30, 'no entry "tend"; did you mean "t_end"?'),
        ('t_end = "5 s"', "t_end = [1]", 30, "one number of seconds"),
        ('t_end = "5 s"', 'method = "magic"', 30, "method"),
        ('t_end = "5 s"', "max_steps = 1.5", 30, "not a whole number"),
        ('t_end = "5 s"', "progress = 1", 30, "not true or false"),
        ("format = 1", "format = 2", 1, "format = 2 is unknown; this version reads 1"),
        ("format = 1", "format = true", 1, "is unknown"),
        ('[0, "-9.81', '[0, 0, "-9.81', 4, "has 3 components, expected 2"),
        ('space = "planar"', 'space = "flat"', 3, 'neither "planar" nor "spatial"'),
        ("[bodies.ball]", "[bodys.ball]", 6, 'no entry "bodys"; did you mean "bodies"?'),
        ("[bodies.ball]", '[bodies."a/b"]', 6, "a name may hold no dot"),
        ("[joints.rail]", "[joints.ball]", 10, "is used twice"),
        ('type = "JointSpring"', 'type = "JointLaw"', 19, "no entry"),
    ],
)
def test_errors_point_to_the_line_and_the_path(old, new, line, words):
    assert old in BALL
    with pytest.raises(FileError) as caught:
        read(BALL.replace(old, new, 1))
    assert caught.value.line == line, caught.value
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"ball.toml, line {line}, ")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "format = 1 is missing"),
        ("format = 1", '"space" is missing'),
        ('format = 1\nspace = "planar"', '"bodies" is missing'),
        ("format = 1\nspace = 'planar'\nbodies = 3", "3 is not a table such as"),
        ("a = ", "not TOML"),
        ("a = 1\na = 2", "not TOML"),
        ("format = 1\nspace='planar'\n[bodies]\n", "there is no body in it"),
        (
            "format = 1\nspace='planar'\n[bodies.b]\nmass=1\ninertia=1\n[forces.f]\ntype='BodyLaw'\nbody='b'",
            "holds a Python function",
        ),
    ],
)
def test_what_is_missing_is_named(text, words):
    with pytest.raises(FileError, match=words):
        read(text)


def test_the_unit_follows_the_coordinate_even_where_it_is_not_spelt_out():
    turning = (
        BALL.replace("Prismatic", "Revolute")
        .replace("axis = [0, 1]", "")
        .replace("rail.shift", "rail")
        .replace('shift = "1.03 m"', 'angle = "30 deg"')
    )
    with pytest.raises(FileError, match="this is a quantity in N m/rad"):
        read(turning)
    assert read(turning.replace("2 N/m", "2 N m/rad")).model["spring"].stiffness == 2.0


def test_json_and_yaml_say_their_lines_too():
    data = json.dumps({"format": 1, "space": "planar", "bodies": {"b": {"mass": "1 m", "inertia": 1}}}, indent=2)
    with pytest.raises(FileError) as caught:
        read(data, "json")
    assert caught.value.line == 6
    with pytest.raises(FileError) as caught:
        read("format: 1\nspace: planar\nbodies:\n  b: {inertia: 1,\n    mass: 1 m}\n", "yaml")
    assert caught.value.line == 5


def test_yaml_takes_words_and_numbers_as_they_look():
    file = read("format: 1\nspace: planar\nname: no\nbodies:\n  on: {mass: 1e0, inertia: 2}\n", "yaml")
    assert file.model.name == "no"
    assert file.model["on"].mass == 1.0


@pytest.mark.parametrize(
    ("text", "language", "words"),
    [
        ("a: &x 1\nb: *x", "yaml", "anchors and aliases"),
        ("a: !!python/object:os.system x", "yaml", "the tag"),
        ("- 1", "yaml", "holds a list"),
        ("a: 1\na: 2", "yaml", 'the key "a" comes twice'),
        ("--- {a: 1}\n--- {b: 1}", "yaml", "several YAML documents"),
        ("a: [", "yaml", "not YAML"),
        ("? [1]\n: 2", "yaml", "a key must be text"),
        ('{"a": 1, "a": 2}', "json", 'the key "a" comes twice'),
        ("[1]", "json", "holds a list"),
        ("{", "json", "not JSON"),
        ("null", "json", "holds nothing"),
        ("7", "json", "holds int 7"),
        ("x", "xml", 'no model file is written in "xml"'),
    ],
)
def test_other_languages_are_refused_for_a_reason(text, language, words):
    with pytest.raises(FileError, match=words):
        read(text, language)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none.toml", "cannot be read: No such file"),
        ("model.txt", 'no model file is written in ".txt"'),
        ("model", "no model file is written"),
    ],
)
def test_files_that_are_not_there(tmp_path, name, words):
    with pytest.raises(FileError, match=words):
        rt.read_model(tmp_path / name)


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "x.toml").mkdir()
    with pytest.raises(FileError, match="cannot be read"):
        rt.read_model(tmp_path / "x.toml")


def test_a_run_without_an_end_is_refused():
    with pytest.raises(ModelError, match='no end is given; write t_end = "5 s"'):
        read(BALL.replace('t_end = "5 s"', "")).simulate()


@pytest.mark.parametrize(
    ("path", "value", "get"),
    [
        ("ball.mass", "200 g", lambda f: f.model["ball"].mass == 0.2),
        ("bounce.law.mu", 0.1, lambda f: f.model["bounce"].law.mu == 0.1),
        ("bounce.law.mu_s", 0.5, lambda f: f.model["bounce"].law.mu_s == 0.5),
        ("gravity.1", -1.62, lambda f: f.model.gravity[1] == -1.62),
        ("bounce.law", {"type": "Poisson", "e": 0.1, "mu": 0.2}, lambda f: f.model["bounce"].law == rt.Poisson(0.1, 0.2)),
        ("rail.shift", "2 m", lambda f: f.start["rail"]["shift"] == 2.0),
        ("rail.shift_rate", 1, lambda f: f.start["rail"]["shift_rate"] == 1.0),
        ("t_end", "3 s", lambda f: f.t_end == 3.0),
        ("rtol", 1e-6, lambda f: f.options.rtol == 1e-6),
        ("run.atol", 1e-6, lambda f: f.options.atol == 1e-6),
        ("impacts", "simultaneous", lambda f: f.model.impacts == "simultaneous"),
        ("bounce.a.radius", "4 cm", lambda f: f.model["bounce"].a.radius == 0.04),
        ("bounce.law.type", "Newton", lambda f: isinstance(f.model["bounce"].law, rt.Newton)),
        ("start.rail.shift", 3, lambda f: f.start["rail"]["shift"] == 3.0),
        ("bodies.ball.mass", 3, lambda f: f.model["ball"].mass == 3.0),
    ],
)
def test_any_path_can_be_changed(path, value, get):
    assert get(rt.parse_model(BALL, changes={path: value}))


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("bal.mass", 'no element or entry "bal"; did you mean "ball"'),
        ("ball.mas", "did you mean"),
        ("gravity.7", 'no place "7" in a list of 2'),
        ("ball.mass.x", "holds nothing inside"),
        ("t_stop", 'did you mean "t_start"'),
        ("", "no element or entry"),
    ],
)
def test_a_wrong_path_is_named(path, words):
    with pytest.raises(FileError, match=words):
        rt.parse_model(BALL, changes={path: 1.0})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", 0.1),
        ("200 g", "200 g"),
        ('"200 g"', "200 g"),
        ("[1, 2]", [1, 2]),
        ("true", True),
        ('{type = "Poisson"}', {"type": "Poisson"}),
        ("planar", "planar"),
        ("1\nx = 2", "1\nx = 2"),
        ("[" * 5000, "[" * 5000),
    ],
)
def test_values_of_the_command_line(text, value):
    assert value_of(text) == value


def test_lines_of_odd_toml():
    text = (
        '"a.b" = 1\n[x."y z"] # c [\nk = """\n[not.a.table]\n"""\nl = [ # ]\n  1,\n  {p = 2,  q.r = \'}\'},\n]\n'
        "[[many]]\nm=1\n[[many]]\nm=2\n"
    )
    lines = lines_of(text, "toml")
    assert [
        lines[p]
        for p in [
            ("a.b",),
            ("x", "y z"),
            ("x", "y z", "k"),
            ("x", "y z", "l", 0),
            ("x", "y z", "l", 1, "q", "r"),
            ("many", 1, "m"),
        ]
    ] == [1, 2, 3, 7, 8, 13]


NAMED = """
format = 1
space = "planar"
[bodies.left]
mass = 1
inertia = 1
[bodies.right]
mass = 1
inertia = 1
[shapes.floor]
type = "HalfSpace"
body = "ground"
normal = [0, 1]
[laws.steel]
type = "Newton"
e = 0.5
mu = 0.2
[contacts.one]
a = "floor"
b = {type = "Disk", body = "left", radius = "10 cm"}
law = "steel"
[contacts.two]
a = "floor"
b = {type = "Disk", body = "right", radius = "10 cm"}
law = "steel"
"""


def test_shapes_and_laws_are_declared_once_and_used_by_name():
    model = rt.parse_model(NAMED).model
    assert model["one"].law == model["two"].law == rt.Newton(e=0.5, mu=0.2)
    assert model["one"].a == model["two"].a == rt.shapes.HalfSpace("ground", normal=(0.0, 1.0))


def test_a_change_of_a_named_law_reaches_all_that_use_it():
    model = rt.parse_model(NAMED, changes={"steel.mu": 0.7}).model
    assert (model["one"].law.mu, model["two"].law.mu) == (0.7, 0.7)


def test_what_is_written_shares_what_is_used_often():
    text = rt.format_model(rt.parse_model(NAMED))
    assert text.count("HalfSpace") == text.count("Newton") == 1
    assert rt.parse_model(text) == rt.parse_model(NAMED)


@pytest.mark.parametrize(("old", "new", "says"), [
    ('law = "steel"', 'law = "stel"', 'line 20, contacts.one.law: no shape, law or profile "stel"; did you mean "steel"?'),
    ("e = 0.5", "e = 1.5", "line 15, laws.steel.e: Newton: e = 1.5 is outside"),
    ('type = "Newton"', 'type = "Disk"', "line 14, laws.steel.type: no type \"Disk\" here"),
    ("[laws.steel]", "[laws]\nsteel = 3", "laws.steel: 3 is not a table"),
])  # fmt: skip
def test_errors_of_named_declarations_point_to_their_line(old, new, says):
    with pytest.raises(FileError) as caught:
        rt.parse_model(NAMED.lstrip().replace(old, new, 1) if "laws]" not in new else
                       NAMED.lstrip().replace(old + '\ntype = "Newton"\ne = 0.5\nmu = 0.2', new))
    assert says in str(caught.value)


def test_a_wrong_change_is_blamed_and_not_the_line_of_the_file():
    with pytest.raises(FileError, match=r"^ball.toml, --set one.b.radius: ") as caught:
        rt.parse_model(NAMED, name="ball.toml", changes={"one.b.radius": "3 kg"})
    assert caught.value.line is None
    with pytest.raises(FileError, match=r'"left" is an element; name the entry to change, such as left.mass'):
        rt.parse_model(NAMED, changes={"left": {"a": 1}})
