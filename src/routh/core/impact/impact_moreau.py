"""One impact by Moreau's rule: restitution of the velocity, and Coulomb's law between the whole impulse and the slip after it.

    v_n⁺ = -e v_n,    |p_t| ≤ mu p_n,    p_t = -mu p_n v_t⁺ / |v_t⁺| where v_t⁺ ≠ 0

([moreau1988], in De Saxcé's form). It is what `simultaneous` impacts of several contacts ask for, and what a time step does.
There is no path. In the plane the rule always has an impulse: if that which stops the slip leaves the cone, the impulse on the
same edge of the cone has the slip that belongs to it, because v_t falls along the line of a given v_n.
"""

import math

from routh.core.exact import cross, fma
from routh.core.impact.local_contact import closing_impulse, prepare, slipping_impulse
from routh.core.jit import kernel
from routh.core.tables.impact_codes import NO_IMPACT, SLIDING, STOPPED, TANGENTIAL


@kernel
def moreau_plane(nn, nt, tt, vn, slip, e, mu, mu_s):
    """The impact of one contact with one tangent; returns as `impact.march`."""
    way = 0.0 if slip == 0.0 else math.copysign(1.0, slip)
    if vn > 0.0 or (vn == 0.0 and (way == 0.0 or fma(nt, -mu * way, nn) >= 0.0)):
        return NO_IMPACT, 0.0, 0.0, vn, slip, 0.0, 0.0, math.nan
    dn, det = -(1.0 + e) * vn, cross(nn, tt, nt, nt)
    kind, p, p_t, v_t = STOPPED, dn / nn, 0.0, 0.0
    if tt > 0.0:
        p, p_t = cross(tt, dn, nt, -slip) / det, cross(nn, -slip, nt, dn) / det
    if p < 0.0 or abs(p_t) > mu_s * p:
        ratio = math.copysign(mu, p_t)
        kind, p = SLIDING, dn / fma(nt, ratio, nn)
        p_t = ratio * p
        v_t = slip + nt * p + tt * p_t
    if vn == 0.0:
        kind = TANGENTIAL
    # the impulse grows in proportion, so the normal speed changes linearly on the way
    return kind, p, p_t, -e * vn, v_t, 0.5 * (1.0 - e) * vn * p, p / (1.0 + e), math.nan


@kernel
def moreau_space(A, v, e, mu, mu_s, K):
    """(kind, p_n, p_1, p_2, v_1, v_2) of one contact with two tangents; K holds nine numbers of scratch."""
    vn, slip = v[0], math.hypot(v[1], v[2])
    if vn > 0.0 or (vn == 0.0 and A[0, 0] * slip - mu * (A[0, 1] * v[1] + A[0, 2] * v[2]) >= 0.0):
        return NO_IMPACT, 0.0, 0.0, 0.0, v[1], v[2]
    prepare(A, 0.0, 3, K)
    alone = -(1.0 + e) * vn * K[0]
    s1, s2 = v[1] + A[0, 1] * alone, v[2] + A[0, 2] * alone
    p1, p2 = -(K[6] * s1 + K[7] * s2), -(K[7] * s1 + K[8] * s2)
    p = alone - K[1] * p1 - K[2] * p2
    kind = STOPPED if vn < 0.0 else TANGENTIAL
    if K[6] > 0.0 and p >= 0.0 and math.hypot(p1, p2) <= mu_s * p:
        return kind, p, p1, p2, 0.0, 0.0
    if K[6] > 0.0:
        p, p1, p2 = slipping_impulse(K, alone, s1, s2, mu)
    else:  # fewer freedoms than rows
        p, p1, p2 = closing_impulse(A, K, (1.0 + e) * vn, v[1], v[2], mu, 3)
    v1 = v[1] + A[0, 1] * p + A[1, 1] * p1 + A[1, 2] * p2
    v2 = v[2] + A[0, 2] * p + A[1, 2] * p1 + A[2, 2] * p2
    return (SLIDING if vn < 0.0 else TANGENTIAL), p, p1, p2, v1, v2
