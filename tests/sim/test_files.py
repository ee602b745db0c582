"""Results on disk: what is written is what is read, and anything else is refused by message."""

from __future__ import annotations

import h5py
import numpy as np
import pytest
import xarray as xr

import routh as rt
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


def test_other_programs_find_names_units_and_times(result, tmp_path):
    with xr.open_dataset(result.save(tmp_path / "run.nc"), engine="h5netcdf") as data:
        for channel, unit in (("ball.vx", "m/s"), ("spring.force", "N"), ("motor.force", "N m"), ("pin.reaction[2]", "N")):
            assert data["values"].sel(channel=channel)["unit"] == unit
        assert np.array_equal(data["values"].sel(channel="ball.vx"), result["ball.vx"])
        assert data["t"].attrs["units"] == "s"


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


@pytest.mark.parametrize("part", [0.0, 0.01, 0.3, 0.9])
def test_a_truncated_file_is_refused(result, tmp_path, part):
    content = result.save(tmp_path / "run.nc").read_bytes()
    (tmp_path / "run.nc").write_bytes(content[: int(part * len(content))])
    with pytest.raises(RouthError, match=r"run\.nc: (not a netCDF-4 file|a damaged Routh result)"):
        rt.load(tmp_path / "run.nc")


def test_a_netcdf_file_of_somebody_else_is_refused(tmp_path):
    xr.Dataset({"x": ("t", [1.0, 2.0])}).to_netcdf(tmp_path / "theirs.nc", engine="h5netcdf")
    with pytest.raises(RouthError, match=r"theirs\.nc: not a Routh result of format 1"):
        rt.load(tmp_path / "theirs.nc")


def test_a_result_of_a_later_format_is_refused(result, tmp_path):
    with h5py.File(result.save(tmp_path / "run.nc"), "r+") as file:
        file.attrs["routh_format"] = 2
    with pytest.raises(RouthError, match="not a Routh result of format 1"):
        rt.load(tmp_path / "run.nc")


@pytest.mark.parametrize("lost", ["entries", "statistics"])
def test_a_result_that_lost_a_part_is_refused(result, tmp_path, lost):
    with h5py.File(result.save(tmp_path / "run.nc"), "r+") as file:
        if lost in file:
            del file[lost]
        else:
            del file.attrs[lost]
    with pytest.raises(RouthError, match=rf"run\.nc: a damaged Routh result: .*{lost}"):
        rt.load(tmp_path / "run.nc")


def test_a_folder_is_not_a_result(tmp_path):
    with pytest.raises(RouthError, match="not a netCDF-4 file"):
        rt.load(tmp_path)


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
