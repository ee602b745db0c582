"""Python's calls into the kernels: a System with its Work, and arrays made to measure."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from routh.compiler.geometry import matrix_of
from routh.core.tables.layout import N_WORK, new_work
from routh.native.load import EntryPoint, connect, entry

if TYPE_CHECKING:
    from routh.compiler.compile import Compiled

__all__ = ["Machine"]


class Machine:
    """A compiled model with the scratch that its kernels need."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.system: Any = compiled.system
        self.work: Any = new_work(compiled.system)
        self.space = compiled.space
        self.connected: set[str] = set()  # entry points whose calls have their addresses in the Work
        self._direct: Any = None  # see `accelerations`
        self.start_loss = 0.0  # energy that the start lost where its speeds had to be brought onto the loops [J]
        self.row_size = 3 if compiled.planar else 6
        self.body_size = 9 if compiled.planar else 19

    @property
    def n_state(self) -> int:
        """Length of the integrated state: coordinates, speeds, bristles, and works unless nothing can do any."""
        system = self.system
        works = any(table.size for table in (system.force, system.driver, system.contact, system.impulse, system.track))
        return int(system.world["works"][0]) + (N_WORK if works else 0)

    def take(self, compiled: Compiled) -> None:
        """Serve another compiled model that differs in numbers only."""
        self.start_loss = 0.0
        if compiled is not self.compiled:
            self.compiled, self.system, self._direct = compiled, compiled.system, None

    def need(self, *names: str) -> None:
        """Have entry points ready with all that they call: what is missing is compiled at once."""
        if not self.connected.issuperset(names):
            connect(self.system, self.work, self.space, *names)
            self.connected.update(names)

    def call(self, name: str, *arguments: Any) -> Any:
        """Call an entry point on this System and Work."""
        if name not in self.connected:
            self.need(name)
        return entry(name, self.space)(self.system, self.work, *arguments)

    def bind(self, name: str, *arguments: Any) -> Callable[[], int]:
        """An entry point on this System and Work with its arguments, ready to be called many times."""
        self.need(name)
        point = entry(name, self.space)
        if isinstance(point, EntryPoint):
            return point.bind(self.system, self.work, *arguments)
        return lambda: int(point(self.system, self.work, *arguments))

    def observation(self, n: int) -> dict[str, np.ndarray]:
        """Room for what `observe` reads off n samples."""
        system = self.system
        nodes, rows = system.node.size, system.row.size
        return {"body": np.zeros((n, nodes, self.body_size)), "joint": np.zeros((n, nodes, self.row_size)),
                "row": np.zeros((n, rows, self.row_size)), "drive": np.zeros((n, system.driver.size)),
                "reading": np.zeros((n, system.force.size, 2)), "energy": np.zeros((n, 3)),
                "contact": np.zeros((n, system.contact.size, 7)), "grip": np.zeros((n, self.work.grip.size))}

    def place(self, q: np.ndarray, u: np.ndarray | None = None) -> np.ndarray:
        """Body states (n_node, 9 or 19) at coordinates q and speeds u; accelerations are not meaningful."""
        out = np.zeros((self.system.node.size, self.body_size))
        self.call("place_bodies", q, np.zeros(self.compiled.n_u) if u is None else u, out)
        return out

    def violations(self, q: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Violation and rate of every loop row."""
        phi, rate = np.zeros(self.system.row.size), np.zeros(self.system.row.size)
        self.call("violations", q, u, phi, rate)
        return phi, rate

    def gaps(self, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Gap of every elementary contact."""
        out = np.zeros(self.system.contact.size)
        if out.size:
            self.call("gaps_at", q, u, out)
        return out

    def partials(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Partial velocities: of bodies (n_u, n_node, 9 or 19) and of loop rows (n_row, n_u)."""
        n_u = self.compiled.n_u
        body = np.zeros((n_u, self.system.node.size, self.body_size))
        row = np.zeros((self.system.row.size, n_u))
        self.call("partials", q, np.zeros(n_u), body, row)
        return body, row

    def mass_matrix(self, q: np.ndarray) -> np.ndarray:
        """Mass matrix (n_u, n_u) of the speeds, from the partial velocities of the mass centres."""
        V, poses = self.partials(q)[0], self.place(q)
        node, n_u = self.system.node, self.compiled.n_u
        M = np.zeros((n_u, n_u))
        for i in range(1, node.size):
            arm = node[i]["com"] - node[i]["origin"]
            if self.compiled.planar:
                c, s = np.cos(poses[i, 2]), np.sin(poses[i, 2])
                w = V[:, i, 5]
                v = V[:, i, 3:5] + np.outer(w, (-s * arm[0] - c * arm[1], c * arm[0] - s * arm[1]))
                M += node[i]["mass"] * v @ v.T + node[i]["inertia"] * np.outer(w, w)
            else:
                R = matrix_of(poses[i, 3:7])
                v, w = V[:, i, 7:10] + np.cross(V[:, i, 10:13], R @ arm), V[:, i, 10:13] @ R
                M += node[i]["mass"] * v @ v.T + w @ node[i]["inertia"] @ w.T
        return M

    def displaced(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Coordinates moved by a displacement of the speeds."""
        out = q.copy()
        self.work.dof["udot"] = step
        self.call("displace", out)
        return out

    def set_time(self, t: float, q: np.ndarray, u: np.ndarray) -> None:
        """Put driven coordinates and speeds where their motions are at time t."""
        if self.system.driver.size:
            self.call("drive_to", t, q, u)

    def driven(self) -> np.ndarray:
        """Mask of the driven speeds."""
        mask = np.zeros(self.compiled.n_u, bool)
        mask[self.system.driver["iu"]] = True
        return mask

    def accelerations(self, t: float, q: Any, u: Any) -> np.ndarray:
        """Accelerations of all speeds at one state; rigid contacts are taken to be open."""
        if self._direct is None:
            self._direct = self._bind()
        call, q_in, u_in, out = self._direct
        q_in[:], u_in[:] = q, u
        call(t)
        return out.copy()

    def _bind(self) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray]:
        """`accelerations` with its arrays, all addresses found beforehand: three microseconds a call."""
        self.need("accelerations")
        n_q, n_u = self.compiled.n_q, self.compiled.n_u
        q, u, out = np.zeros(n_q), np.zeros(n_u), np.zeros(n_u)
        point = entry("accelerations", self.space)
        if not isinstance(point, EntryPoint):
            return lambda t: point(self.system, self.work, t, q, u, out), q, u, out
        function, system, work = point.function, self.system.address, self.work.address
        vectors = (q.ctypes.data, n_q, u.ctypes.data, n_u, out.ctypes.data, n_u)
        return lambda t: function(system, work, t, *vectors), q, u, out

    def bias(self, t: float, q: np.ndarray, u: np.ndarray) -> np.ndarray:
        """Generalised forces f of M u̇ = f + Jᵀ λ: applied forces and velocity terms, and what drivers need."""
        udot = self.accelerations(t, q, u)
        return self.mass_matrix(q) @ udot - self.partials(q)[1].T @ self.work.loop["lam"]

    def contact_rows(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Gap of every elementary contact, and the rows of all contacts (n_rows, n_u): each normal, then its tangents."""
        gap, J = np.zeros(self.system.contact.size), np.zeros((self.system.hold.size, self.compiled.n_u))
        if gap.size:
            self.call("contact_rows", q, np.zeros(self.compiled.n_u), gap, J)
        return gap, J

    def free_directions(self, q: np.ndarray, tolerance: float = 1e-9) -> tuple[np.ndarray, np.ndarray]:
        """Orthonormal bases of the speeds: those the loops and drivers leave free, and those they hold."""
        driven = self.driven()
        J = self.partials(q)[1]
        J[:, driven] = 0.0
        held = np.vstack([J, np.eye(self.compiled.n_u)[driven]])
        if not len(held):
            return np.eye(self.compiled.n_u), np.zeros((self.compiled.n_u, 0))
        size = np.linalg.norm(held, axis=1, keepdims=True)
        _, s, vt = np.linalg.svd(held / np.where(size > 0.0, size, 1.0))
        rank = int((s > tolerance * max(s[0], 1e-300)).sum())
        return vt[rank:].T, vt[:rank].T

    def on_loops(self, q0: np.ndarray, step: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Coordinates displaced by `step`, then back to the loops by moving in the directions `held` only."""
        q = self.displaced(q0, step)
        u = np.zeros(self.compiled.n_u)
        for _ in range(20):
            left = self.violations(q, u)[0]
            if not left.size or np.abs(left).max() < 1e-14:
                break
            J = self.partials(q)[1] @ held
            q = self.displaced(q, held @ -np.linalg.lstsq(J, left, rcond=1e-9)[0])
        return q

    def moving_on_loops(self, q: np.ndarray, u: np.ndarray, held: np.ndarray) -> np.ndarray:
        """Speeds u corrected in the directions `held` so that the loops stay closed."""
        rate = self.violations(q, u)[1]
        if not rate.size:
            return u
        J = self.partials(q)[1] @ held
        return u - held @ np.linalg.lstsq(J, rate, rcond=1e-9)[0]
