"""From what a start says to consistent coordinates and speeds.

Coordinates: what joints of the tree say is taken as said; what is said of bodies is fitted joint by joint, outward; loops are
closed by Newton's method, first by moving values that were not given, then all values that are not held. Speeds: one linear
least-squares problem. What then contradicts is named.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from routh.compiler.compile import Compiled, compile_model
from routh.compiler.geometry import turn_matrix
from routh.compiler.machine import Machine
from routh.compiler.tree import Branch
from routh.core.tables.layout import REVOLUTE
from routh.errors import StateError, did_you_mean
from routh.model import checks
from routh.model.joints import Joint
from routh.model.model import Model
from routh.model.state import State
from routh.sim.poses import ball_values
from routh.sim.settling import SettledState, changes, settle
from routh.sim.wishes import PLANE_POSE, PLANE_SPEED, SPACE_POSE, Wishes

__all__ = ["assemble", "assemble_arrays", "state_of"]

MET = 1e-9            # a wish that is off by less is met: round-off of what other programs print
CLOSED = 1e-12        # loop residual that counts as closed [m or rad]
NEAR = 1e-3           # given values may be this far off (rounded digits) and are then corrected
SPEED_NEAR = 1e-6     # likewise for speeds, relative to the largest given


def assemble(model: Model | Compiled, start: State | None = None, t: float = 0.0, *,
             contacts: bool | str | Iterable[str] = False, hold: Iterable[str] = ()) -> State:
    """A complete, consistent State near an approximate start; given values move as little as the loops allow.

    Parameters
    ----------
    model, start, t
        As in `simulate`; t [s] is the time of profiles and drivers.
    contacts
        Names of contacts to close, or True for all rigid ones that nearly touch, as printed digits do. Their gaps are closed by
        the least displacement in the metric of the masses; speeds stay as given. Default: False.
    hold
        Paths of start values that must come out exactly, such as `["crank.angle", "crank.angle_rate"]`; all others are first
        guesses. Not together with `contacts`. Default: none, and all values move a little.

    Returns
    -------
    State
        With `contacts`, a `SettledState`: `closed` has the gap of each contact before, `moved` the change of each coordinate.

    Raises
    ------
    StateError
        No assembly was found; the message has the joint, the contact or the held value, and its residual.

    Examples
    --------
    >>> from routh.gallery import slider_crank
    >>> start = rt.assemble(slider_crank.model(), rt.State(bore={"shift": 0.3}))
    >>> sorted(start)[:3]
    ['bore', 'crankpin', 'main']
    """
    machine = Machine(model if isinstance(model, Compiled) else compile_model(model))
    start = start if isinstance(start, State) else State(start)
    assembly = _Assembly(machine, start, checks.number("start", "t", t), False)
    held = (hold,) if isinstance(hold, str) else tuple(hold)
    if held:
        if contacts is not False:
            raise StateError("assemble: give hold or contacts, not both; contacts are closed by moving every coordinate")
        return state_of(machine, *_around(assembly, _only(start, held)))
    q = assembly.coordinates()
    if contacts is False:
        return state_of(machine, q, assembly.speeds(q))
    settled, closed = settle(machine, q, contacts)
    rest = np.zeros(machine.compiled.n_u)
    moved = changes(state_of(machine, q, rest), state_of(machine, settled, rest))
    return SettledState(state_of(machine, settled, assembly.speeds(settled)), closed, moved)


def assemble_arrays(machine: Machine, start: State | None, t: float, keep: bool) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and speeds of a start. `keep`: values given must be met (to their digits), else StateError."""
    t = checks.number("start", "t", t)
    start = start if isinstance(start, State) else State(start)
    assembly = _Assembly(machine, start, t, keep)
    q = assembly.coordinates()
    u = assembly.speeds(q)
    return q, u


