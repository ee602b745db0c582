"""Entry points as machine code: which library serves this machine, and how one is built.

| file | what |
|---|---|
| `levels.py` | CPU levels, and the one of this machine |
| `sources.py` | which kernel files an entry point reaches, and the key that they make |
| `store.py` | libraries on disk: the one of the package, and single entry points in the user's cache |
| `load.py` | an entry point as something to call: `entry("derivative", "planar")` |
| `build.py` | compiling what is missing, in parallel, with a progress bar |
| `worker.py` | the process that compiles; alone in needing Numba |

Nothing but `worker.py` imports Numba.
"""
