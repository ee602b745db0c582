"""Entry points of impacts in contact space: one impact, or a range of many. Input is checked here, once, in compiled code.

A negative kind is the code of what is wrong with that input (`impact_codes.BAD_*`); its row stays zero.
"""

from routh.core.impact.impact import check_contact, check_parameters, resolve_plane
from routh.core.impact.impact_frame import leaving_direction
from routh.core.impact.impact_space import resolve_space
from routh.core.jit import kernel


@kernel
def one_plane(A, v, law, e, e_t, mu, mu_s, out):
    """Check and resolve one planar impact; return its kind or what is wrong."""
    bad = min(check_parameters(law, e, e_t, mu, mu_s), check_contact(A, v))
    return bad if bad < 0 else resolve_plane(A, v, law, e, e_t, mu, mu_s, out)


@kernel
def one_space(A, v, law, e, e_t, mu, mu_s, scratch, path, count_out, out):
    """Check and resolve one spatial impact; return its kind or what is wrong, and fill the number of points of its path."""
    bad = min(check_parameters(law, e, e_t, mu, mu_s), check_contact(A, v))
    if bad < 0:
        return bad
    kind, count_out[0] = resolve_space(A, v, law, e, e_t, mu, mu_s, scratch, path, out)
    return kind


@kernel
def many_plane(A, v, law, parameters, kinds, out):
    """`one_plane` over the leading axis; parameters are (n, 4): e, e_t, mu, mu_s."""
    for i in range(v.shape[0]):
        e, e_t, mu, mu_s = parameters[i, 0], parameters[i, 1], parameters[i, 2], parameters[i, 3]
        kinds[i] = one_plane(A[i], v[i], law, e, e_t, mu, mu_s, out[i])


@kernel
def many_space(A, v, law, parameters, scratch, kinds, out):
    """`one_space` over the leading axis, without paths."""
    for i in range(v.shape[0]):
        e, e_t, mu, mu_s = parameters[i, 0], parameters[i, 1], parameters[i, 2], parameters[i, 3]
        bad = min(check_parameters(law, e, e_t, mu, mu_s), check_contact(A[i], v[i]))
        kinds[i] = bad
        if bad >= 0:
            kinds[i], _ = resolve_space(A[i], v[i], law, e, e_t, mu, mu_s, scratch, scratch[:0], out[i])


@kernel
def leaving_slip(a1, a2, b1, b2, out):
    """`leaving_direction` as (kind, x, y)."""
    out[0], out[1], out[2] = leaving_direction(a1, a2, b1, b2)
