"""The numbers that decide something in gaps: ratios of lengths to the size of the smaller shape, or sines of angles."""

import math

ROUND_OFF = 2e-15     # of a sum of a few products; a smaller one lets iterations run to their end, a larger one costs digits
JOINT = 1e-12         # pieces of a chain reach over their joints by this part; with less, a point falls through a tangent joint
LEVEL = 1e-11         # sine of the tilt up to which a disk lies flat; more would let its rim sink between its three points
FLUSH = 1e-9          # what differs by less is flush: which of two parts is met would be round-off; with more, edges have slits
QUADRATIC = 1e-8      # a Newton step [rad] below this is followed by one of round-off; a larger one costs digits
COINCIDENT = 2e-7     # two rims nearer than this are one; with less, points run along them faster than steps can follow
FAR = 1e-6            # an overlap beyond this is none of round-off; with less, corners that are flush seem to be inside
BLURRED = 1e-4        # sine below which two directions tell their common normal worse than the distance of their points does
LIFT = 0.01           # of a radius: what nothing touches is farther by this than what touches beside it
DEEP = 0.05           # an overlap beyond this is on the far side of a shape; thin shapes would seem to overlap with more
CONE = 0.1            # angle by which cones of normals are widened, because flat contacts are on their border
FOLLOWED = 0.5        # of a semi-axis: overlap of two ellipses up to which the normal of the last moment leads to the next
BLUNT = 0.9           # cosine of the angle of two faces: a sharp point is not held up where they meet at a smaller angle
NEWTON_STEPS = 100    # fewer than ten are usual; halving alone needs 52
SCAN = 16             # points of half a rim from which the nearest point of another rim is sought

PARALLEL = FLUSH * FLUSH             # squared sine of an angle that is none: lines do not cross
RIM = -math.cos(0.25 * math.pi + CONE)  # a point of a rim is pushed within half a right angle of the middle of its normals
