"""The time-stepping engine: Moreau-Jean steps at the level of velocities.

| file | what |
|---|---|
| `step_loop.py` | the loop: steps up to the next stop, samples |
| `step.py` | one step: free motion, contact points, impulses, new state |
| `broad_phase.py` | pairs of shapes that are near, by a grid of several levels |
| `narrow_phase.py`, `new_points.py` | contact points of near pairs, and their partners of the last step |
| `manifolds.py`, `planar_manifold.py`, `spatial_manifold.py` | contact points of two polygons or polyhedra |
| `point_rows.py` | rows and inverse mass of contact points |
| `contact_laws.py` | what restitution, friction and compliance ask of a step |
| `islands.py`, `domains.py` | groups of bodies that touch each other; slabs of a large group |
| `solve.py`, `sweeps.py`, `impact/local_contact.py` | impulses: of an island, of a sweep, of one contact |
| `cones.py` | what sweeps read of contact points |
| `sharing.py` | work on domains, shared out among threads |
| `separation.py` | penetration is taken back |
| `step_sums.py`, `step_samples.py` | sums per contact; what a sample shows |
| `points.py`, `planar_points.py`, `spatial_points.py` | what depends on the dimension |
| `hash_table.py` | from pairs of shapes to their rule |
"""