def state_of(machine: Machine, q: np.ndarray, u: np.ndarray) -> State:
    """The State that says everything: every joint's coordinates and rates, every free body's pose and velocity."""
    compiled = machine.compiled
    entries: dict[str, dict[str, Any]] = {}
    bodies = machine.place(q, u)
    for branch in compiled.tree.branches:
        row = bodies[compiled.bodies[branch.child].node]
        if branch.joint is None:
            if compiled.planar:
                entries[branch.child] = {k: float(row[i]) for k, i in (PLANE_POSE | PLANE_SPEED).items()}
            else:
                entries[branch.child] = {k: float(row[i]) for k, i in SPACE_POSE.items()}
                entries[branch.child] |= {"q": tuple(map(float, row[3:7])), "vx": float(row[7]), "vy": float(row[8]),
                                          "vz": float(row[9]), "omega": tuple(map(float, row[10:13]))}
            continue
        joint = branch.joint
        values: dict[str, Any] = {}
        if joint.speeds:
            coordinates, rates = ball_values(compiled, joint, branch.reversed, q, u)
            values = dict(zip(joint.coordinates, map(float, coordinates), strict=True))
            values |= dict(zip(joint.speeds, map(float, rates), strict=True))
        else:
            for k, name in enumerate(joint.coordinates):
                iq, iu = compiled.coordinates[joint.name, k]
                values[name], values[f"{name}_rate"] = float(q[iq]), float(u[iu])
        if values:
            entries[joint.name] = values
    return State(entries)


def _only(start: State, paths: Iterable[str]) -> State:
    """The values of a start at these paths."""
    entries: dict[str, dict[str, Any]] = {}
    known = [f"{name}.{key}" for name, entry in start.items() for key in entry]
    for path in paths:
        if path not in known:
            raise StateError(f'assemble: hold names "{path}", which the start does not give' + did_you_mean(path, known))
        name, _, key = path.rpartition(".")
        entries.setdefault(name, {})[key] = start[name][key]
    return State(entries)


