"""The spanning tree: kinematics, Kane's recursions, loop closures, applied loads. Plane and space are twins."""
