"""What the gaps of the plane share: where parts are, and how the place of a contact is written."""

from routh.core.jit import kernel
from routh.core.tables.layout import SMOOTH, VERTEX


@kernel
def place(f, x, y):
    """A point of a node in the world."""
    return f.x + f.c * x - f.s * y, f.y + f.s * x + f.c * y


@kernel
def axes(f, turn):
    """Cosine and sine of the angle of a shape's axes in the world."""
    return f.c * turn[0, 0] - f.s * turn[1, 0], f.s * turn[0, 0] + f.c * turn[1, 0]


@kernel
def inverse(r):
    """Curvature of a rounding; zero, and not used, where it is sharp."""
    return 1.0 / r if r > 0.0 else 0.0


@kernel
def sharpness(r):
    """What a rounding of radius r is like."""
    return SMOOTH if r > 0.0 else VERTEX


@kernel
def write_touch(out, x, y, nx, ny, g, ka, kb, sharp_a, sharp_b):
    """Write the gap g along the normal (nx, ny) at the point (x, y) of b, with the curvatures of both parts."""
    out.pbx, out.pby = x, y
    out.pax, out.pay = x - g * nx, y - g * ny
    out.nx, out.ny, out.g, out.ka, out.kb, out.sharp_a, out.sharp_b = nx, ny, g, ka, kb, sharp_a, sharp_b
