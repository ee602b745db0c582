"""Analyses of one model or of one contact. They read Systems, Results and Impacts.

| module | what |
|---|---|
| `freedom`, `equilibrium` | of a model: `rt.degrees_of_freedom`, `rt.equilibrium` |
| `linearize`, `kane` | of a model: `rt.linearize`, `rt.partial_velocities` |
| `painleve` | of a closed contact: what it does next, and when it has no or several answers; `rt.painleve` |
| `shooting`, `periodic`, `continuation` | periodic motions by shooting: `rt.periodic_orbit`, `rt.continue_orbit` |
| `poincare` | the same by plain runs: `rt.poincare_map`, `rt.bifurcation_diagram` |
| `impulse_path` | of an impact: its path in the impulse plane |
"""
