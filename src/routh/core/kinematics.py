"""The one branch on space: each name here is the planar or the spatial function, chosen by the type of System.

A function is looked for when it is first called or compiled, so that a run imports the kernels of its own space only.
"""

from functools import cache
from importlib import import_module

from numba.extending import overload

from routh.core.layout import PlanarSystem


@cache
def _function(path):
    """The function that "module.name" means in `core`."""
    module, name = path.split(".")
    return getattr(import_module(f"routh.core.{module}"), name)


def twin(in_plane, in_space):
    """A function that Numba resolves by the type of its first argument, and plain Python by isinstance."""

    def choose(system, *rest):
        return _function(in_plane if isinstance(system, PlanarSystem) else in_space)(system, *rest)

    @overload(choose)
    def resolve(system, *rest):
        function = _function(in_plane if system.python_class is PlanarSystem else in_space)
        return lambda system, *rest: function(system, *rest)

    return choose


place = twin("planar.place", "spatial.place")
sweep_in = twin("planar.sweep_in", "spatial.sweep_in")
sweep_out = twin("planar.sweep_out", "spatial.sweep_out")
close_rows = twin("planar_rows.close_rows", "spatial_rows.close_rows")
row_velocity = twin("planar_rows.row_velocity", "spatial_rows.row_velocity")
row_acceleration = twin("planar_rows.row_acceleration", "spatial_rows.row_acceleration")
respond_row = twin("planar_rows.respond_row", "spatial_rows.respond_row")
rates = twin("planar.rates", "spatial.rates")
displace = twin("planar.displace", "spatial.displace")
transmit = twin("planar.transmit", "spatial.transmit")
axis_force = twin("planar.axis_force", "spatial.axis_force")
apply_loads = twin("planar_loads.apply", "spatial_loads.apply")
push_tracks = twin("tracks.push_tracks", "tracks.no_tracks")
press = twin("planar_pressing.press", "spatial_pressing.press")
energies = twin("planar_loads.energies", "spatial_loads.energies")
read_body = twin("planar.read_body", "spatial.read_body")
read_joint = twin("planar.read_joint", "spatial.read_joint")
read_row = twin("planar_rows.read_row", "spatial_rows.read_row")
look = twin("planar_contacts.look", "spatial_contacts.look")
lay_rims = twin("flat_rims.lay_nothing", "flat_rims.lay_rims")
lay_tipping_rims = twin("flat_rims.lay_no_tipping", "flat_rims.lay_tipping_rims")
seat = twin("planar_contacts.seat", "spatial_contacts.seat")
slip_speed = twin("planar_contacts.slip_speed", "spatial_contacts.slip_speed")
slip_along = twin("planar_contacts.slip_along", "spatial_contacts.slip_along")
take_aim = twin("planar_contacts.take_aim", "spatial_contacts.take_aim")
aim = twin("planar_contacts.aim", "spatial_contacts.aim")
face_ahead = twin("planar_contacts.face_ahead", "spatial_contacts.face_ahead")
veer = twin("planar_contacts.veer", "spatial_contacts.veer")
write_phase = twin("planar_contacts.write_phase", "spatial_contacts.write_phase")
read_phase = twin("planar_contacts.read_phase", "spatial_contacts.read_phase")
frame_of = twin("planar_contacts.frame_of", "spatial_contacts.frame_of")
same_way = twin("planar_contacts.same_way", "spatial_contacts.same_way")
tangents_of = twin("planar_contacts.tangents_of", "spatial_contacts.tangents_of")
leftover = twin("planar_contacts.leftover", "spatial_contacts.leftover")
load_impulse = twin("planar_contacts.load_impulse", "spatial_contacts.load_impulse")
slide_left = twin("planar_contacts.slide_left", "spatial_contacts.slide_left")
