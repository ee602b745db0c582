"""The wheel: every file of the package, the native library, and a README that runs in an environment without Numba."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], cwd=ROOT, check=True,
                   capture_output=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def bare(wheel, tmp_path_factory):
    """Runs a command in an empty environment that holds the wheel: no Numba, no compiler on the path, no cache."""
    folder = tmp_path_factory.mktemp("bare")
    scripts = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
    wanted = f"{wheel}[plots,files,app]"
    subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", wanted], check=True, capture_output=True)
    home, work = folder / "home", folder / "work"
    home.mkdir()
    work.mkdir()
    kept = {name: value for name, value in os.environ.items() if name.upper() in ("SYSTEMROOT", "TEMP", "TMP")}

    def run(*command):
        done = subprocess.run([scripts / command[0], *command[1:]], cwd=work, capture_output=True, text=True,
                              env=kept | {"PATH": str(scripts), "HOME": str(home), "USERPROFILE": str(home)})
        assert done.returncode == 0, done.stderr
        assert "compiling" not in done.stderr
        return done.stdout

    run.home, run.work = home, work
    return run


def test_the_wheel_holds_every_file_of_the_package(wheel):
    held = set(zipfile.ZipFile(wheel).namelist())
    kept = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src/routh").rglob("*")
            if path.suffix in (".py", ".js", ".css", ".html", ".svg", ".typed")}
    assert kept <= held
    assert any(name.endswith("view/web/viewer.js") for name in kept)
    assert sum(name.startswith("routh/native/lib/routh-") for name in held) >= 1


def test_one_wheel_serves_every_version_of_python_on_its_platform(wheel):
    name, _, python, abi, platform = wheel.stem.split("-")
    assert (name, python, abi) == ("routh", "py3", "none")
    assert platform != "any"
    assert wheel.stat().st_size < 15e6


def test_the_environment_has_no_compiler(bare):
    found = bare("python", "-c", "import importlib.util as u, shutil; "
                 "print(u.find_spec('numba'), u.find_spec('llvmlite'), *map(shutil.which, ('cc', 'gcc', 'clang')))")
    assert found.split() == ["None"] * 5


def test_the_readme_runs_from_the_wheel_and_compiles_nothing(bare):
    (bare.work / "readme.py").write_text(re.search(r"```python\n(.*?)```", README, re.DOTALL)[1], encoding="utf-8")
    out = bare("python", "readme.py")
    assert out == re.search(r"```text\n(.*?)```", README, re.DOTALL)[1]
    commands = re.search(r"```\n(routh gallery.*?)```", README, re.DOTALL)[1]
    for line in commands.splitlines():
        if line.startswith("routh app"):  # serves until it is stopped
            continue
        bare(*[word.strip('"').replace('="', "=") for word in re.findall(r'(?:[^\s"]|"[^"]*")+', line.partition(" #")[0])])
    assert (bare.work / "ball.html").stat().st_size > 100_000
    assert list(bare.home.rglob("kernels")) == []


def test_a_law_of_ones_own_asks_for_numba(bare):
    script = """
import routh as rt
from routh import forces, joints
def law(t, x, rate, parameters):
    return -x
model = rt.Model("planar", [rt.Body("b", 1.0, 1.0)], [joints.Revolute("pin", "ground", "b")],
                 [forces.JointLaw("own", "pin", law)])
try:
    rt.simulate(model)
except rt.errors.ModelError as error:
    print(error)
"""
    assert "pip install 'routh[compile]'" in bare("python", "-c", script)
