"""A convex polyhedron in the vertex table, and how its parts are found there.

A polyhedron is a stretch of the vertex table:
    (corners, edges, faces)        one row of numbers
    (x, y, z)                      per corner
    (corner, corner, colour), (face, face, half length), middle, unit direction   per edge
    (nx, ny, nz), (offset, 0, 0)   per face, its outward normal n · x = offset
Edges that share a face have different colours, of four, as far as that is possible. Each colour of a with each of b is one gap:
two planks that cross lie on each other with four points, and an edge that lies across a corner of a face with two. A capsule
is one edge without faces.
"""

from routh.core.jit import kernel


@kernel
def row(vertex, i):
    """One row as a vector."""
    return vertex[i, 0], vertex[i, 1], vertex[i, 2]


@kernel
def parts(vertex, first):
    """Rows of the first corner, edge and face, and the end."""
    corner = first + 1
    edge = corner + int(vertex[first, 0])
    face = edge + 4 * int(vertex[first, 1])
    return corner, edge, face, face + 2 * int(vertex[first, 2])
