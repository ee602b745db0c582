"""Time profiles: the piece in force is chosen once per smooth stretch, never by comparing times inside a step."""

import math

from routh.core.jit import kernel
from routh.core.tables.layout import DEGREE


@kernel
def choose_pieces(system, t, piece_out):
    """The piece of each profile that holds at time t, strictly between two edges."""
    for k in range(system.profile.size):
        p = system.profile[k]
        chosen = p.first
        for i in range(p.first + 1, p.first + p.count):
            if system.piece[i].start <= t:
                chosen = i
        piece_out[k] = chosen


@kernel
def value(piece, i, t):
    """(value, rate, acceleration) of piece i at time t, with the sinusoids that are added to it."""
    f = f1 = f2 = 0.0
    p = piece[i]
    s = t - p.start
    for k in range(DEGREE, -1, -1):
        f2 = f2 * s + 2.0 * f1
        f1 = f1 * s + f
        f = f * s + p.c[k]
    while i >= 0:
        p = piece[i]
        if p.amplitude != 0.0:
            angle = p.omega * (t - p.start) + p.phase
            f += p.amplitude * math.sin(angle)
            f1 += p.amplitude * p.omega * math.cos(angle)
            f2 -= p.amplitude * p.omega * p.omega * math.sin(angle)
        i = p.next
    return f, f1, f2


@kernel
def drive(system, work, t, q, u):
    """Set driven coordinates and speeds to what their motions say at time t."""
    for k in range(system.driver.size):
        d = system.driver[k]
        f, f1, f2 = value(system.piece, work.piece[d.profile], t)
        q[d.iq], u[d.iu] = f, f1
        work.drive[k, 0], work.drive[k, 1], work.drive[k, 2] = f, f1, f2
