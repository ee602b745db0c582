"""Hostile files: 20,000 mutated ones, and the known bombs, end as a model or as an error that is one line, and soon."""

from __future__ import annotations

import time
import warnings

import pytest
from fuzz import run
from hypothesis import given, settings
from hypothesis import strategies as st
from test_robots import MJCF, URDF
from test_round_trip import everything

import routh as rt
from routh.errors import FileError, RouthError
from routh.gallery.scenes import scene

NAMES = ("park_ball", "park_bat", "tank", "rope", "newtons_cradle", "racket", "governor")
SEEDS = {
    "files": [*(rt.ModelFile(model, t_end=1.0) for model in everything()), *map(scene, NAMES)],
    "robots": [("urdf", URDF), ("mjcf", MJCF)],
}


@pytest.mark.parametrize("seed", range(8))
def test_2500_mutated_files_each_end_well(seed):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an overflow that only warns would be a number that nobody checked
        ends = run(2500, seed, SEEDS)
    assert ends["good"] > 50  # the mutations do not only hit the surface
    assert ends["FileError"] > 1000


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["format", "space", "bodies", "joints", "type", "mass", "inertia", "b", "law", "run"])
                | st.text(max_size=9),
                inner,
                max_size=6,
            )
        ),
        max_leaves=25,
    )
)
@settings(max_examples=300, deadline=None)
def test_any_data_is_a_model_or_an_error(data):
    import json

    for language in ("json", "yaml"):
        with pytest.raises(FileError):
            rt.parse_model(json.dumps(data), language)


def laughs(n):
    """The YAML bomb: each line holds the one before it nine times."""
    lines = ["a0: &a0 [lol,lol,lol,lol,lol,lol,lol,lol,lol]"]
    return "\n".join(lines + [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]" for i in range(1, n)])


HEAD = "format = 1\nspace = 'planar'\n[bodies.b]\nmass = 1\ninertia = 1\n"
BODY, PLANE = "<body><joint/><geom size='1'/></body>", "<geom type='plane'/>"
BALLS = "<body><freejoint/>" + "<geom size='1'/>" * 80 + "</body>"
BOMBS = {
    "aliases": ("yaml", laughs(12), "anchors and aliases"),
    "deep yaml": ("yaml", "[" * 100_000, "nested deeper than 16"),
    "deep yaml block": ("yaml", "- " * 100_000, "nested deeper than 16"),
    "deep json": ("json", '{"a":' * 200_000, "nested deeper than 16"),
    "deep list": ("json", "[" * 900_000, "nested deeper than 16"),
    "deep toml": ("toml", "a = " + "[" * 100_000, "nested deeper than 16"),
    "long dotted key": ("toml", "a." * 500_000 + "a = 1", "a key of more than 32 parts"),
    "long quoted key": ("toml", '"a".' * 300_000 + "a = 1", "a key of more than 32 parts"),
    "long escaped key": ("toml", ".".join(['"\\""'] * 50_000) + " = 1", "a key of more than 32 parts"),
    "long mixed key": ("toml", ".".join(['"\\\\\\""', "a", "'b'"] * 20_000) + " = 1", "a key of more than 32 parts"),
    "long header": ("toml", "[" + "a." * 500_000 + "a]", "a key of more than 32 parts"),
    "deep headers": ("toml", "".join(f"[{'.'.join('a' * n)}]\n" for n in range(1, 32)), "nested deeper than 16"),
    "huge integer": ("json", '{"format": ' + "9" * 100_000 + "}", "not JSON"),
    "huge integer in toml": ("toml", "format = " + "9" * 100_000, "not TOML"),
    "huge exponent": ("toml", HEAD.replace("mass = 1", 'mass = "1e999999999 kg"'), "too large or too small"),
    "too long": ("toml", "#" * 2_000_001, "2000000 are the limit"),
    "many bodies": ("toml", HEAD + "".join(f"[bodies.b{i}]\nmass=1\n" for i in range(5999)), "6000 elements; 5000"),
    "long name": ("toml", HEAD + f"[bodies.{'x' * 1_000_000}]\nmas = 1", 'no entry "mas"'),
    "long text": ("toml", HEAD.replace("mass = 1", f'mass = "{"9" * 1_000_000}"'), "is not a number with a unit"),
    "many unknown names": ("toml", "\n".join(f"{'k' * 50}{i} = 1" for i in range(30_000)), "format = 1 is missing"),
    "word": ("toml", "a" * 1_900_000, "not TOML"),
    "blanks": ("yaml", " " * 1_900_000, "format = 1 is missing"),
    "quotes": ("toml", '"' * 1_900_000, "not TOML"),
    "many bodies of a robot": ("mjcf", f"<mujoco><worldbody>{BODY * 6000}</worldbody></mujoco>", "more than 5000 bodies"),
    "many shapes of a robot": ("mjcf", f"<mujoco><worldbody>{PLANE * 80}{BALLS}</worldbody></mujoco>", "5000 contacts"),
    "not text": ("toml", b"\xff\xfe\x00", "not UTF-8"),
    "zip": ("json", b"PK\x03\x04" + bytes(1000), "not"),
    "date": ("toml", "format = 1979-05-27", "is unknown"),
    "python tag": ("yaml", "format: !!python/object/apply:os.system ['touch owned']", "the tag"),
    "merge key": ("yaml", "a: {<<: *x}", "not YAML|anchors"),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_quickly(name):
    language, text, words = BOMBS[name]
    began = time.process_time()
    with pytest.raises(RouthError, match=words) as caught:
        rt.parse_model(text, language, name="bomb", law=rt.Newton(0.0, 0.5))
    assert time.process_time() - began < 5.0  # one or two alone; the rest is for a loaded machine
    assert "\n" not in str(caught.value)


def test_nothing_in_a_file_is_read_run_or_imported(tmp_path, monkeypatch):
    (tmp_path / "secret.toml").write_text("format = 1")
    (tmp_path / "model").mkdir()
    opened = []
    import builtins

    real = builtins.open
    text = HEAD.replace("[bodies.b]", "name = '''{include: ../secret.toml} `id` $(id) __import__(\"os\")'''\n[bodies.b]")
    path = tmp_path / "model" / "m.toml"
    path.write_text(text)
    rt.read_model(path)  # whatever is loaded lazily is loaded
    monkeypatch.setattr(builtins, "open", lambda *a, **k: opened.append(a[0]) or real(*a, **k))
    assert "__import__" in rt.read_model(path).model.name
    assert opened == []
