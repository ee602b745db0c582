"""Results on disk: what is written is what is read, and anything else is refused by message."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

import routh as rt
from made_results import sealed
from routh import forces, joints, profiles
from routh.errors import RouthError


@pytest.fixture(scope="module")
def result():
    """A driven, struck, sprung pair of bodies in space: scalars, vectors, quaternions and edges."""
    model = rt.Model(
        "spatial", [rt.Body("arm", 1.0, (0.1, 0.2, 0.25)), rt.Body("ball", 0.5, (0.01, 0.01, 0.01))],
        [joints.Revolute("pin", "ground", "arm", axis=(0, 0, 1), point_b=(-0.5, 0, 0)),
         joints.Spherical("socket", "arm", "ball", point_a=(0.5, 0, 0), point_b=(0, 0.2, 0))],
        [forces.PointForce("blow", "ball", force=(0, 0, 3.0), profile=profiles.Rectangle(0.1, 0.05)),
         forces.SpringDamper("spring", "ground", "ball", stiffness=3.0, damping=0.1)],
        [rt.Driver("motor", "pin.angle", profiles.SmoothRamp(1.0, 0.1))], gravity=(0, 0, -9.81), name="arm and ball")
    return rt.simulate(model, t_end=0.3, options=rt.Options(output=0.02))


def test_a_saved_result_is_read_back_bit_for_bit(result, tmp_path):
    again = rt.load(result.save(tmp_path / "run.nc"))
    assert again.channels == result.channels
    assert all(np.array_equal(again[c], result[c]) and again.unit(c) == result.unit(c) for c in result.channels)
    assert np.array_equal(again.t, result.t)
    assert (again.status, again.space, again.model, again.statistics) == (
        result.status, result.space, result.model, result.statistics)
    assert again.final_state == result.final_state
    assert all(np.array_equal(again.energy[k], result.energy[k]) for k in result.energy)


def test_the_suffix_is_added_where_it_is_missing(result, tmp_path):
    assert result.save(tmp_path / "run") == tmp_path / "run.nc"
    assert rt.load(str(tmp_path / "run.nc")).status == "finished"


def test_other_programs_find_one_variable_per_channel_with_unit_and_time(result, tmp_path):
    with xr.open_dataset(result.save(tmp_path / "run.nc"), engine="h5netcdf") as data:
        for channel in ("ball.vx", "spring.force", "motor.force", "pin.reaction"):
            assert data[channel].attrs["units"] == result.unit(channel)
            assert np.array_equal(data[channel], result[channel])
            assert np.array_equal(data[channel]["t"], result.t)
        assert data["t"].attrs["units"] == "s"
        assert set(result.channels) <= set(data)


def test_a_body_called_energy_keeps_its_channels(tmp_path):
    model = rt.Model("planar", [rt.Body("energy", 1.0, 1.0)])
    run = rt.simulate(model, rt.State(energy={"vx": 2.0}), 1.0)
    assert rt.load(run.save(tmp_path / "run.nc"))["energy.x"][-1] == pytest.approx(2.0, rel=1e-12)


def test_a_final_state_larger_than_an_hdf5_attribute_can_be_saved(tmp_path):
    names = [f"{'long' * 600}_{i}" for i in range(30)]  # 64 kB are the limit of a plain attribute
    run = rt.evaluate(rt.Model("planar", [rt.Body(n, 1.0, 1.0) for n in names]), rt.State({names[7]: {"x": 3.0}}))
    again = rt.load(run.save(tmp_path / "many.nc"))
    assert again[f"{names[7]}.x"][0] == 3.0
    assert again.final_state == run.final_state


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path):
    with pytest.raises(RouthError, match=r"run\.nc: no such file"):
        rt.load(tmp_path / "run.nc")


def test_a_text_file_is_refused(tmp_path):
    (tmp_path / "run.nc").write_text("t,x\n0,1\n")
    with pytest.raises(RouthError, match=r"run\.nc: not a netCDF-4 file"):
        rt.load(tmp_path / "run.nc")


@pytest.mark.parametrize("part", [0.0, 0.01, 0.3, 0.9, 0.999])
def test_a_truncated_file_is_refused(result, tmp_path, part):
    content = result.save(tmp_path / "run.nc").read_bytes()
    (tmp_path / "run.nc").write_bytes(content[: int(part * len(content))])
    with pytest.raises(RouthError, match=r"run\.nc: (not a netCDF-4 file|not a whole Routh result: .* cut short)"):
        rt.load(tmp_path / "run.nc")


def test_every_single_byte_that_is_damaged_is_noticed(result, tmp_path):
    content = bytearray(result.save(tmp_path / "run.nc").read_bytes())
    rng = np.random.default_rng(0)
    for place in [*rng.integers(0, len(content), 200), 0, len(content) - 1, len(content) - 70]:
        content[place] ^= 16
        (tmp_path / "run.nc").write_bytes(content)
        with pytest.raises(RouthError, match=r"run\.nc: (not a|a damaged)"):
            rt.load(tmp_path / "run.nc")
        content[place] ^= 16


def test_a_netcdf_file_of_somebody_else_is_refused(tmp_path):
    xr.Dataset({"x": ("t", [1.0, 2.0])}).to_netcdf(tmp_path / "theirs.nc", engine="h5netcdf")
    with pytest.raises(RouthError, match=r"theirs\.nc: not a whole Routh result: .*not written by Result\.save"):
        rt.load(tmp_path / "theirs.nc")
    with pytest.raises(RouthError, match=r"theirs\.nc: not a Routh result of format 2"):
        rt.load(sealed(tmp_path / "theirs.nc"))


def test_a_result_that_another_program_changed_is_refused(result, tmp_path):
    with h5py.File(result.save(tmp_path / "run.nc"), "r+") as file:
        file["ball.x"][3] = 7.0
    with pytest.raises(RouthError, match=r"changed by another program|differ from the digest"):
        rt.load(tmp_path / "run.nc")


@pytest.mark.parametrize("value", [1, 3, "2", np.arange(3)])
def test_a_result_of_another_format_is_refused(result, tmp_path, value):
    with h5py.File(result.save(tmp_path / "run.nc"), "r+") as file:
        file.attrs["routh_format"] = value
    with pytest.raises(RouthError, match="not a Routh result of format 2"):
        rt.load(sealed(tmp_path / "run.nc"))


@pytest.mark.parametrize("lost", ["t", "run", "declaration", "ball.x", "energy.total", "impacts", "events/kind"])
def test_a_result_that_lost_a_part_is_refused(result, tmp_path, lost):
    with h5py.File(result.save(tmp_path / "run.nc"), "r+") as file:
        del file[lost]
    with pytest.raises(RouthError, match=rf"run\.nc: a damaged Routh result: .*{lost.rpartition('/')[2]}"):
        rt.load(sealed(tmp_path / "run.nc"))


def test_a_crafted_file_reads_nothing_outside_itself_and_takes_no_more_than_its_size(result, tmp_path):
    secret = tmp_path / "secret"
    secret.write_bytes(b"root:x:0" * 100)
    n = len(result.t)

    def external(file):
        del file["ball.x"]
        file.create_dataset("ball.x", (n,), float, external=[(str(secret), 0, 8 * n)])

    def linked(file):
        (tmp_path / "other.nc").write_bytes(result.save(tmp_path / "other.nc").read_bytes())
        del file["ball.x"]
        file["ball.x"] = h5py.ExternalLink(str(tmp_path / "other.nc"), "ball.x")

    def linked_group(file):
        del file["impacts"]
        file["impacts"] = h5py.ExternalLink(str(tmp_path / "other.nc"), "impacts")

    def soft(file):
        del file["ball.x"]
        file["ball.x"] = h5py.SoftLink("/ball.y")

    def virtual(file):
        del file["ball.x"]
        layout = h5py.VirtualLayout((n,), float)
        layout[:] = h5py.VirtualSource(str(tmp_path / "other.nc"), "ball.x", (n,))
        file.create_virtual_dataset("ball.x", layout)

    def fill(file):
        del file["ball.x"]
        file.create_dataset("ball.x", (400_000_000, 5), float, fillvalue=1.0)

    def packed(file):
        del file["ball.x"]
        file.create_dataset("ball.x", data=np.zeros((n, 100_000)), compression="gzip")

    def texts(file):
        del file["ball.x"]
        file.create_dataset("ball.x", data=["long" * 1000] * n)

    for craft in (external, linked, linked_group, soft, virtual, fill, packed, texts):
        with h5py.File(result.save(tmp_path / "run.nc"), "r+") as file:
            craft(file)
        with pytest.raises(RouthError, match=r"run\.nc: a damaged Routh result: .*(stored|lost|claims|holds)"):
            rt.load(sealed(tmp_path / "run.nc"))


def test_a_folder_is_not_a_result(tmp_path):
    with pytest.raises(RouthError, match="not a file"):
        rt.load(tmp_path)


def test_a_result_is_saved_as_netcdf_only(result, tmp_path):
    with pytest.raises(RouthError, match=r'model\.toml: a result is saved as netCDF, with the suffix "\.nc", not "\.toml"'):
        result.save(tmp_path / "model.toml")


SAVER = """
import sys, numpy as np
sys.path.insert(0, {tests!r})
from made_results import made
from routh.sim.ledger import Ledger
result = made(20, 2000)
result.events = Ledger(dict(t=np.arange(64.0), kind=["impact"] * 64, contact=["c"] * 64, text=[""] * 64))
result.save({path!r})
print("ready", flush=True)
while True:
    result.save({path!r})
