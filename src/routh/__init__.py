"""Routh: the exact motion of rigid multibody systems that collide, stick and slide.

Declare a `Model` of bodies, joints, forces and contacts, `simulate` it, read the `Result` by names. SI units, radians,
right-handed axes; a planar model is the plane z = 0 of space. Every name is loaded when first used, so that importing costs
nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from routh.version import __version__

if TYPE_CHECKING:
    from routh import errors as errors
    from routh import study as study
    from routh import vehicles as vehicles
    from routh import view as view
    from routh.analysis import painleve as painleve
    from routh.analysis.continuation import Branch as Branch
    from routh.analysis.continuation import continue_orbit as continue_orbit
    from routh.analysis.equilibrium import equilibrium as equilibrium
    from routh.analysis.freedom import degrees_of_freedom as degrees_of_freedom
    from routh.analysis.kane import partial_velocities as partial_velocities
    from routh.analysis.linearize import linearize as linearize
    from routh.analysis.periodic import PeriodicOrbit as PeriodicOrbit
    from routh.analysis.periodic import periodic_orbit as periodic_orbit
    from routh.analysis.poincare import bifurcation_diagram as bifurcation_diagram
    from routh.analysis.poincare import poincare_map as poincare_map
    from routh.compiler.compile import Compiled as Compiled
    from routh.compiler.compile import compile_model as compile_model
    from routh.files.mesh import read_mesh as read_mesh
    from routh.files.mesh import read_triangles as read_triangles
    from routh.files.modelfile import ModelFile as ModelFile
    from routh.files.modelfile import format_model as format_model
    from routh.files.modelfile import parse_model as parse_model
    from routh.files.modelfile import read_model as read_model
    from routh.files.modelfile import write_model as write_model
    from routh.model import contacts as contacts
    from routh.model import forces as forces
    from routh.model import friction as friction
    from routh.model import impulses as impulses
    from routh.model import joints as joints
    from routh.model import profiles as profiles
    from routh.model import restitution as restitution
    from routh.model import shapes as shapes
    from routh.model import tracks as tracks
    from routh.model.body import Body as Body
    from routh.model.contacts import Contact as Contact
    from routh.model.contacts import ContactGroup as ContactGroup
    from routh.model.contacts import Rope as Rope
    from routh.model.contacts import Stop as Stop
    from routh.model.drivers import Driver as Driver
    from routh.model.laws import Brach as Brach
    from routh.model.laws import Moreau as Moreau
    from routh.model.laws import Newton as Newton
    from routh.model.laws import Poisson as Poisson
    from routh.model.laws import Stronge as Stronge
    from routh.model.model import Model as Model
    from routh.model.state import State as State
    from routh.sim.assembly import assemble as assemble
    from routh.sim.collide import FreeBody as FreeBody
    from routh.sim.collide import collide as collide
    from routh.sim.collide import contact_matrix as contact_matrix
    from routh.sim.contact_problem import FrictionSolution as FrictionSolution
    from routh.sim.contact_problem import solve_friction as solve_friction
    from routh.sim.event import Event as Event
    from routh.sim.impact import Impact as Impact
    from routh.sim.impact import resolve_impact as resolve_impact
    from routh.sim.impact import resolve_impacts as resolve_impacts
    from routh.sim.options import Options as Options
    from routh.sim.result import Result as Result
    from routh.sim.result import load as load
    from routh.sim.sensitivities import Sensitivities as Sensitivities
    from routh.sim.simulate import evaluate as evaluate
    from routh.sim.simulate import simulate as simulate
    from routh.sim.simulator import Simulator as Simulator
    from routh.study.identify import identify as identify
    from routh.study.study import Study as Study
    from routh.view.notebook import show as show

_NAMES = {
    "Brach": "routh.model.laws",
    "Branch": "routh.analysis.continuation",
    "FreeBody": "routh.sim.collide",
    "FrictionSolution": "routh.sim.contact_problem",
    "Impact": "routh.sim.impact",
    "Moreau": "routh.model.laws",
    "Newton": "routh.model.laws",
    "Poisson": "routh.model.laws",
    "Stronge": "routh.model.laws",
    "collide": "routh.sim.collide",
    "contact_matrix": "routh.sim.collide",
    "resolve_impact": "routh.sim.impact",
    "resolve_impacts": "routh.sim.impact",
    "solve_friction": "routh.sim.contact_problem",
    "Body": "routh.model.body",
    "Compiled": "routh.compiler.compile",
    "Compliant": "routh.model.compliant",
    "Contact": "routh.model.contacts",
    "ContactGroup": "routh.model.contacts",
    "Driver": "routh.model.drivers",
    "Event": "routh.sim.event",
    "Model": "routh.model.model",
    "ModelFile": "routh.files.modelfile",
    "Options": "routh.sim.options",
    "Result": "routh.sim.result",
    "Rope": "routh.model.contacts",
    "Sensitivities": "routh.sim.sensitivities",
    "State": "routh.model.state",
    "Stop": "routh.model.contacts",
    "identify": "routh.study.identify",
    "Study": "routh.study.study",
    "assemble": "routh.sim.assembly",
    "bifurcation_diagram": "routh.analysis.poincare",
    "compile_model": "routh.compiler.compile",
    "continue_orbit": "routh.analysis.continuation",
    "degrees_of_freedom": "routh.analysis.freedom",
    "equilibrium": "routh.analysis.equilibrium",
    "evaluate": "routh.sim.simulate",
    "format_model": "routh.files.modelfile",
    "linearize": "routh.analysis.linearize",
    "load": "routh.sim.result",
    "PeriodicOrbit": "routh.analysis.periodic",
    "parse_model": "routh.files.modelfile",
    "periodic_orbit": "routh.analysis.periodic",
    "poincare_map": "routh.analysis.poincare",
    "partial_velocities": "routh.analysis.kane",
    "read_mesh": "routh.files.mesh",
    "read_triangles": "routh.files.mesh",
    "read_model": "routh.files.modelfile",
    "simulate": "routh.sim.simulate",
    "Simulator": "routh.sim.simulator",
    "show": "routh.view.notebook",
    "write_model": "routh.files.modelfile",
}
_MODULES = {"compliant": "routh.model.compliant", "contacts": "routh.model.contacts", "errors": "routh.errors",
            "forces": "routh.model.forces", "friction": "routh.model.friction", "impulses": "routh.model.impulses",
            "joints": "routh.model.joints", "painleve": "routh.analysis.painleve",
            "profiles": "routh.model.profiles", "restitution": "routh.model.restitution",
            "shapes": "routh.model.shapes", "study": "routh.study", "tracks": "routh.model.tracks",
            "vehicles": "routh.vehicles", "view": "routh.view"}

__all__ = ["__version__", *sorted(_NAMES), *sorted(_MODULES)]


def __getattr__(name: str) -> Any:
    if name in _NAMES:
        value: Any = getattr(importlib.import_module(_NAMES[name]), name)
    elif name in _MODULES:
        value = importlib.import_module(_MODULES[name])
        value.__dict__.setdefault("__dir__", lambda: sorted(value.__all__))  # completion offers public names only
    else:
        raise AttributeError(f"module 'routh' has no attribute {name!r}")
    globals()[name] = value  # found once
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
