"""Kinds of elementary contacts between two shapes; `compiler/planar_pairs.py` and `compiler/spatial_pairs.py` choose them."""

from routh.core.tables.layout import FIRST_PAIR

# in the plane
(LINE_DISK, DISK_DISK, CHAIN_DISK, CHAIN_ARC, LINE_ELLIPSE, DISK_ELLIPSE, CHAIN_ELLIPSE, ARCS_ELLIPSE, BOWL_ELLIPSE,
 ELLIPSE_ELLIPSE) = range(FIRST_PAIR, FIRST_PAIR + 10)

# in space
(BALL_PLANE, BALL_BALL, BALL_CAPSULE, BALL_CYLINDER, BALL_POLYHEDRON, BALL_ELLIPSOID, ELLIPSOID_PLANE, ELLIPSOID_ELLIPSOID,
 CAPSULE_CAPSULE, RIM_PLANE, EDGE_EDGE, ELLIPSOID_POLYHEDRON, ELLIPSOID_CYLINDER, EDGE_CYLINDER, RIM_POLYHEDRON, RIM_END,
 RIM_RIM) = range(FIRST_PAIR, FIRST_PAIR + 17)

# the entry point that computes the gap of each kind
FAMILIES = {
    "planar": {
        "gap_round": (LINE_DISK, DISK_DISK),
        "gap_chain": (CHAIN_DISK, CHAIN_ARC),
        "gap_ellipse": (LINE_ELLIPSE, DISK_ELLIPSE, CHAIN_ELLIPSE, ARCS_ELLIPSE, BOWL_ELLIPSE, ELLIPSE_ELLIPSE),
    },
    "spatial": {
        "gap_round": (BALL_PLANE, BALL_BALL, BALL_CAPSULE, CAPSULE_CAPSULE),
        "gap_polyhedron": (BALL_POLYHEDRON, EDGE_EDGE, RIM_POLYHEDRON),
        "gap_cylinder": (BALL_CYLINDER, RIM_PLANE, EDGE_CYLINDER, RIM_END, RIM_RIM),
        "gap_ellipsoid": (BALL_ELLIPSOID, ELLIPSOID_PLANE, ELLIPSOID_ELLIPSOID, ELLIPSOID_POLYHEDRON, ELLIPSOID_CYLINDER),
    },
}
