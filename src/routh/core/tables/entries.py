"""The table of entry points: every compiled function that Python calls, or that kernels call by its address.

Each entry point is a C function `routh_<space>_<name>`. Its signature is a list of words:

| word | in C | in Python |
|---|---|---|
| a bundle: `system`, `work`, `buffers`, `radau`, `solver`, `events`, `log`, `stepping`, `batch` | address | the bundle |
| `number`, `integer` | double, int64 | float, int |
| `vector`, `matrix`, `cube`, `grid` | address of the first double, then one int64 per axis | float array of 1, 2, 3, 4 axes |
| `indices`, or records: `control`, `blocks`, `links` | address of the first entry, length | array of int64 or of records |

The functions are named as "room.module.function" of `routh.core`; an entry point of both spaces is compiled once for each.
"""

from typing import NamedTuple

import numpy as np

from routh.core.tables.batch import Batch
from routh.core.tables.layout import (
    ACCELERATE,
    CHOOSE,
    DERIVATIVE,
    PROJECT,
    STRIKE,
    PlanarSystem,
    PlanarWork,
    SpatialSystem,
    SpatialWork,
)
from routh.core.tables.log import Log
from routh.core.tables.pairs import FAMILIES
from routh.core.tables.runs import BLOCK, CONTROL, Buffers, Events, Radau, Solver
from routh.core.tables.stepping import Stepping
from routh.core.tables.variation import LINK

PLANAR, SPATIAL, ANY = "planar", "spatial", "any"  # spaces; ANY: the function does not ask for the dimension
SPACES = (PLANAR, SPATIAL)

BUNDLES = {"buffers": Buffers, "radau": Radau, "solver": Solver, "events": Events, "log": Log,
           "stepping": Stepping, "batch": Batch}
SYSTEMS = {PLANAR: {"system": PlanarSystem, "work": PlanarWork}, SPATIAL: {"system": SpatialSystem, "work": SpatialWork}}
ARRAYS = {"vector": (np.dtype(np.float64), 1), "matrix": (np.dtype(np.float64), 2), "cube": (np.dtype(np.float64), 3),
          "grid": (np.dtype(np.float64), 4), "indices": (np.dtype(np.int64), 1),
          "control": (CONTROL, 1), "blocks": (BLOCK, 1), "links": (LINK, 1)}
SCALARS = ("number", "integer")


class Entry(NamedTuple):
    """One entry point of one space."""

    name: str
    space: str                    # PLANAR, SPATIAL or ANY
    function: str                 # "motion.kane.derivative"
    arguments: tuple[str, ...]    # words of the table above
    returns: str                  # "integer", "number" or "nothing"
    calls: tuple[str, ...]        # entry points that it calls by address

    @property
    def symbol(self) -> str:
        """Its name in the library."""
        return f"routh_{self.space}_{self.name}"


ENTRIES: dict[tuple[str, str], Entry] = {}


def _declare(name, function, arguments, returns="nothing", spaces=SPACES, calls=""):
    for space in spaces:
        ENTRIES[name, space] = Entry(name, space, function, tuple(arguments.split()), returns, tuple(calls.split()))


# mechanics
_declare("accelerate", "motion.kane.accelerate", "system work number vector vector", "number", calls="gap")
_declare("derivative", "motion.kane.derivative", "system work number vector vector", calls="accelerate")
_declare("project", "motion.kane.project", "system work number vector vector", "number", calls="gap")
_declare("accelerations", "motion.observe.accelerate_at", "system work number vector vector vector", calls="accelerate")
_declare("repeat", "motion.repeat.repeat_accelerations", "system work number vector vector integer", "number",
         calls="accelerate")
_declare("place_bodies", "motion.observe.place_bodies", "system work vector vector matrix")
_declare("violations", "motion.observe.violations", "system work vector vector vector vector")
_declare("partials", "motion.observe.partials", "system work vector vector cube matrix")
_declare("displace", "motion.observe.displace_by", "system work vector")
_declare("drive_to", "motion.observe.drive_to", "system work number vector vector")
_declare("gaps_at", "motion.observe.gaps_at", "system work vector vector vector", calls="gap")
_declare("contact_rows", "motion.observe.contact_rows", "system work vector vector vector matrix", calls="gap")
_declare("observe", "motion.observe.observe",
         "system work vector matrix indices vector indices matrix cube cube cube matrix cube matrix cube matrix",
         calls="accelerate gap")

# gaps by families of shapes; the compiler of models gives each contact its kind (`pairs.py`)
_declare("gap_round", "gaps.planar_round_gap.gap", "system work integer", spaces=(PLANAR,))
_declare("gap_chain", "gaps.planar_chain_gap.gap", "system work integer", spaces=(PLANAR,))
_declare("gap_ellipse", "gaps.planar_ellipse_gap.gap", "system work integer", spaces=(PLANAR,))
_declare("gap_round", "gaps.round_gap.gap", "system work integer", spaces=(SPATIAL,))
_declare("gap_polyhedron", "gaps.polyhedron_gap.gap", "system work integer", spaces=(SPATIAL,))
_declare("gap_cylinder", "gaps.cylinder_gap.gap", "system work integer", spaces=(SPATIAL,))
_declare("gap_ellipsoid", "gaps.ellipsoid_edge_gap.gap", "system work integer", spaces=(SPATIAL,))

