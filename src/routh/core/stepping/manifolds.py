"""Contact points of two polygons or polyhedra, all at once: the function of each space."""

from routh.core.twins import twin

manifold = twin("stepping.planar_manifold.manifold", "stepping.spatial_manifold.manifold")
