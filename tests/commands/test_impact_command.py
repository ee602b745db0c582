"""`routh impact` on the command line."""

import json

import pytest
import typer
from typer.testing import CliRunner

from routh.commands.impact import register
from routh.errors import RouthError

app = typer.Typer()
register(app)
app.command("other")(lambda: None)
run = CliRunner()
SPHERE = ["--mass", "0.2", "--inertia", "2e-4", "--offset", "0 0 -0.05", "--velocity", "2 0 -3"]
ROD = ["--matrix", "2.5 -1.5; -1.5 2.5", "--approach", "-1 0.1", "--e", "0.9", "--mu", "0.3"]


def test_a_sphere_that_grips_keeps_five_sevenths_of_its_speed():
    out = run.invoke(app, ["impact", *SPHERE, "--e", "0.8", "--mu", "0.5", "--json"])
    data = json.loads(out.stdout)
    assert out.exit_code == 0
    assert data["after"]["body"]["velocity"] == pytest.approx([10 / 7, 0.0, 2.4])
    assert data["kind"] == "stick in compression"


def test_two_bodies_share_the_momentum():
    other = ["--mass-a", "0.3", "--inertia-a", "1e-4", "--offset-a", "0 0.03", "--velocity-a", "0 1"]
    flat = ["--mass", "0.2", "--inertia", "2e-4", "--offset", "0, -0.05", "--velocity", "2 -3", "--spin", "4"]
    out = run.invoke(app, ["impact", *flat, *other, "--e", "0.5", "--mu", "0.1", "--json"])
    data = json.loads(out.stdout)["after"]
    total = [
        0.2 * x + 0.3 * y for x, y in zip(data["body"]["velocity"], data["body_a"]["velocity"], strict=True)
    ]
    assert total == pytest.approx([0.4, -0.3])


def test_the_text_tells_the_physics_and_compares_the_laws(tmp_path):
    figure = tmp_path / "impact.svg"
    out = run.invoke(app, ["impact", *ROD, "--law", "newton", "--compare", "--figure", str(figure)])
    assert out.exit_code == 0
    assert "Newton, e = 0.9, mu = 0.3: reversal in compression" in out.stdout
    assert "Stronge" in out.stdout
    assert "N s" in out.stdout
    assert figure.stat().st_size > 1000
    gains = run.invoke(app, ["impact", *ROD[:3], "-1 2", *ROD[4:], "--law", "newton"])
    assert gains.exit_code == 0


@pytest.mark.parametrize("law", ["stronge", "poisson", "brach", "newton-algebraic"])
def test_every_law_can_be_asked_for(law):
    assert run.invoke(app, ["impact", *ROD, "--law", law]).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--e", "0.5", "--mu", "0.1"], "give --mass, --inertia and --offset"),
        ([*SPHERE, "--e", "1.5", "--mu", "0.1"], "e = 1.5 is outside [0, 1]"),
        ([*SPHERE, "--e", "0.5", "--mu", "0.1", "--law", "strong"], 'did you mean "stronge"'),
        (["--matrix", "1 0; 0", "--approach", "-1 0", "--e", "0", "--mu", "0"], "as many rows as columns"),
        (["--matrix", "1 x; 0 1", "--approach", "-1 0", "--e", "0", "--mu", "0"], "write numbers"),
        ([*SPHERE[:6], "--velocity", "", "--e", "0.5", "--mu", "0.1"], '--velocity "": write numbers'),
        ([*SPHERE, "--figure", "x.doc", "--e", "0.5", "--mu", "0.1"], 'cannot be written as ".doc"'),
        ([*SPHERE, "--spin", "1", "--e", "0.5", "--mu", "0.1"], "in space a body has 3 numbers of velocity"),
    ],
)
def test_bad_arguments_are_explained(arguments, words):
    out = run.invoke(app, ["impact", *arguments])
    assert isinstance(out.exception, RouthError)  # `routh` makes one line and an exit code of it
    assert words in str(out.exception)


def test_the_table_is_aligned_and_has_units():
    lines = run.invoke(app, ["impact", *SPHERE, "--e", "0.8", "--mu", "0.5"]).stdout.splitlines()
    rows = [line for line in lines if "[" in line]
    assert [line.partition("[")[2].partition("]")[0] for line in rows] == ["m/s", "m/s", "N s", "J", "m/s", "rad/s"]
    assert len({len(line) for line in rows}) == 1
    assert not any(cell == "-0" for line in lines for cell in line.split())
