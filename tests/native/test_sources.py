"""An entry point is compiled again where something that it reaches has changed, and only there."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import routh
from routh.core.tables.entries import ENTRIES

SOURCE = Path(routh.__file__).parent
SCRIPT = """
from routh.core.tables.entries import ENTRIES
from routh.native.sources import key_of
for entry in ENTRIES.values():
    print(key_of(entry, "v3"))
"""


def keys(package: Path) -> set[str]:
    """The keys of all entry points of a copy of the package."""
    run = subprocess.run([sys.executable, "-P", "-c", SCRIPT], capture_output=True, text=True, check=True,
                         env=os.environ | {"PYTHONPATH": str(package.parent)})
    return set(run.stdout.split())


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere") / "routh"
    for part in ("core", "native"):
        shutil.copytree(SOURCE / part, folder / part, ignore=shutil.ignore_patterns("lib", "__pycache__"))
    for file in SOURCE.glob("*.py"):
        shutil.copy(file, folder)
    return folder


def changed_by(copy: Path, file: str) -> set[str]:
    """Symbols of the entry points whose keys change with an edit of a kernel file."""
    path, before = copy / "core" / file, keys(copy)
    text = path.read_text()
    try:
        path.write_text(text + "\n# an edit\n")
        return {key.split("-")[0] for key in keys(copy) - before}
    finally:
        path.write_text(text)


def test_keys_know_no_path(copy):
    assert keys(copy) == keys(SOURCE)


@pytest.mark.parametrize(("file", "rebuilt"), [
    ("gaps/planar_chain_gap.py", {"routh_planar_gap_chain", "routh_planar_gap_ellipse"}),
    ("gaps/planar_round_gap.py", {"routh_planar_gap_round"}),
    ("gaps/ellipsoid_gap.py", {"routh_spatial_gap_ellipsoid"}),
    ("gaps/rim_gap.py", {"routh_spatial_gap_polyhedron", "routh_spatial_gap_cylinder"}),
    ("contact/friction.py", {"routh_any_friction_stribeck", "routh_any_friction_fading", "routh_any_friction_table",
                             "routh_any_restitution_power"}),
    ("integrate/stiff_loop.py", {"routh_planar_run_implicit", "routh_spatial_run_implicit"}),
])
def test_an_edit_rebuilds_what_reaches_it_and_nothing_else(copy, file, rebuilt):
    assert changed_by(copy, file) == rebuilt


def test_an_edit_of_the_tables_rebuilds_everything(copy):
    assert changed_by(copy, "tables/bundle.py") == {entry.symbol for entry in ENTRIES.values()}


def test_an_edit_of_a_file_of_space_leaves_the_plane_alone(copy):
    rebuilt = changed_by(copy, "tree/spatial.py")
    assert {symbol.split("_")[1] for symbol in rebuilt} == {"spatial"}