# runs
_declare("run_explicit", "integrate.loop.run_explicit",
         "system work control buffers vector vector vector matrix indices", "integer", calls="derivative project")
_declare("run_implicit", "integrate.stiff_loop.run_implicit",
         "system work control buffers radau vector vector vector matrix indices", "integer", calls="derivative project")
_declare("run_events", "events.event_loop.run_events",
         "system work control buffers events solver log vector vector vector matrix indices indices", "integer",
         calls="derivative project gap strike choose")
_declare("strike", "events.strike.strike", "system work events solver log number vector integer", "integer",
         calls="project gap solve choose")
_declare("choose", "events.modes.choose", "system work events solver log number vector integer", "integer",
         calls="accelerate derivative project gap solve")
_declare("slope_at", "events.replay.slope_at", "system work number number vector number vector vector", calls="derivative")
_declare("repeat_event", "events.replay.repeat_event",
         "system work control events solver log vector vector indices integer integer integer number number number vector "
         "vector", "integer", calls="project gap strike")
_declare("lay_out", "events.links.lay_out",
         "system work control buffers buffers events solver log links matrix indices vector matrix vector vector vector "
         "integer cube vector cube cube matrix matrix matrix matrix vector", "integer", calls="derivative project gap strike")
_declare("carry", "events.tangent.carry",
         "system work system system control buffers buffers events solver log links matrix indices vector vector vector "
         "integer integer vector cube cube vector matrix matrix matrix matrix matrix vector vector vector vector matrix cube "
         "vector matrix matrix vector", "integer", calls="derivative project gap strike")
_declare("run_batch", "events.run_batch.run_batch",
         "system work work control control buffers events solver log batch integer cube cube cube matrix cube matrix cube "
         "matrix", "integer", calls="run_events observe")
_declare("remember", "events.event_samples.remember", "system work log", "integer")

# the stepping engine
_declare("run_steps", "stepping.step_loop.run_steps",
         "system work stepping vector integer integer vector matrix cube cube cube matrix cube matrix cube matrix", "integer",
         calls="project gap")
_declare("help_steps", "stepping.sharing.help_steps", "system work stepping")
_declare("first_sample", "stepping.step_loop.first_sample",
         "system work stepping vector vector matrix cube cube cube matrix cube matrix cube matrix")

# friction coefficients and restitutions, called by the addresses in contact records
_declare("friction_stribeck", "contact.friction.stribeck", "number number number vector", "number", (ANY,))
_declare("friction_fading", "contact.friction.fading", "number number number vector", "number", (ANY,))
_declare("restitution_power", "contact.friction.power_law", "number number number vector", "number", (ANY,))
_declare("friction_table", "contact.friction.table", "number number number vector", "number", (ANY,))

# contact space
_declare("solve", "contact.complementarity.solve_coded", "solver matrix vector blocks vector vector", "integer", (ANY,))
_declare("sweep_contacts", "contact.anderson.accelerated_sweeps",
         "indices indices matrix vector vector vector integer integer integer integer number vector matrix matrix matrix "
         "matrix vector vector", "integer", (ANY,))
_declare("impact_plane", "impact.impact_batch.one_plane",
         "matrix vector integer number number number number vector", "integer", (ANY,))
_declare("impact_space", "impact.impact_batch.one_space",
         "matrix vector integer number number number number matrix matrix indices vector", "integer", (ANY,))
_declare("impacts_plane", "impact.impact_batch.many_plane", "cube matrix integer matrix indices matrix", spaces=(ANY,))
_declare("impacts_space", "impact.impact_batch.many_space", "cube matrix integer matrix matrix indices matrix", spaces=(ANY,))
_declare("leaving_direction", "impact.impact_batch.leaving_slip", "number number number number vector", spaces=(ANY,))


def entry_of(name, space):
    """The entry point `name` that serves a space."""
    return ENTRIES.get((name, space)) or ENTRIES[name, ANY]


def space_of(system):
    """The space of a System."""
    return PLANAR if isinstance(system, PlanarSystem) else SPATIAL


def family_of(system, c):
    """The entry point that computes the gap of contact c."""
    kind = system.contact["kind"][c]
    return next(name for name, kinds in FAMILIES[space_of(system)].items() if kind in kinds)


def reached(names, space):
    """The entry points `names` and all that they call, except gaps, which each contact chooses for itself."""
    found, todo = {}, list(names)
    while todo:
        name = todo.pop()
        if name != "gap" and name not in found:
            found[name] = entry_of(name, space)
            todo.extend(found[name].calls)
    return list(found.values())


# places of addresses in `work.entry`
CALLED = {"accelerate": ACCELERATE, "derivative": DERIVATIVE, "project": PROJECT, "strike": STRIKE, "choose": CHOOSE}
