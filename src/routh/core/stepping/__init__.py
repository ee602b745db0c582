"""The time-stepping engine: Moreau-Jean steps at the level of velocities.

| file | what |
|---|---|
| `step_loop.py` | the loop: steps up to the next stop, samples |
| `step.py` | one step: free motion, contact points, impulses, new state |
| `broad_phase.py` | pairs of shapes that are near, by a grid of several levels |
| `narrow_phase.py` | contact points of near pairs |
| `point_rows.py` | rows and inverse mass of contact points |
| `islands.py` | groups of bodies that touch each other |
| `sweeps.py` | impulses: projected Gauss-Seidel sweeps over an island |
| `local_contact.py` | one contact with the others fixed |
| `step_sums.py` | impulses and works added up per contact |
| `step_samples.py` | what a sample shows |
| `planar_points.py`, `spatial_points.py` | what depends on the dimension |
"""
