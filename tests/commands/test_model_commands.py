"""The commands on model files and results: what they print, write and return."""

from __future__ import annotations

import csv
import dataclasses
import json
import resource
import subprocess
import sys

import numpy as np
import pytest

import routh as rt
from routh import cli

BALL = """\
format = 1
name = "ball"
space = "planar"
gravity = [0, "-9.81 m/s^2"]

[bodies.ball]
mass = "160 g"
inertia = "0.58 kg cm^2"

[contacts.bounce]
a = {type = "Disk", body = "ball", radius = "3 cm"}
b = {type = "HalfSpace", body = "ground", normal = [0, 1]}
law = {type = "Stronge", e = 0.8, mu = 0.3}

[start.ball]
y = "1.03 m"
vx = "0.5 m/s"

[run]
t_end = "1 s"
"""


@pytest.fixture
def ball(tmp_path):
    path = tmp_path / "ball.toml"
    path.write_text(BALL)
    return path


@pytest.fixture(scope="module")
def saved(tmp_path_factory):
    """A result of the ball."""
    return rt.parse_model(BALL).simulate().save(tmp_path_factory.mktemp("ball") / "ball.nc")


@pytest.fixture
def routh(monkeypatch, capsys):
    """Run a command in this process: (exit code, output, errors)."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["routh", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            cli.main()
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return ended.value.code or 0, captured.out, captured.err

    return run


def test_run_prints_a_summary_and_writes_the_result(routh, ball, tmp_path):
    code, out, _ = routh("run", ball, "-o", tmp_path / "run.nc")
    assert code == 0
    for words in ("status    finished", "time      0 ... 1 s", "1 impact", "energy account [J]", "written: "):
        assert words in out
    assert rt.load(tmp_path / "run.nc").impacts.t[0] == pytest.approx(np.sqrt(2.0 / 9.81), rel=1e-12)


def test_run_takes_changes_with_units(routh, ball):
    code, out, _ = routh(
        "run",
        ball,
        "--set",
        "ball.y=2.03",
        "--set",
        "gravity=[0, -1.62]",
        "--set",
        't_end="3 s"',
        "--set",
        "ball.mass=200 g",
        "--json",
    )
    data = json.loads(out)
    assert code == 0
    assert (data["status"], data["t_end"], data["impacts"]) == ("finished", 3.0, 1)
    assert data["energy"]["total"] + -data["energy"]["impacts"] == pytest.approx(0.2 * (1.62 * 2.03 + 0.125), rel=1e-12)
    assert data["energy_error"] < 1e-12


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["run", "none.toml"], 1, "cannot be read: No such file"),
        (["run", "BALL", "--set", "ball.mass=-1"], 1, "--set ball.mass: body \"ball\": mass = -1 must be"),
        (["run", "BALL", "--set", "bal.mass=1"], 1, 'did you mean "ball"'),
        (["run", "BALL", "--set", "mass"], 2, "is not PATH=VALUE"),
        (["run", "BALL", "--set", "ball.y=-1"], 1, "overlaps by"),
        (["run", "BALL", "--set", 'ball.mass="1 m"'], 1, "this is a quantity in kg"),
        (["run", "BALL", "--set", "max_steps=3", "--set", "max_step=1 ms"], 3, "more steps than Options.max_steps"),
        (["run"], 2, "Missing argument"),
        (["plot", "none.nc", "x"], 1, "no such file"),
        (["plot", "BALL", "ball.z"], 1, 'no channel "ball.z"; did you mean'),
        (["plot", "BALL", "ball.y", "-o", "x.doc"], 1, 'x.doc: cannot be written as ".doc"'),
        (["export", "BALL", "-o", "x.doc"], 1, 'as ".doc"'),
        (["export", "BALL", "-o", "x.csv", "--table", "spam"], 1, 'no table "spam"'),
        (["export", "BALL", "-o", "x.csv", "y"], 1, "no channel"),
        (["export", "BALL", "-o", "x.gif", "--fps", "0"], 1, "fps = 0 must be positive"),
        (["export", "BALL", "-o", "x.gif", "--speed", "1e-6"], 1, "frames; 3000 are the limit"),
        (["gallery", "spam"], 1, 'no scene "spam"'),
        (["convert", "BALL", "x.txt"], 1, 'is written in ".txt"'),
        (["convert", "BALL", "x.json", "--law", "{e=1}"], 1, '"type" is missing'),
        (["reproduce", "spam"], 1, 'no gallery module "spam"'),
        (["run", "BALL", "-o", "/nowhere/at/all.nc"], 1, "/nowhere/at/all.nc: there is no folder /nowhere/at"),
        (["run", "BALL", "-o", "BALL"], 1, 'ball.toml: cannot be written as ".toml"; take .csv'),
        (["run", "BALL", "-o", "x.doc"], 1, 'x.doc: cannot be written as ".doc"; take .csv'),
        (["run", "BALL", "-o", "folder.nc"], 1, "folder.nc: is a folder"),
        (["report", "BALL", "-o", "BALL"], 1, 'cannot be written as ".toml"'),
        (["export", "NC", "-o", "NC"], 1, "is the file that is read; give the output another name"),
        (["plot", "BALL", "ball.y", "-o", "BALL"], 1, 'cannot be written as ".toml"'),
        (["report", "BALL", "ball.y,ball.z"], 1, 'no channel "ball.z"'),
        (["run", "BALL", "--set", "bounce.law.mu=-1"], 1, "ball.toml, --set bounce.law.mu: Stronge: mu = -1"),
        (["energy", "NC", "--set", "a=1"], 2, "only a model can be changed"),
    ],
)
def test_what_is_wrong_is_one_line_and_an_exit_code(routh, ball, saved, tmp_path, monkeypatch, arguments, code, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.nc").mkdir()
    before = ball.read_text()
    found, _, err = routh(*({"BALL": ball, "NC": saved}.get(a, a) for a in arguments))
    assert found == code
    assert words in " ".join(err.replace("│", " ").split())
    assert ball.read_text() == before


def test_a_wrong_output_is_found_before_the_run(routh, ball, monkeypatch):
    monkeypatch.setattr(rt.ModelFile, "simulate", lambda self: pytest.fail("it ran"))
    for command in (["run", ball, "-o", "x.doc"], ["report", ball, "-o", "/nowhere/x.html"], ["export", ball, "-o", "x.doc"]):
        assert routh(*command)[0] == 1


def test_a_run_is_printed_even_where_it_cannot_be_saved(routh, ball, saved, tmp_path, monkeypatch):
    import errno

    import routh.sim.files as files

    def full(path, data):
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(files, "write_whole", full)
    code, out, err = routh("run", ball, "-o", tmp_path / "run.nc")
    assert code == 1
    assert "status    finished" in out
    assert err == f"error: {tmp_path / 'run.nc'}: No space left on device\n"


def test_a_run_that_breaks_off_hands_over_what_it_has(routh, ball, tmp_path):
    code, out, err = routh("run", ball, "--set", "max_steps=3", "--set", "max_step=1 ms", "-o", tmp_path / "part.nc")
    assert code == 3
    assert "status    too many steps" in out
    assert rt.load(tmp_path / "part.nc").status == "too many steps"
    assert err.startswith("error: ball: stopped at")


def test_ctrl_c_hands_over_what_there_is(routh, ball, saved, tmp_path, monkeypatch):
    part = rt.load(saved)
    part.status = "interrupted"
    monkeypatch.setattr(rt.ModelFile, "simulate", lambda self: part)
    code, out, _ = routh("run", ball, "-o", tmp_path / "part.nc")
    assert code == 130
    assert "status    interrupted" in out
    assert (tmp_path / "part.nc").exists()


def test_info_counts_and_shows_the_tree(routh, tmp_path):
    routh("gallery", "four_bar", "-o", tmp_path / "bar.toml")
    code, out, _ = routh("info", tmp_path / "bar.toml")
    assert code == 0
    for words in ("degrees of freedom      1", "loop closures", "redundant constraints", "tree\n  ground\n", "(Revolute "):
        assert words in out
    data = json.loads(routh("info", tmp_path / "bar.toml", "--json")[1])
    assert data["freedom"]["freedom"] == 1
    assert {branch["on"] for branch in data["tree"]} >= {"ground"}


def test_check_looks_at_several_files(routh, ball, tmp_path):
    bad = tmp_path / "bad.toml"
    bad.write_text(BALL.replace("160 g", "160 N"))
    assert routh("check", ball)[:2] == (0, f"{ball}: good: planar, 1 body, 1 contact\n")
    code, out, _ = routh("check", ball, bad)
    assert code == 4
    assert f'{bad}: line 7, bodies.ball.mass: "160 N" has the wrong unit' in out
    rows = json.loads(routh("check", ball, bad, "--json", "--no-assemble")[1])
    assert [(row["good"], row["line"], row["path"]) for row in rows] == [(True, None, ""), (False, 7, "bodies.ball.mass")]


def test_plot_draws_channels_or_lists_them(routh, saved, tmp_path):
    assert "bounce.force" in routh("plot", saved)[1]
    assert routh("plot", saved, "ball.y", "ball.vy", "-o", tmp_path / "sub" / "y.svg")[0] == 0
    text = (tmp_path / "sub" / "y.svg").read_text()
    assert "<svg" in text


def test_energy_adds_up(routh, saved, tmp_path):
    assert "bounce" in routh("energy", saved)[1]
    data = json.loads(routh("energy", saved, "--json", "--figure", tmp_path / "e.png")[1])
    assert data["start"] + sum(data["works"].values()) == pytest.approx(data["end"], rel=1e-12)
    assert (tmp_path / "e.png").read_bytes().startswith(b"\x89PNG")


def test_compare_finds_what_differs(routh, ball, saved):
    assert routh("compare", saved, ball)[0] == 0
    code, out, _ = routh("compare", saved, ball, "--set", "ball.vx=0.51")
    assert code == 4
    assert "ball.vx" in out
    assert "differs" in out
    data = json.loads(routh("compare", saved, ball, "--set", "ball.vx=0.51", "--json", "--rtol", "0.1", "--atol", "0.01")[1])
    vx = next(row for row in data["channels"] if row["channel"] == "ball.vx")
    assert vx["difference"] == pytest.approx(0.01, rel=1e-6)


def test_convert_and_gallery_write_files_that_run_the_same(routh, ball, tmp_path):
    for suffix in ("json", "yaml"):
        assert routh("convert", ball, tmp_path / f"ball.{suffix}")[0] == 0
        assert rt.read_model(tmp_path / f"ball.{suffix}") == rt.read_model(ball)
    assert routh("gallery", "rope")[1].startswith("format = 1\n")
    assert "slider_crank" in json.loads(routh("gallery", "--json")[1])


def test_the_schema_is_printed_or_written(routh, tmp_path):
    assert json.loads(routh("schema")[1])["title"] == "Routh model file"
    assert routh("schema", "-o", tmp_path / "routh.schema.json")[0] == 0
    assert json.loads((tmp_path / "routh.schema.json").read_text())["required"] == ["format", "space", "bodies"]


def test_reproduce_writes_tables_figures_json_and_a_page(routh, tmp_path):
    code, out, _ = routh(
        "reproduce",
        "rod_45",
        "--figures",
        tmp_path / "figures",
        "--json",
        tmp_path / "claims.json",
        "--page",
        tmp_path / "page.md",
    )
    assert code == 0
    assert "6 of 6 claims hold" in out
    rows = json.loads((tmp_path / "claims.json").read_text())
    assert set(rows[0]) == {"paper", "claim", "published", "computed", "tolerance", "holds", "note", "derived",
                            "unreproducible"}
    assert "![rod_45_routh](figures/rod_45_routh.png)" in (tmp_path / "page.md").read_text()
    assert (tmp_path / "figures" / "rod_45_routh.png").exists()
    assert json.loads(routh("reproduce", "rod_45", "--no-draw", "--json", "-")[1]) == rows


def test_reproduce_fails_where_a_claim_does_that_a_reading_gives(routh, monkeypatch):
    from routh.gallery import rod_45
    from routh.gallery.claims import Claim

    wrong = Claim("x", "two and two", 4.0, 5.0, 0.1, note="a note is no excuse", derived="counting")
    monkeypatch.setattr(rod_45, "claims", lambda: [wrong])
    code, out, _ = routh("reproduce", "rod_45", "--no-draw")
    assert code == 4
    assert "0 of 1 claims hold" in out
    monkeypatch.setattr(rod_45, "claims", lambda: [dataclasses.replace(wrong, unreproducible=True)])
    assert routh("reproduce", "rod_45", "--no-draw")[0] == 0


def test_export_writes_every_sample_with_all_digits(routh, saved, tmp_path):
    result = rt.load(saved)
    assert routh("export", saved, "-o", tmp_path / "x.csv", "ball.y", "bounce.force")[0] == 0
    with (tmp_path / "x.csv").open() as file:
        head, *rows = csv.reader(file)
    assert head == ["t [s]", "ball.y [m]", "bounce.force [N]"]
    assert np.array_equal(np.array(rows, float), np.column_stack([result.t, result["ball.y"], result["bounce.force"]]))
    assert routh("export", saved, "-o", tmp_path / "hits.csv", "--table", "impacts")[0] == 0
    assert (tmp_path / "hits.csv").read_text().startswith("t [s],contact,kind")


def test_export_to_parquet_keeps_units(routh, saved, tmp_path):
    import pyarrow.parquet as pq

    assert routh("export", saved, "-o", tmp_path / "x.parquet")[0] == 0
    table = pq.read_table(tmp_path / "x.parquet")
    assert table.schema.field("ball.y").metadata == {b"unit": b"m"}
    assert np.array_equal(table["ball.y"].to_numpy(), rt.load(saved)["ball.y"])
    assert routh("export", saved, "-o", tmp_path / "e.parquet", "--table", "events")[0] == 0
    assert pq.read_table(tmp_path / "e.parquet")["kind"].to_pylist() == list(rt.load(saved).events["kind"])


def test_export_to_netcdf_is_the_result(routh, saved, tmp_path):
    assert routh("export", saved, "-o", tmp_path / "copy.nc")[0] == 0
    assert np.array_equal(rt.load(tmp_path / "copy.nc")["ball.y"], rt.load(saved)["ball.y"])


def seconds(*arguments, tries=3):
    """The least processor time of a command in a process of its own: wall time depends on who else is at work."""
    best = np.inf
    for _ in range(tries):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "routh", *map(str, arguments)], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return best


def heavy_after(code):
    """Heavy modules that a command has loaded when it ends."""
    names = ("scipy.integrate", "scipy.linalg", "matplotlib", "xarray", "pandas", "h5py", "pyarrow", "rich.progress")
    script = f"import sys\nfrom routh import cli\nsys.argv = {code!r}\ntry:\n    cli.main()\nexcept SystemExit:\n    pass\n"
    script += f"print('LOADED', *(m for m in {names!r} if m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return run.stdout.rpartition("LOADED")[2].split()


def test_a_warm_run_loads_nothing_that_it_does_not_need(ball):
    """What keeps `routh run ball.toml` below 1.5 s: each of these would cost 0.1 s to 0.7 s."""
    assert heavy_after(["routh", "run", str(ball)]) == []


def test_help_comes_at_once():
    assert seconds("--help") < 0.3


def test_a_warm_run_is_quick(ball):
    seconds("run", ball, tries=1)  # warms up
    assert seconds("run", ball) < 3.0  # 1.3 s on a core of one's own, 2.3 s where six others share two cores


def test_every_command_can_print_json(routh, ball, saved, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for command, key in ((["run", ball, "-o", "x.csv"], "impact_rows"), (["plot", saved, "ball.y", "-o", "y.png"], "files"),
                         (["plot", saved], "ball.y"), (["report", saved, "ball.y,ball.vy", "-o", "r.html"], "files"),
                         (["export", saved, "ball.y", "-o", "e.csv"], "files"), (["convert", ball, "c.json"], "notes"),
                         (["gallery", "park_ball", "-o", "g.toml"], "files")):  # fmt: skip
        code, out, _ = routh(*command, "--json")
        assert code == 0
        assert key in json.loads(out), command
    rows = json.loads(routh("run", ball, "--json")[1])["impact_rows"]
    assert rows[0]["contact"] == "bounce"


def test_a_scene_of_the_gallery_is_run_where_its_file_says_so(routh, tmp_path):
    assert routh("gallery", "park_ball", "-o", tmp_path / "ball.gif", "--speed", "4", "--set", "t_end=0.4")[0] == 0
    assert (tmp_path / "ball.gif").read_bytes().startswith(b"GIF8")
    assert routh("gallery", "park_ball", "-o", tmp_path / "ball.nc")[0] == 0
    assert rt.load(tmp_path / "ball.nc").success


def test_help_lines_are_whole(routh):
    _, out, _ = routh("--help")
    commands = out.partition("Commands:")[2].strip().splitlines()
    assert len(commands) >= 17
    assert not any(line.endswith("...") or len(line) > 80 for line in commands)


def test_shells_can_complete(routh):
    assert "--install-completion" in routh("--help")[1]


def test_escape_sequences_do_not_reach_the_terminal(routh, tmp_path):
    (tmp_path / "x.json").write_text('{"format": 1, "space": "planar", "bodies": {"a\\u001b[2J": {"mass": 1, "inertia": 1}}}')
    code, out, err = routh("run", tmp_path / "x.json")
    assert code == 1
    assert "\x1b" not in out + err.replace("\x1b[31m", "").replace("\x1b[0m", "")


def test_names_that_look_like_formulas_are_no_formulas_in_a_spreadsheet(tmp_path):
    model = rt.Model("planar", [rt.Body("=1+1", 1.0, 1.0)])
    path = rt.simulate(model, t_end=0.1).export(tmp_path / "x.csv")
    assert path.read_text().startswith("t [s],'=1+1.x [m]")


def test_the_app_says_that_its_port_is_taken_before_it_says_where_it_is(routh):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code, out, err = routh("app", "--port", taken.getsockname()[1], "--no-browser")
    assert (code, out) == (1, "")
    assert "cannot be used" in err
