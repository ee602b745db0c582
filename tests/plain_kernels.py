"""Kernels as plain Python, a thousand times slower, to print and break in them and to try an edit without compiling.

    import plain_kernels                                     # before routh; whatever runs afterwards runs uncompiled
    python tests/plain_kernels.py planar 1970 0.54 0.78      # a random scene: compiled up to 0.54 s, plain from there

The second form runs the compiled part in a process of its own, from the tree in `ROUTH_COMPILED` where that is given, so that
edits of core/ in this one need not be compiled.
"""

import os
import pickle
import subprocess
import sys
import tempfile
from importlib import import_module
from pathlib import Path

import numpy as np

COMPILED_PART = "--compiled-part"

if COMPILED_PART not in sys.argv:
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    from routh.core.tables import bundle
    from routh.native import load

    np.seterr(all="ignore")

    class Record(np.record):
        """A record whose fields win over NumPy's own names, such as `base`."""

        def __getattribute__(self, name):
            if name not in ("dtype", "getfield", "setfield") and name in np.void.__getattribute__(self, "dtype").fields:
                return self[name]
            return np.void.__getattribute__(self, name)

        def __setattr__(self, name, value):
            self[name] = value

    def recorded(array):
        """The array, with records that have attributes."""
        return array.view(np.dtype((Record, array.dtype))) if array.dtype.names else array

    fill = bundle.Tables.__init__

    def filled(self, **given):
        fill(self, **given)
        for name in self.fields:
            setattr(self, name, recorded(getattr(self, name)))

    def plain_entry(name, space):
        """An entry point as plain Python; records that it is given have attributes."""
        function = entry(name, space)
        return lambda *given: function(*(recorded(a) if isinstance(a, np.ndarray) else a for a in given))

    entry = load.entry
    bundle.Tables.__init__ = filled  # type: ignore[method-assign]
    for module in ("compiler.machine", "sim.impact", "sim.impact_path"):
        import_module(f"routh.{module}").entry = plain_entry


def compiled_part(space, seed, until, path):
    """Write the model of a scene and its state at `until`."""
    sys.path.insert(0, str(Path(__file__).parent))
    import routh as rt
    from random_scenes import draw_scene
    from scene_checks import TIGHT

    scene = draw_scene(int(seed), space)
    start = scene.start
    if float(until) > 0.0:
        start = rt.simulate(scene.model, start, float(until), options=rt.Options(**TIGHT)).final_state
    Path(path).write_bytes(pickle.dumps((scene.model, start)))


def main(space, seed, since, until):
    """Run a scene, plain from `since` to `until`; print its events, and its closed contacts at ten samples."""
    import routh as rt
    from scene_checks import TIGHT

    path = Path(tempfile.mkdtemp()) / "state"
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    if "ROUTH_COMPILED" in environment:
        environment["PYTHONPATH"] = environment["ROUTH_COMPILED"]
    subprocess.run([sys.executable, __file__, COMPILED_PART, space, seed, since, str(path)], env=environment, check=True)
    model, start = pickle.loads(path.read_bytes())
    t0, t1 = float(since), float(until)
    options = rt.Options(**TIGHT, output=(t1 - t0) / 10.0, on_error="return")
    result = rt.simulate(model, start, t1, t_start=t0, options=options)
    print(result.status, result.t[-1])
    for event in result.events:
        print(repr(float(event.t)), event.kind, event.contact, event.text)
    for i, t in enumerate(result.t):
        closed = [c.name for c in model.contacts if result[f"{c.name}.mode"][i] > 0.0]
        print(repr(float(t)), *(f"{name}: gap {result[f'{name}.gap'][i]:.3g}, force {result[f'{name}.force'][i]:.9g};"
                                for name in closed))


if __name__ == "__main__":
    if COMPILED_PART in sys.argv:
        compiled_part(*sys.argv[2:])
    else:
        main(*sys.argv[1:])
