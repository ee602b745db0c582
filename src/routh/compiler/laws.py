"""The user's own laws: compiled to C functions whose addresses the kernels call."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from routh.core.tables import impact_codes as impact
from routh.errors import ModelError
from routh.model import restitution
from routh.model.friction import Fading, Friction, Stribeck, Table
from routh.model.laws import Brach, ImpactLaw, Moreau, Newton, Poisson, Stronge
from routh.native.load import address

__all__ = ["compile_friction", "compile_law", "compile_restitution", "law_code"]


_COMPILED: dict[tuple[Any, int, int | None], tuple[Any, Any]] = {}  # with the outer values that each was compiled with


def compile_law(where: str, law: Callable[..., Any], n_parameters: int, dimension: int | None) -> Any:
    """A compiled C callback of `law`: scalar (dimension None), of depth and rate (0), of the slip (1), for a body (2 or 3)."""
    function = getattr(law, "py_func", law)
    key = (function, n_parameters, dimension)
    seen = _outer_values(function)
    if key not in _COMPILED or _COMPILED[key][0] != seen:
        _COMPILED[key] = (seen, _compile(where, law, n_parameters, dimension))
    return _COMPILED[key][1]


def _outer_values(function: Any, met: frozenset[Any] = frozenset()) -> tuple[Any, ...]:
    """Globals and closure values that a law reads, in a form that can be compared: machine code keeps those of its compilation.

    Functions that the law calls are followed. Another value means another compilation.
    """
    if not inspect.isfunction(function) or function in met:
        return ()
    outer = inspect.getclosurevars(function)
    found: list[Any] = [function.__code__.co_code, repr(function.__defaults__)]
    for name, value in sorted({**outer.globals, **outer.nonlocals}.items()):
        value = getattr(value, "py_func", value)
        if isinstance(value, np.ndarray):
            found.append((name, value.dtype.str, value.shape, value.tobytes()))
        elif inspect.isfunction(value):
            found.append((name, id(value), _outer_values(value, met | {function})))
        elif isinstance(value, bool | int | float | complex | str | tuple):
            found.append((name, type(value).__name__, repr(value)))
        else:
            found.append((name, id(value)))
    return tuple(found)


def law_code(law: ImpactLaw) -> tuple[int, float]:
    """(code of the kernels, coefficient of the tangent: Brach's ratio, a ratio of stiffnesses, or 0) of an impact law."""
    match law:
        case Poisson():
            return impact.POISSON, 0.0
        case Stronge():
            k = law.tangential_stiffness
            return (impact.STRONGE, 0.0) if k is None else (impact.STRONGE_COMPLIANT, float(k))
        case Newton():
            return (impact.NEWTON if law.form == "marched" else impact.NEWTON_ALGEBRAIC), 0.0
        case Brach():
            return impact.BRACH, law.e_t
        case Moreau():
            return impact.MOREAU, 0.0
    what = "a bare ImpactLaw" if isinstance(law, ImpactLaw) else "not an impact law"
    raise ModelError(f"law = {law!r} is {what}; take Newton, Poisson, Stronge, Moreau or Brach")


def compile_friction(where: str, friction: Friction) -> tuple[Any, tuple[float, ...]]:
    """(C callback with the signature of a scalar law, parameters): mu = callback(t, slip, 0, parameters)."""
    if type(friction) is Stribeck:
        return SimpleNamespace(address=address("friction_stribeck", "any")), friction.as_law()[1]
    if type(friction) is Fading:
        return SimpleNamespace(address=address("friction_fading", "any")), friction.as_law()[1]
    if type(friction) is Table:
        return SimpleNamespace(address=address("friction_table", "any")), (float(len(friction.speeds)), *friction.as_law()[1])
    function, parameters = friction.as_law()
    return compile_law(where, function, len(parameters), 1), parameters


def compile_restitution(where: str, law: restitution.Restitution) -> tuple[Any, tuple[float, ...]]:
    """(C callback with the signature of a scalar law, parameters): e = callback(0, approach speed, 0, parameters)."""
    match law:
        case restitution.PowerLaw():
            return SimpleNamespace(address=address("restitution_power", "any")), (law.e, law.speed, law.power)
        case restitution.Plastic():
            return SimpleNamespace(address=address("restitution_power", "any")), (1.0, law.elastic_speed, 0.25)
        case restitution.Table():
            numbers = (float(len(law.speeds)), *law.speeds, *law.values)
            return SimpleNamespace(address=address("friction_table", "any")), numbers
        case restitution.Law():
            return compile_law(where, law.function, len(law.parameters), 1), law.parameters
    raise ModelError(f"{where}: e = {law!r} cannot be simulated; take one of routh.restitution")


def _compile(where: str, law: Callable[..., Any], n_parameters: int, dimension: int | None) -> Any:
    try:
        import numba
    except ModuleNotFoundError:
        raise ModelError(f"{where}: a law of your own is compiled by Numba, which is not installed; pip install "
                         "'routh[compile]'") from None

    from routh.core.tree.laws import BODY_LAW, SCALAR_LAW

    wanted, takes = {None: (4, "(t, x, rate, parameters)"), 0: (3, "(depth, rate, parameters)"),
                     1: (2, "(slip, parameters)")}.get(dimension, (5, "(t, pose, velocity, parameters, out)"))
    function = getattr(law, "py_func", law)
    try:
        count = len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        count = wanted
    if count != wanted:
        raise ModelError(f"{where}: the law must take {wanted} arguments {takes}, not {count}")

    if not inspect.isfunction(function):
        raise ModelError(f"{where}: the law {function!r} is not a plain Python function; write one with def")
    if _writes(function, n_parameters, dimension):
        raise ModelError(f"{where}: the law {function.__name__!r} writes to its parameters, which all runs of the model share; "
                         "work on a copy")
    # an exception cannot leave a C callback: it becomes not-a-number, which stops the run and says so
    compiled = numba.njit(function, error_model="numpy", boundscheck=True)
    carray, size, nan = numba.carray, n_parameters, math.nan
    if dimension is None:
        def scalar(t, x, rate, parameters, count):  # type: ignore[no-untyped-def]
            force = nan
            try:
                force = float(compiled(t, x, rate, carray(parameters, size)))
            except Exception:
                force = nan
            return force
        wrapper: Any = scalar
        signature = SCALAR_LAW
    elif dimension == 0:
        def normal(t, x, rate, parameters, count):  # type: ignore[no-untyped-def]
            force = nan
            try:
                force = float(compiled(x, rate, carray(parameters, size)))
            except Exception:
                force = nan
            return force
        wrapper, signature = normal, SCALAR_LAW
    elif dimension == 1:
        def friction(t, x, rate, parameters, count):  # type: ignore[no-untyped-def]
            mu = nan
            try:
                mu = float(compiled(x, carray(parameters, size)))
            except Exception:
                mu = nan
            return mu
        wrapper, signature = friction, SCALAR_LAW
    else:
        n_pose, n_velocity = (3, 3) if dimension == 2 else (7, 6)

        def body(t, pose, velocity, parameters, out):  # type: ignore[no-untyped-def]
            try:
                compiled(t, carray(pose, n_pose), carray(velocity, n_velocity), carray(parameters, size),
                         carray(out, n_velocity))
            except Exception:
                out[0] = nan
        wrapper, signature = body, BODY_LAW
    try:
        return numba.cfunc(signature)(wrapper)
    except Exception as error:  # Numba raises more than its own family
        raise ModelError(f"{where}: the law {function.__name__!r} does not compile: {_reason(function, error)}") from error


def _writes(function: Callable[..., Any], n_parameters: int, dimension: int | None) -> bool:
    """Whether a law, tried once in plain Python, assigns to its parameters."""
    parameters = np.ones(n_parameters)
    parameters.flags.writeable = False
    n_pose, n_velocity = (3, 3) if dimension == 2 else (7, 6)
    arguments = {None: (0.1, 0.1, 0.1, parameters), 1: (0.1, parameters)}.get(
        dimension, (0.1, np.full(n_pose, 0.1), np.full(n_velocity, 0.1), parameters, np.zeros(n_velocity)))
    try:
        function(*arguments)
    except ValueError as error:
        return "read-only" in str(error)
    except Exception:  # what it needs at this state is its own affair; the compiler judges the rest
        return False
    return False


def _reason(function: Callable[..., Any], error: Exception) -> str:
    """Which line of the user's function, and why, out of Numba's long message."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    try:
        source, first = inspect.getsourcelines(function)
        file = inspect.getsourcefile(function) or "?"
    except (OSError, TypeError):
        source, first, file = [], 0, "?"
    lines = [int(n) for n in re.findall(rf'File "{re.escape(file.rsplit("/", 1)[-1])}", line (\d+)', text)]
    lines += [int(n) for n in re.findall(rf"{re.escape(file)} \((\d+)\)", text)]
    inside = [n for n in lines if first <= n < first + len(source)]
    useful = [line.strip() for line in text.splitlines() if line.strip()]
    why = next((line for line in useful if re.search(r"NameError|not defined|No implementation|Unknown attribute|Cannot "
                                                     r"|cannot |Invalid use|not supported|Untyped|no attribute", line)),
               useful[1] if len(useful) > 1 else text)
    returned = re.search(r"float'>\) found for signature:\s+>>> float\((.*)\)", text)
    if returned and not inside:
        return f"it must return a number, not {returned[1]}"
    unknown = re.search(r"name '(\w+)' is not defined", text)
    if unknown and not inside:  # Numba does not say where
        inside = [first + i for i, line in enumerate(source) if re.search(rf"\b{unknown[1]}\b", line)][:1]
    if not inside:
        return why
    n = inside[-1]
    return f'line {n} of {file.rsplit("/", 1)[-1]}, "{source[n - first].strip()}": {why}'
