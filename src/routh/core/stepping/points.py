"""Shapes and contact points, each function that of its space."""

from routh.core.twins import twin

place_shape = twin("stepping.planar_points.place_shape", "stepping.spatial_points.place_shape")
speed_bound = twin("stepping.planar_points.speed_bound", "stepping.spatial_points.speed_bound")
spin = twin("stepping.planar_points.spin", "stepping.spatial_points.spin")
velocities = twin("stepping.planar_points.velocities", "stepping.spatial_points.velocities")
forget_touch = twin("stepping.planar_points.forget_touch", "stepping.spatial_points.forget_touch")
read_touch = twin("stepping.planar_points.read_touch", "stepping.spatial_points.read_touch")
admissible = twin("stepping.planar_points.admissible", "stepping.spatial_points.admissible")
span = twin("stepping.planar_points.span", "stepping.spatial_points.span")
fill_row = twin("stepping.planar_points.fill_row", "stepping.spatial_points.fill_row")
load_point = twin("stepping.planar_points.load_point", "stepping.spatial_points.load_point")
put_coordinates = twin("stepping.planar_points.put_coordinates", "stepping.spatial_points.put_coordinates")
impulse_power = twin("stepping.planar_points.impulse_power", "stepping.spatial_points.impulse_power")
