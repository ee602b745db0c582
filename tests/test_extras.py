"""What works with NumPy and SciPy alone, what asks for which extra, and names inside other libraries that we rely on."""

import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

import routh
from routh.extras import BRINGS, MissingExtraError, need

ROOT = Path(__file__).parents[1]
OPTIONAL = ("matplotlib", "h5py", "pandas", "pyarrow", "yaml", "xarray", "nicegui", "PIL")

RUN = """
import sys
for name in {blocked!r}:
    sys.modules[name] = None                      # as if it were not installed
import routh as rt
ball, floor = rt.shapes.Disk("ball", 0.03), rt.shapes.HalfSpace("ground", (0.0, 1.0))
model = rt.Model("planar", [rt.Body("ball", 0.16, 5.8e-5)], gravity=(0.0, -9.81),
                 contacts=[rt.Contact("bounce", floor, ball, law=rt.Stronge(e=0.8, mu=0.3))])
result = rt.simulate(model, rt.State(ball={{"y": 1.03}}), 1.0)
assert result.success and "energy account" in result.energy.account()
rt.parse_model(rt.format_model(model, rt.State(ball={{"y": 1.03}}), t_end=1.0), "toml")
result.export("ball.csv")
{call}
"""


def run(call, folder, blocked=OPTIONAL):
    return subprocess.run([sys.executable, "-c", RUN.format(blocked=blocked, call=call)], cwd=folder, capture_output=True,
                          text=True, env=os.environ | {"PYTHONPATH": str(Path(routh.__file__).parents[1])})


def test_a_run_and_its_tables_need_no_optional_library(tmp_path):
    done = run("", tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ball.csv").stat().st_size > 1000


@pytest.mark.parametrize(("call", "says"), [
    ("result.plot('ball.y')", "a figure needs matplotlib, which is not installed: pip install 'routh[plots]'"),
    ("result.animate('ball.gif')", "a moving picture needs matplotlib, which is not installed: pip install 'routh[plots]'"),
    ("from routh.view import impact_figures", "pip install 'routh[plots]'"),
    ("result.save('ball.nc')", "needs h5py, which is not installed: pip install 'routh[files]'"),
    ("rt.load('ball.nc')", "pip install 'routh[files]'"),
    ("result.to_dataframe()", r"to_dataframe() needs pandas, which is not installed: pip install 'routh[files]'"),
    ("result.impacts.table()", "pip install 'routh[files]'"),
    ("result.to_xarray()", "pip install 'routh[files]'"),
    ("result.export('ball.parquet')", "ball.parquet: a Parquet file needs pyarrow"),
    ("rt.parse_model('a: 1', 'yaml')", "a YAML file needs PyYAML, which is not installed: pip install 'routh[files]'"),
    ("result.report('ball.html')", "needs NiceGUI, which is not installed: pip install 'routh[app]'"),
])  # fmt: skip
def test_what_is_missing_is_named_with_the_extra_that_brings_it(call, says, tmp_path):
    done = run(call, tmp_path)
    assert done.returncode == 1
    assert re.search(re.escape(says), done.stderr.splitlines()[-1]), done.stderr


def test_the_app_is_refused_in_one_line_without_nicegui(tmp_path):
    done = run("sys.argv = ['routh', 'app']; from routh.cli import main; main()", tmp_path)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == ("error: routh app needs NiceGUI, which is not installed: "
                                                    "pip install 'routh[app]'")


def test_need_names_the_library():
    need("numpy", what="every run")
    with pytest.raises(MissingExtraError, match="a thing needs no_such_library, which is not installed"):
        need("no_such_library", what="a thing")


def test_every_library_that_is_asked_for_stands_in_its_extra():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    called = {"yaml": "pyyaml"}
    for module, extra in BRINGS.items():
        if module != "PIL":  # comes with matplotlib
            assert any(re.match(rf"{called.get(module, module)}\b", line) for line in extras[extra]), (module, extra)


def test_a_build_has_all_that_kernels_import():
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    for name in ("numpy", "scipy", "numba"):  # SciPy holds the coefficients of DOP853
        assert any(re.match(rf"{name}\b", line) for line in needed), name


# Names that other libraries do not promise. Where a new version moves one, its test fails and names the version.

def test_scipy_holds_the_coefficients_of_dop853():
    from scipy.integrate._ivp import dop853_coefficients as table

    version = metadata.version("scipy")
    assert table.A.shape == (16, 16), version
    assert abs(table.B.sum() - 1.0) < 1e-14, version
    assert table.D.shape == (4, 16), version


@pytest.mark.parametrize("name", [
    "numba.core.cgutils:alloca_once", "numba.core.codegen:CPUCodegen", "numba.core.compiler_lock:global_compiler_lock",
    "numba.core.registry:cpu_target", "numba.core.runtime:rtsys", "numba.core.typing.templates:AttributeTemplate",
    "numba.np.arrayobj:make_array", "numba.np.arrayobj:populate_array", "numba.np.linalg:ensure_blas",
    "numba.np.numpy_support:from_dtype", "numba.extending:intrinsic", "numba.extending:overload",
])  # fmt: skip
def test_numba_has_the_names_that_kernels_are_compiled_with(name):
    import importlib

    module, _, attribute = name.partition(":")
    assert hasattr(importlib.import_module(module), attribute), f"Numba {metadata.version('numba')} has no {name}"


def test_nicegui_carries_the_three_js_of_reports():
    from routh.view.bundle import _three, three_path

    version = metadata.version("nicegui")
    assert three_path().is_file(), version
    assert "WebGLRenderer" in _three(), version