"""


def test_a_process_that_is_killed_while_it_saves_leaves_a_whole_file(tmp_path):
    path = tmp_path / "run.nc"
    code = SAVER.format(tests=str(Path(__file__).parents[1]), path=str(path))
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    for _ in range(10):  # what a kill at this instant would leave
        assert len(rt.load(path).events) == 64
        time.sleep(0.02)
    process.kill()
    process.wait()
    again = rt.load(path)
    assert len(again.t) == 2000
    assert len(again.events) == 64


FULL = """
import resource, sys
sys.path.insert(0, {tests!r})
from made_results import made
import routh as rt
result = made(20, 2000)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    result.save({path!r})
except OSError as error:
    print(error.filename, error.strerror)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(rt.load(result.save({other!r})).status)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of a process")
def test_a_full_disk_is_an_error_that_keeps_the_old_file_and_the_result(result, tmp_path):
    path, other = result.save(tmp_path / "run.nc"), tmp_path / "other.nc"
    before = path.read_bytes()
    code = FULL.format(tests=str(Path(__file__).parents[1]), path=str(path), other=str(other))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"{path} File too large", "finished"]
    assert path.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.nc", "run.nc"]  # no part is left


def test_a_result_cannot_be_saved_where_there_is_no_folder(result, tmp_path):
    with pytest.raises((RouthError, OSError), match="nowhere"):
        result.save(tmp_path / "nowhere" / "run.nc")


def test_an_unknown_channel_names_the_near_ones(result):
    with pytest.raises(KeyError, match="did you mean"):
        result["ball.vxx"]
    with pytest.raises(KeyError, match="no energy"):
        result.energy["kinetik"]
    with pytest.raises(AttributeError):
        result.energy.spam  # noqa: B018


def test_a_result_made_without_a_final_state_says_so(result):
    bare = rt.Result(t=result.t, channels={}, energy=result.energy, status="finished", space="spatial")
    with pytest.raises(RouthError, match="this result holds no state"):
        bare.final_state  # noqa: B018