def _around(guess: _Assembly, values: State) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates and speeds that meet `values`, near a guess: least steps of what is not held."""
    machine = guess.machine
    held = _Assembly(machine, values, guess.t, True)
    held.taken()
    q = held.closed(guess.taken())
    if np.abs(held.wishes.residual(q)).max(initial=0.0) > MET:
        held.refuse(held.wishes.residual(q))
    u = guess.speeds(q)
    G, wanted, names = held.wishes.speed_rows(q)
    if len(G):
        K = np.vstack([G, machine.partials(q)[1]]) if machine.system.row.size else G
        K = np.where(machine.driven(), 0.0, K)
        u = u + np.linalg.lstsq(K, np.concatenate([wanted - G @ u, np.zeros(len(K) - len(G))]), rcond=1e-10)[0]
        left = np.abs(G @ u - wanted)
        if left.max() > SPEED_NEAR * max(1.0, np.abs(wanted).max()):
            worst = int(np.argmax(left))
            raise StateError(f"start: {names[worst]} cannot be {wanted[worst]:g}; the mechanism or its driver holds it at "
                             f"{(G @ u)[worst]:g}")
    return q, u


def _least_norm(K: np.ndarray, want: np.ndarray) -> np.ndarray:
    """Least-norm solution x of K x = want in the sense of least squares, by blocks that share no unknown.

    A heap has one small block per body. One singular value decomposition of all together would take the cube of their number.
    """
    leader = np.arange(K.shape[1])
    rows, columns = np.nonzero(K)
    first: dict[int, int] = {}
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        a, b = _leader(leader, first.setdefault(row, column)), _leader(leader, column)
        leader[max(a, b)] = min(a, b)
    block: dict[int, tuple[set[int], set[int]]] = {}
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        members = block.setdefault(_leader(leader, column), (set(), set()))
        members[0].add(row)
        members[1].add(column)
    x = np.zeros(K.shape[1])
    for some_rows, some_columns in block.values():
        i, j = sorted(some_rows), sorted(some_columns)
        x[j] = np.linalg.lstsq(K[np.ix_(i, j)], want[i], rcond=1e-12)[0]
    return x


def _leader(leader: np.ndarray, i: int) -> int:
    """Representative of the block that unknown i is in."""
    while leader[i] != i:
        leader[i] = leader[leader[i]]
        i = int(leader[i])
    return i


class _Assembly:
    """One assembly of one start."""

    def __init__(self, machine: Machine, start: State, t: float, keep: bool) -> None:
        self.machine, self.compiled, self.start, self.t, self.keep = machine, machine.compiled, start, t, keep
        self.wishes = Wishes(machine, start)
        self.told = np.zeros(self.compiled.n_u, bool)    # speeds whose coordinates a joint or driver says
        self.placed = np.zeros(self.compiled.n_u, bool)  # speeds whose coordinates were fitted to a body's pose
        self.fitted = False                              # whether a body that hangs on a joint has a pose to meet
        self.rest = np.zeros(self.compiled.n_u)

    def coordinates(self) -> np.ndarray:
        """Consistent coordinates of the start."""
        return self.closed(self.taken())

    def taken(self) -> np.ndarray:
        """Coordinates as the start says them, with loops still open."""
        q = np.zeros(self.compiled.n_q)
        for node in self.machine.system.node[1:]:
            if not self.compiled.planar and node["n_u"] > 1:
                q[node["iq"] + node["n_u"] - 3] = 1.0  # unit quaternion after what comes before it
        self.machine.set_time(self.t, q, self.rest.copy())
        self.told |= self.machine.driven()
        for branch in self.compiled.tree.branches:
            if branch.joint is not None:
                self._take_joint(branch.joint, q)
            if branch.joint is None:
                self._take_free(branch, q)
            elif self.wishes.of_body.get(branch.child):
                self._take_body(branch, q)
        return q

    def _take_joint(self, joint: Joint, q: np.ndarray) -> None:
        values = self.start.get(joint.name, {})
        given = [k for k in joint.coordinates if k in values]
        if joint.speeds and given:
            iq, iu = self.compiled.coordinates[joint.name, 0]
            p = np.array([values[k] for k in joint.coordinates])
            q[iq:iq + 4] = p / np.linalg.norm(p) * ([1, -1, -1, -1] if self.wishes.in_tree[joint.name] else [1, 1, 1, 1])
            self.told[iu:iu + 3] = True
            return
        for k in given:
            iq, iu = self.compiled.coordinates[joint.name, joint.coordinates.index(k)]
            if iu in self.machine.system.driver["iu"]:
                if abs(q[iq] - values[k]) > NEAR:
                    raise StateError(f'start of "{joint.name}": {k} = {values[k]:g} is given, but its driver says {q[iq]:g}')
                continue
            q[iq] = values[k]
            self.told[iu] = True

    def _take_free(self, branch: Branch, q: np.ndarray) -> None:
        """The coordinates of a free body are its pose, but counted to its mass centre."""
        place = self.compiled.bodies[branch.child]
        node = self.machine.system.node[place.node]
        wishes = self.wishes.of_body.get(branch.child, [])
        for wish in wishes:
            if wish.key != "q":
                q[node["iq"] + wish.slot] = wish.value
        if "q" in self.start.get(branch.child, {}):
            p = np.array(self.start[branch.child]["q"])
            q[node["iq"] + 3:node["iq"] + 7] = p / np.linalg.norm(p)
        n = 2 if self.compiled.planar else 3
        q[node["iq"]:node["iq"] + n] += (self._turn(node, q) @ place.point)[:n]
        if wishes:
            self.placed[node["iu"]:node["iu"] + node["n_u"]] = True

    def _turn(self, node: Any, q: np.ndarray) -> np.ndarray:
        """Rotation of a free body."""
        iq = int(node["iq"])
        return turn_matrix(float(q[iq + 2]) if self.compiled.planar else q[iq + 3:iq + 7])

    def _of_origins(self, q: np.ndarray) -> np.ndarray:
        """Speeds from those where every free body has the velocity of its frame's origin, not of its mass centre."""
        out = np.eye(self.compiled.n_u)
        for branch in self.compiled.tree.branches:
            place = self.compiled.bodies[branch.child]
            if branch.joint is None and place.point.any():
                node = self.machine.system.node[place.node]
                iu, R = int(node["iu"]), self._turn(node, q)
                if self.compiled.planar:
                    arm = R @ place.point
                    out[iu:iu + 2, iu + 2] = -arm[1], arm[0]
                else:
                    out[iu:iu + 3, iu + 3:iu + 6] = R @ np.cross(np.eye(3), place.point).T
        return out

    def _take_body(self, branch: Branch, q: np.ndarray) -> None:
        """Fit the coordinates of one joint to what is said of its body's pose: Gauss-Newton on a few numbers."""
        assert branch.joint is not None
        node, nodes = self.compiled.bodies[branch.child].node, self.compiled.joint_nodes[branch.joint.name]
        table = self.machine.system.node
        speeds = [k for i in nodes for k in range(table[i]["iu"], table[i]["iu"] + table[i]["n_u"]) if not self.told[k]]
        self.fitted = True
        if not speeds:
            return
        slots = self.wishes.body_slots(branch.child)
        for _ in range(50):
            left = self.wishes.body_residual(branch.child, q)
            J = np.zeros((len(slots), len(speeds)))
            for c, k in enumerate(speeds):
                unit = self.rest.copy()
                unit[k] = 1.0
                J[:, c] = self.machine.place(q, unit)[node][slots]
            step = self.rest.copy()
            step[speeds] = np.linalg.lstsq(J, left, rcond=1e-9)[0]
            q[:] = self.machine.displaced(q, step)
            if np.abs(step).max() < 1e-14 * (1.0 + np.abs(q).max()):
                break
        self.placed[speeds] = True
        if not self.compiled.planar:
            for i in nodes:
                if table[i]["kind"] == REVOLUTE and table[i]["pitch"] == 0.0 and table[i]["iu"] in speeds:
                    q[table[i]["iq"]] = (q[table[i]["iq"]] + np.pi) % (2.0 * np.pi) - np.pi  # an orientation counts no turns

    def closed(self, q: np.ndarray) -> np.ndarray:
        """Close the loops by moving what was not given; then meet all wishes; then, if permitted, move everything."""
        wished = self.fitted or self.wishes.of_joint  # what is said of free bodies is met
        met = not wished or not self.wishes.all or np.abs(self.wishes.residual(q)).max() <= MET
        if met and not self.machine.system.row.size:
            return q
        if met:
            q1, left = self._newton(q, ~(self.told | self.placed), wishes=False)
            if np.abs(left).max() <= CLOSED:
                return q1
        q, left = self._newton(q, ~self.told, wishes=True)
        lack, rows = left[: len(self.wishes.all)], left[len(self.wishes.all):]
        if self.keep and lack.size and np.abs(lack).max() > NEAR:
            self.refuse(lack)
        if rows.size and np.abs(rows).max() > CLOSED and (not self.keep or np.abs(rows).max() <= NEAR):
            q, rows = self._newton(q, ~self.machine.driven(), wishes=False)
        if rows.size and np.abs(rows).max() > 1e3 * CLOSED:
            worst = int(np.argmax(np.abs(rows)))
            hint = "rt.assemble also moves the values given" if self.keep else "no configuration near the start closes it"
            raise StateError(f'joint "{self.compiled.row_owner[worst]}" cannot be assembled: residual '
                             f"{abs(rows[worst]):.6g}; {hint}")
        return q

    def refuse(self, lack: np.ndarray) -> None:
        """Say which wish contradicts what."""
        worst = int(np.argmax(np.abs(lack)))
        wish = self.wishes.all[worst]
        holder = next((b.joint for b in self.compiled.tree.branches if b.child == wish.name), None)
        what = f'joint "{holder.name}"' if holder is not None else "the rest of the start"
        value = f" = {wish.value:g}" if wish.key != "q" else ""
        raise StateError(f'start of "{wish.name}": {wish.key}{value} contradicts {what} by {abs(lack[worst]):.6g}; use '
                         "rt.assemble for a start that is only approximate")

    def _left(self, q: np.ndarray, wishes: bool) -> np.ndarray:
        rows = self.machine.violations(q, self.rest)[0]
        return np.concatenate([self.wishes.residual(q), rows]) if wishes else rows

    def _newton(self, q: np.ndarray, free: np.ndarray, wishes: bool) -> tuple[np.ndarray, np.ndarray]:
        """Damped Gauss-Newton with steps of least norm; a few shaken starts where it stalls at a singular position."""
        best = (q, self._left(q, wishes))
        if not free.any():
            return best
        random = np.random.default_rng(0)
        for trial in range(8):
            start = q
            if trial:
                shake = np.where(free, random.normal(scale=0.03 * 2.0**trial, size=free.size), 0.0)
                start = self.machine.displaced(q, shake)
            found, left = self._newton_from(start, free, wishes)
            if np.abs(left).max() < np.abs(best[1]).max():
                best = (found, left)
            if np.abs(best[1]).max() <= CLOSED:
                break
        return best

    def _newton_from(self, q: np.ndarray, free: np.ndarray, wishes: bool) -> tuple[np.ndarray, np.ndarray]:
        left = self._left(q, wishes)
        for _ in range(60):
            if np.abs(left).max() <= 1e-15:
                break
            bodies, J = self.machine.partials(q)
            if wishes:
                J = np.vstack([-self.wishes.partials(q, bodies), J])
            if not np.isfinite(J).all():
                break  # the ends of a rod coincide: it has no direction here, but a shaken start has one
            step = self.rest.copy()
            step[free] = -np.linalg.lstsq(J[:, free], left, rcond=1e-10)[0]
            step *= min(1.0, 0.5 / max(np.abs(step).max(), 1e-300))
            for _ in range(12):
                q_new = self.machine.displaced(q, step)
                left_new = self._left(q_new, wishes)
                if np.linalg.norm(left_new) < np.linalg.norm(left):
                    break
                step *= 0.5
            else:
                break
            q, left = q_new, left_new
        return q, left

    def speeds(self, q: np.ndarray) -> np.ndarray:
        """Speeds that meet what is given and keep the loops closed; the rest of least norm."""
        machine, n_u = self.machine, self.compiled.n_u
        u = np.zeros(n_u)
        machine.set_time(self.t, q, u)
        driven = machine.driven()
        G, values, names = self.wishes.speed_rows(q)
        if not len(G) and not machine.system.row.size:
            return u
        J = machine.partials(q)[1] if machine.system.row.size else np.zeros((0, n_u))
        origins = self._of_origins(q)
        K = np.vstack([G, J])
        want = np.concatenate([values, np.zeros(len(J))]) - K @ u
        K[:, driven] = 0.0
        moved = np.flatnonzero((origins - np.eye(n_u)).any(axis=0))
        K[:, moved] = K @ origins[:, moved]
        rows, speeds = np.nonzero(K)
        if len(rows) == len(K) and len(set(speeds)) == len(K):  # each says one speed
            change = np.zeros(n_u)
            change[speeds] = want / K[rows, speeds]
            u = u + origins @ change
            if not len(J):
                return u
        else:
            u = u + origins @ _least_norm(K, want)

        scale = max(1.0, np.abs(values).max() if len(values) else 0.0)
        left = np.concatenate([G @ u - values, J @ u])
        worst = int(np.argmax(np.abs(left))) if left.size else 0
        if left.size and abs(left[worst]) > SPEED_NEAR * scale and self.keep:
            struck = self._struck(q, G, values, J, scale)
            if struck is not None:
                return struck
            name = names[worst] if worst < len(names) else f'joint "{self.compiled.row_owner[worst - len(names)]}"'
            raise StateError(f"start: the speeds contradict each other: {name} is off by {abs(left[worst]):.6g} in the "
                             "best fit; use rt.assemble for a start that is only approximate")
        if left.size and J.size and np.abs(J @ u).max() > 0.0:
            J = J.copy()
            J[:, driven] = 0.0
            u -= np.linalg.lstsq(J, machine.violations(q, u)[1], rcond=1e-10)[0]
            rate = machine.violations(q, u)[1]
            worst = int(np.argmax(np.abs(rate)))
            if abs(rate[worst]) > 1e-9 * scale:
                raise StateError(f'joint "{self.compiled.row_owner[worst]}" cannot move as its drivers demand: rate '
                                 f"{abs(rate[worst]):.6g} is left")
        return u

    def _struck(self, q: np.ndarray, G: np.ndarray, values: np.ndarray, J: np.ndarray, scale: float) -> np.ndarray | None:
        """Speeds after the impact that closes the loops, where what is given is possible without them; None where it is not.

        The impact changes the speeds by the least kinetic energy, which is what it takes away: `machine.start_loss`.
        """
        driven = self.machine.driven()
        u = np.zeros(self.compiled.n_u)
        self.machine.set_time(self.t, q, u)
        given = np.where(driven, 0.0, G)
        u = u + np.linalg.lstsq(given, values - G @ u, rcond=1e-12)[0]
        if np.abs(G @ u - values).max() > SPEED_NEAR * scale:
            return None
        M, free = self.machine.mass_matrix(q), ~driven
        answer = np.zeros_like(J.T)
        answer[free] = np.linalg.solve(M[np.ix_(free, free)], J[:, free].T)
        change = -answer @ np.linalg.lstsq(J @ answer, J @ u, rcond=1e-10)[0]
        if np.abs(J @ (u + change)).max() > 1e-9 * scale:
            return None  # the drivers leave no way to close them
        self.machine.start_loss = float(0.5 * change @ M @ change)
        return u + change
