"""Vectors and rotations of space on scalars and small arrays."""

import math

from routh.core.jit import kernel


@kernel
def cross(a0, a1, a2, b0, b1, b2):
    """a × b."""
    return a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0


@kernel
def turned(R, a):
    """R a."""
    return (R[0, 0] * a[0] + R[0, 1] * a[1] + R[0, 2] * a[2],
            R[1, 0] * a[0] + R[1, 1] * a[1] + R[1, 2] * a[2],
            R[2, 0] * a[0] + R[2, 1] * a[1] + R[2, 2] * a[2])


@kernel
def turned_back(R, a):
    """Rᵀ a."""
    return (R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
            R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
            R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2])


@kernel
def dot(a, b):
    """a · b for vectors of three."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def rotation(q, k, out):
    """Rotation matrix of the unit quaternion q[k:k+4] = (w, x, y, z)."""
    w, x, y, z = q[k], q[k + 1], q[k + 2], q[k + 3]
    s = 2.0 / (w * w + x * x + y * y + z * z)
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = s * (x * y + w * z), 1.0 - s * (x * x + z * z), s * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = s * (x * z - w * y), s * (y * z + w * x), 1.0 - s * (x * x + y * y)


@kernel
def quaternion_of(R, out):
    """Unit quaternion (w, x, y, z) of a rotation matrix, by its largest component."""
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    if trace > 0.0:
        s = 2.0 * math.sqrt(1.0 + trace)
        out[0], out[1] = 0.25 * s, (R[2, 1] - R[1, 2]) / s
        out[2], out[3] = (R[0, 2] - R[2, 0]) / s, (R[1, 0] - R[0, 1]) / s
    else:
        i = 0
        if R[1, 1] > R[0, 0]:
            i = 1
        if R[2, 2] > R[i, i]:
            i = 2
        j, k = (i + 1) % 3, (i + 2) % 3
        s = 2.0 * math.sqrt(1.0 + R[i, i] - R[j, j] - R[k, k])
        out[0] = (R[k, j] - R[j, k]) / s
        out[1 + i], out[1 + j], out[1 + k] = 0.25 * s, (R[j, i] + R[i, j]) / s, (R[k, i] + R[i, k]) / s


@kernel
def axis_rotation(e, angle, out):
    """Rotation matrix about the unit vector e."""
    c, s = math.cos(angle), math.sin(angle)
    x, y, z = e[0], e[1], e[2]
    v = 1.0 - c
    out[0, 0], out[0, 1], out[0, 2] = c + v * x * x, v * x * y - s * z, v * x * z + s * y
    out[1, 0], out[1, 1], out[1, 2] = v * x * y + s * z, c + v * y * y, v * y * z - s * x
    out[2, 0], out[2, 1], out[2, 2] = v * x * z - s * y, v * y * z + s * x, c + v * z * z


@kernel
def multiply(A, B, out):
    """A B for 3 × 3 matrices; `out` may be neither."""
    for i in range(3):
        for j in range(3):
            out[i, j] = A[i, 0] * B[0, j] + A[i, 1] * B[1, j] + A[i, 2] * B[2, j]


@kernel
def quaternion_rate(q, k, w0, w1, w2, out, o):
    """Rate of the unit quaternion q[k:k+4] at the angular velocity w in body axes, into out[o:o+4]."""
    a, b, c, d = q[k], q[k + 1], q[k + 2], q[k + 3]
    out[o] = -0.5 * (b * w0 + c * w1 + d * w2)
    out[o + 1] = 0.5 * (a * w0 + c * w2 - d * w1)
    out[o + 2] = 0.5 * (a * w1 + d * w0 - b * w2)
    out[o + 3] = 0.5 * (a * w2 + b * w1 - c * w0)


@kernel
def turn_quaternion(q, k, w0, w1, w2):
    """Turn the quaternion q[k:k+4] by the rotation vector w in body axes, and give it unit length."""
    angle = math.sqrt(w0 * w0 + w1 * w1 + w2 * w2)
    s = 0.5 if angle < 1e-8 else math.sin(0.5 * angle) / angle
    c = math.cos(0.5 * angle)
    x, y, z = s * w0, s * w1, s * w2
    a, b, e, d = q[k], q[k + 1], q[k + 2], q[k + 3]
    p0 = a * c - b * x - e * y - d * z
    p1 = a * x + b * c + e * z - d * y
    p2 = a * y + e * c + d * x - b * z
    p3 = a * z + d * c + b * y - e * x
    length = math.sqrt(p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
    q[k], q[k + 1], q[k + 2], q[k + 3] = p0 / length, p1 / length, p2 / length, p3 / length
