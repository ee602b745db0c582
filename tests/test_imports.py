"""Imports point one way, and `import routh` loads nothing heavy."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import routh

ROOT = Path(routh.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))

# what each part may import of the library besides itself
MAY = {
    "core": set(),
    "model": set(),
    "compiler": {"core", "model"},
    "sim": {"core", "model", "compiler"},
    "files": {"model", "compiler", "sim"},  # geometry and pairs for robots, Options, and simulate when asked
    "analysis": {"core", "model", "compiler", "sim"},
    "view": {"core", "model", "compiler", "sim", "analysis"},
    "vehicles": {"model", "compiler", "sim"},
    "gallery": {"model", "compiler", "sim", "analysis", "vehicles", "view", "root"},
    "app": {"model", "sim", "files", "analysis", "vehicles", "view", "gallery", "root"},
    "commands": {"core", "model", "compiler", "sim", "files", "analysis", "view", "gallery", "app", "root"},
    "cli": {"commands"},
}
ANYONE = {"errors", "version", "display"}  # display asks the view by name, when someone wants to see
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
                         env={"PYTHONPATH": str(ROOT.parent)})
    return set(run.stdout.split())


def test_importing_the_library_loads_nothing_heavy():
    assert loaded_after("import routh") == set()


def test_declaring_a_model_loads_no_numba():
    code = """
import routh as rt
from routh import joints
rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [joints.Revolute("pin", "ground", "b")])"""
    assert loaded_after(code) <= {"numpy"}


def test_the_command_line_starts_without_numpy():
    assert loaded_after("import routh.cli") <= {"typer", "rich"}
