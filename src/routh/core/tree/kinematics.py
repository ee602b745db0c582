"""Stages of the spanning tree, each the function of its space: kinematics, recursions, loop rows, loads."""

from routh.core.twins import twin

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
energies = twin("tree.planar_loads.energies", "tree.spatial_loads.energies")
read_body = twin("tree.planar.read_body", "tree.spatial.read_body")
read_joint = twin("tree.planar.read_joint", "tree.spatial.read_joint")
read_row = twin("tree.planar_rows.read_row", "tree.spatial_rows.read_row")
