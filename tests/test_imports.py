"""Imports point one way, and `import routh` loads nothing heavy."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import routh
from routh.core.tables.entries import ENTRIES
from routh.native.sources import modules_of

ROOT = Path(routh.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# what each part may import of the library besides itself
MAY = {
    "core": set(),
    "native": {"core"},
    "model": set(),
    "compiler": {"core", "native", "model"},
    "sim": {"core", "native", "model", "compiler"},
    "files": {"model", "compiler", "sim"},  # geometry and pairs for robots, Options, and simulate when asked
    "analysis": {"core", "native", "model", "compiler", "sim"},
    "study": {"model", "compiler", "sim", "files"},
    "view": {"core", "model", "compiler", "sim", "analysis", "study"},
    "vehicles": {"model", "compiler", "sim"},
    "gallery": {"model", "compiler", "sim", "analysis", "vehicles", "view", "root"},
    "app": {"model", "compiler", "sim", "files", "analysis", "vehicles", "view", "gallery", "root"},
    "bench": {"native", "model", "compiler", "sim", "vehicles", "view", "gallery", "root"},
    "commands": {"core", "native", "model", "compiler", "sim", "files", "analysis", "study", "view", "gallery", "app", "bench",
                 "root"},
    "cli": {"commands"},
}
# the rooms of core in order: each may import itself and those before it; "" is what lies in core itself
ROOMS = ("tables", "", "tree", "gaps", "impact", "contact", "motion", "integrate", "events", "stepping")
KERNELS_FOR_LAWS = {"compiler/laws.py": {"routh.core.tree.laws"},  # the one place outside that needs Numba: a user's own law
                    "compiler/planar_pairs.py": {"routh.core.gaps.tolerances"},  # plain numbers
                    "compiler/spatial_pairs.py": {"routh.core.gaps.tolerances"}}
ANYONE = {"errors", "version", "display", "extras", "whole_file"}  # display asks the view by name, when someone wants to see
SCIPY_IN_CORE = {"explicit.py"}  # the coefficients of DOP853


def part_of(module: str) -> str:
    """"sim" of "routh.sim.result"; "root" of "routh" itself."""
    pieces = module.split(".")
    return pieces[1] if len(pieces) > 1 else "root"


def imports(path: Path) -> list[str]:
    """Modules that a file imports when it runs, inside functions too; what only a type checker sees does not count."""
    found: list[str] = []

    def walk(node: ast.AST) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            return
        if isinstance(node, ast.Import):
            found.extend(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            if node.module == "routh":
                found.extend(f"routh.{name.name}" if (ROOT / name.name).exists() or (ROOT / f"{name.name}.py").exists()
                             else "routh" for name in node.names)
            elif node.module:
                found.append(node.module)
        for child in ast.iter_child_nodes(node):
            walk(child)

    walk(ast.parse(path.read_text()))
    return found


def inside(part: str) -> list[Path]:
    return [f for f in FILES if f.relative_to(ROOT).parts[0].removesuffix(".py") == part]


@pytest.mark.parametrize("part", MAY)
def test_imports_point_one_way(part):
    files = inside(part)
    assert files, f"there is no {part}"
    for path in files:
        for module in imports(path):
            if module.split(".")[0] == "routh":
                assert part_of(module) in MAY[part] | ANYONE | {part}, f"{path.name} imports {module}"


def test_every_part_has_its_arrow():
    parts = {f.relative_to(ROOT).parts[0].removesuffix(".py") for f in FILES}
    assert parts - {"__init__", "__main__"} <= set(MAY) | ANYONE


def kernel_modules() -> dict[str, set[str]]:
    """Modules of core, each with those that it imports, takes as a twin, or calls by address."""
    names = {".".join(path.relative_to(ROOT / "core").with_suffix("").parts): path for path in inside("core")}
    entries = {entry.name: entry.function.rpartition(".")[0] for entry in ENTRIES.values()}
    found: dict[str, set[str]] = {}
    for name, path in names.items():
        text = path.read_text()
        reached = {module for planar, spatial in re.findall(r'twin\("([\w.]+)", "([\w.]+)"\)', text)
                   for module in (planar.rpartition(".")[0], spatial.rpartition(".")[0])}
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("routh.core"):
                base = (node.module or "").removeprefix("routh.core").strip(".")
                reached |= {base} | {f"{base}.{alias.name}".strip(".") for alias in node.names}
                if base == "calls" and name != "calls":
                    reached |= {entries[alias.name] for alias in node.names if alias.name in entries}
        found[name] = reached & set(names)
    return found


def room_of(module: str) -> str:
    return module.split(".")[0] if "." in module else ""


def test_the_rooms_of_core_import_one_way():
    for module, reached in kernel_modules().items():
        for other in reached:
            assert ROOMS.index(room_of(other)) <= ROOMS.index(room_of(module)), f"{module} reaches {other}"


def test_the_modules_of_core_form_no_cycle():
    graph = kernel_modules()
    graph["calls"] = {other for other in graph["calls"] if room_of(other) == ""}
    list(TopologicalSorter(graph).static_order())  # raises CycleError


def test_what_is_compiled_for_the_plane_reads_no_file_of_space():
    spatial = ("spatial", "ellipsoid", "cylinder", "polyhedron", "capsule", "rim_gap", "flat_rims", "tied_in_space",
               "impact_space", "impact_flow", "impact_diagonal", "round_gap", "witness", "rotation")
    for entry in ENTRIES.values():
        if entry.space == "planar":
            for module in modules_of(entry.function, entry.space):
                last = module.rpartition(".")[2]
                assert last.startswith("planar") or not last.startswith(spatial), f"{entry.symbol} reaches {module}"


def test_outside_core_only_its_tables_are_imported():
    for path in FILES:
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(("core/", "native/worker.py")):
            used = {m for m in imports(path) if m.startswith("routh.core.") and not m.startswith("routh.core.tables")}
            assert used <= KERNELS_FOR_LAWS.get(place, set()), f"{place} imports {used}"


def test_tables_and_what_loads_kernels_know_no_numba():
    for path in [*inside("core"), *inside("native")]:
        place = path.relative_to(ROOT).as_posix()
        if place.startswith(("core/tables/", "native/")) and place not in ("native/worker.py", "native/load.py"):
            assert not {"numba", "llvmlite"} & {m.split(".")[0] for m in imports(path)}, place


def test_core_knows_only_numpy_and_numba():
    for path in inside("core"):
        own = set(sys.stdlib_module_names) | {"numpy", "numba", "llvmlite", "routh"}
        own |= {"scipy"} if path.name in SCIPY_IN_CORE else set()
        assert {m.split(".")[0] for m in imports(path)} <= own, path.name


def test_declarations_know_no_numba():
    for path in inside("model"):
        assert {m.split(".")[0] for m in imports(path)} <= set(sys.stdlib_module_names) | {"numpy", "scipy", "routh"}


def test_the_root_defines_nothing_and_every_name_of_it_exists():
    for name in routh.__all__:
        assert getattr(routh, name) is not None
    assert set(dir(routh)) == set(routh.__all__)
    with pytest.raises(AttributeError, match="module 'routh' has no attribute 'spam'"):
        routh.spam  # noqa: B018


HEAVY = ("numpy", "numba", "scipy", "matplotlib", "xarray", "h5py", "rich", "typer")


def loaded_after(code: str) -> set[str]:
    """Heavy modules that a fresh Python holds after `code`."""
    script = f"import sys\n{code}\nprint(*(m for m in {HEAVY!r} if m in sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                         env=os.environ | {"PYTHONPATH": str(ROOT.parent)})
    return set(run.stdout.split())


def test_importing_the_library_loads_nothing_heavy():
    assert loaded_after("import routh") == set()


def test_declaring_a_model_loads_no_numba():
    code = """
import routh as rt
from routh import joints
rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [joints.Revolute("pin", "ground", "b")])"""
    assert loaded_after(code) <= {"numpy"}


def test_a_run_with_contacts_loads_no_numba():
    code = """
import routh as rt
ball, floor = rt.shapes.Disk("ball", 0.03), rt.shapes.HalfSpace("ground", (0.0, 1.0))
model = rt.Model("planar", [rt.Body("ball", 0.16, 5.8e-5)], gravity=(0.0, -9.81),
                 contacts=[rt.Contact("bounce", ball, floor, law=rt.Stronge(e=0.8, mu=0.3))])
rt.simulate(model, rt.State(ball={"y": 1.0}), 1.0).energy.account()"""
    assert loaded_after(code) <= {"numpy"}


def test_the_command_line_starts_without_numpy():
    assert loaded_after("import routh.cli") <= {"typer", "rich"}
