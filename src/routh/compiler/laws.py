"""The user's own laws: compiled to C functions whose addresses the kernels call."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

from routh.errors import ModelError

__all__ = ["compile_law"]


def compile_law(where: str, law: Callable[..., Any], n_parameters: int, dimension: int | None) -> Any:
    """A compiled C callback of `law`: scalar (dimension None) or for a body of the plane (2) or space (3).

    Keep the returned object as long as its `.address` is in use.
    """
    import numba

    from routh.core.laws import BODY_LAW, SCALAR_LAW

    wanted = 4 if dimension is None else 5
    function = getattr(law, "py_func", law)
    try:
        count = len(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        count = wanted
    if count != wanted:
        takes = "(t, x, rate, parameters)" if dimension is None else "(t, pose, velocity, parameters, out)"
        raise ModelError(f"{where}: the law must take {wanted} arguments {takes}, not {count}")

    compiled = numba.njit(function)
    carray, size = numba.carray, max(n_parameters, 1)
    if dimension is None:
        def scalar(t, x, rate, parameters):  # type: ignore[no-untyped-def]
            return compiled(t, x, rate, carray(parameters, size))
        wrapper: Any = scalar
        signature = SCALAR_LAW
    else:
        n_pose, n_velocity = (3, 3) if dimension == 2 else (7, 6)

        def body(t, pose, velocity, parameters, out):  # type: ignore[no-untyped-def]
            compiled(t, carray(pose, n_pose), carray(velocity, n_velocity), carray(parameters, size),
                     carray(out, n_velocity))
        wrapper, signature = body, BODY_LAW
    try:
        return numba.cfunc(signature)(wrapper)
    except numba.core.errors.NumbaError as error:
        raise ModelError(f"{where}: the law {function.__name__!r} does not compile: {_reason(function, error)}") from error


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
    if not inside:
        return why
    n = inside[-1]
    return f'line {n} of {file.rsplit("/", 1)[-1]}, "{source[n - first].strip()}": {why}'
