"""The one branch on space: each name here is the planar or the spatial function, chosen by the type of System.

A function is looked for when it is first called or compiled, so that a run imports the kernels of its own space only.
"""

from functools import cache
from importlib import import_module

from numba.extending import overload

from routh.core.tables.layout import PlanarSystem


@cache
def _function(path):
    """The function that "module.name" means in `core`."""
    module, name = path.rsplit(".", 1)
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


place = twin("tree.planar.place", "tree.spatial.place")
sweep_in = twin("tree.planar.sweep_in", "tree.spatial.sweep_in")
sweep_out = twin("tree.planar.sweep_out", "tree.spatial.sweep_out")
close_rows = twin("tree.planar_rows.close_rows", "tree.spatial_rows.close_rows")
row_velocity = twin("tree.planar_rows.row_velocity", "tree.spatial_rows.row_velocity")
row_acceleration = twin("tree.planar_rows.row_acceleration", "tree.spatial_rows.row_acceleration")
respond_row = twin("tree.planar_rows.respond_row", "tree.spatial_rows.respond_row")
rates = twin("tree.planar.rates", "tree.spatial.rates")
displace = twin("tree.planar.displace", "tree.spatial.displace")
transmit = twin("tree.planar.transmit", "tree.spatial.transmit")
axis_force = twin("tree.planar.axis_force", "tree.spatial.axis_force")
apply_loads = twin("tree.planar_loads.apply", "tree.spatial_loads.apply")
push_tracks = twin("contact.tracks.push_tracks", "contact.tracks.no_tracks")
press = twin("contact.planar_pressing.press", "contact.spatial_pressing.press")
energies = twin("tree.planar_loads.energies", "tree.spatial_loads.energies")
read_body = twin("tree.planar.read_body", "tree.spatial.read_body")
read_joint = twin("tree.planar.read_joint", "tree.spatial.read_joint")
read_row = twin("tree.planar_rows.read_row", "tree.spatial_rows.read_row")
look = twin("contact.planar_contacts.look", "contact.spatial_contacts.look")
lay_rims = twin("events.flat_rims.lay_nothing", "events.flat_rims.lay_rims")
lay_tipping_rims = twin("events.flat_rims.lay_no_tipping", "events.flat_rims.lay_tipping_rims")
seat = twin("contact.planar_contacts.seat", "contact.spatial_contacts.seat")
slip_speed = twin("contact.planar_contacts.slip_speed", "contact.spatial_contacts.slip_speed")
slip_along = twin("contact.planar_contacts.slip_along", "contact.spatial_contacts.slip_along")
take_aim = twin("contact.planar_contacts.take_aim", "contact.spatial_contacts.take_aim")
aim = twin("contact.planar_contacts.aim", "contact.spatial_contacts.aim")
face_ahead = twin("contact.planar_contacts.face_ahead", "contact.spatial_contacts.face_ahead")
veer = twin("contact.planar_contacts.veer", "contact.spatial_contacts.veer")
write_phase = twin("contact.planar_contacts.write_phase", "contact.spatial_contacts.write_phase")
read_phase = twin("contact.planar_contacts.read_phase", "contact.spatial_contacts.read_phase")
frame_of = twin("contact.planar_contacts.frame_of", "contact.spatial_contacts.frame_of")
same_way = twin("contact.planar_contacts.same_way", "contact.spatial_contacts.same_way")
tangents_of = twin("contact.planar_contacts.tangents_of", "contact.spatial_contacts.tangents_of")
leftover = twin("contact.planar_contacts.leftover", "contact.spatial_contacts.leftover")
load_impulse = twin("contact.planar_contacts.load_impulse", "contact.spatial_contacts.load_impulse")
slide_left = twin("contact.planar_contacts.slide_left", "contact.spatial_contacts.slide_left")
