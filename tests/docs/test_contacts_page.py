"""The page on contacts runs as it is printed, and its tables of pairs are those of the compiler."""

import re
from pathlib import Path

import pytest

from routh import shapes
from routh.compiler.pairs import gaps_of
from routh.errors import ModelError

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "contacts.md").read_text()

SQUARE = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
PLANE = {
    "half space": lambda body: shapes.HalfSpace(body, normal=(0.0, 1.0)),
    "disk": lambda body: shapes.Disk(body, radius=1.0),
    "ellipse": lambda body: shapes.Ellipse(body, axes=(2.0, 1.0)),
    "capsule": lambda body: shapes.Capsule(body, start=(0.0, 0.0), end=(1.0, 0.0), radius=0.5),
    "polygon": lambda body: shapes.Polygon(body, vertices=SQUARE),
    "polyline": lambda body: shapes.Polyline(body, vertices=((-5.0, 0.0), (0.0, -1.0), (5.0, 0.0))),  # one notch, two ends
}
SPACE = {
    "half space": lambda body: shapes.HalfSpace(body, normal=(0.0, 0.0, 1.0)),
    "sphere": lambda body: shapes.Sphere(body, radius=1.0),
    "ellipsoid": lambda body: shapes.Ellipsoid(body, axes=(3.0, 2.0, 1.0)),
    "capsule": lambda body: shapes.Capsule(body, start=(0.0, 0.0, 0.0), end=(1.0, 0.0, 0.0), radius=0.5),
    "cylinder": lambda body: shapes.Cylinder(body, radius=1.0, length=1.0, axis=(0.0, 0.0, 1.0)),
    "box, hull": lambda body: shapes.Box(body, size=(1.0, 1.0, 1.0)),
}
CORNERS = {"planar": 4, "spatial": 8}  # of a square and of a cube
ELSEWHERE = {"one per chain": 2, "one per chain, two per narrow hollow": 2, "ends on each chain, each hill": 4 + 2,
             "corners on each chain, each hill": 8 + 2}  # two chains, and the two ends of the polyline stand out as hills do


def tables():
    """(space, row, column, cell) of both tables of pairs."""
    found = re.findall(r"(?:^\|.*\n)+", PAGE, flags=re.M)
    for space, table in zip(("planar", "spatial"), [t for t in found if t.startswith("| | half space")], strict=True):
        head, _, *lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
        for line in lines:
            for column, cell in zip(head[1:], line[1:], strict=True):
                if cell not in ("as left", "as below"):
                    yield space, line[0], column, cell


def points_of(space, cell):
    """How many points a cell promises."""
    if cell in ELSEWHERE:
        return ELSEWHERE[cell]
    count = 0
    for part in re.split(r", | and ", cell):
        if part.startswith("each corner"):
            count += CORNERS[space] * (2 if part.endswith("both") else 1)
        else:
            count += int(part.split()[0]) * (2 if part.endswith("each rim") else 1)
    return count


@pytest.mark.parametrize(("space", "row", "column", "cell"), list(tables()))
def test_a_pair_has_the_points_that_the_page_says(space, row, column, cell):
    kinds = PLANE if space == "planar" else SPACE
    a, b = kinds[row]("one"), kinds[column]("other")
    if cell == "-":
        with pytest.raises(ModelError, match="no gap for these two"):
            gaps_of(space, a, b)
    else:
        assert len(gaps_of(space, a, b)) == len(gaps_of(space, b, a)) == points_of(space, cell)


def test_the_snippets_say_what_they_promise(capsys):
    values = {}
    for snippet in re.findall(r"```python\n(.*?)```", PAGE, flags=re.S):
        exec(compile(snippet, "docs/contacts.md", "exec"), values)
        assert values["result"].status == "finished"
    out = capsys.readouterr().out
    assert "sequential [0.0, 0.0, 1.0]" in out  # the cradle
    assert "simultaneous [-0.333, 0.667, 0.667]" in out  # both pairs part with the speed of approach: -1/3, 2/3, 2/3
    assert "tangential [0.12556344 0.        ]" in out
    assert "painleve" in out


def test_every_key_is_in_the_bibliography():
    known = set(re.findall(r"^- `\[(\w+)\]`", (DOCS / "bibliography.md").read_text(), flags=re.M))
    assert set(re.findall(r"\[([a-z]+\d{4})\]", PAGE)) <= known
