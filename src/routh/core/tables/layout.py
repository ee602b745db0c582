"""The tables that the compiler fills and the kernels read: the contract between the two.

A System is a bundle of record tables, one comment per field. Plane and space share every table but the nodes;
they are told apart by the *type* of System, so that a planar run compiles no spatial kernel.

A **node** is one step of the spanning tree: a body, or a massless frame inside a joint with several coordinates.
Its reference point is its inboard joint's point, body-fixed; all vectors of the moving tables are in world axes.
Node 0 is the ground. A **row** is one scalar loop equation. A **piece** is one smooth stretch of a time profile.
"""

from typing import ClassVar

import numpy as np

from routh.core.tables.bundle import Tables

f8, i8 = np.float64, np.int64

# kinds of nodes
GROUND, WELD, REVOLUTE, PRISMATIC, SPHERICAL, FREE = range(6)

# kinds of loop rows
POINT, ALONG, DOT, ANGLE, DISTANCE, HELIX, COUPLING, SPEEDS, LIMIT, TOUCHING = range(10)  # the last three belong to contacts

# kinds of forces; RUBBING ones, brakes and clutches, are contacts of the kind DRY
POINT_FORCE, TORQUE, LINE, JOINT, BUSHING, BODY_LAW, TURN, SHIFT, DRAGGED, SPIN_DRAGGED, RUBBING = range(11)

# where a force along one coordinate comes from: a spring and damper, a law of the user's own, a motor, a servo for the
# coordinate or for its rate
SPRING, OWN_LAW, MOTOR, SERVO, SPEED_SERVO = range(5)

# kinds of contacts that have no shapes; those between shapes are in planar_gaps.py and spatial_gaps.py. DRY: dry friction of a
# joint, a brake or a clutch, a contact that never opens; its normal force is given, or is the load of the joint
STOP, ROPE, DRY, FIRST_PAIR = range(4)

# what slips in dry friction: b turns about an axis of a, or shifts along it, or both; a coordinate of a tree joint, or two of
# them against each other
TURNING, SHIFTING, BOTH, COORDINATE, DIFFERENCE = range(5)

# kinds of contacts of a track
WHEEL, SPROCKET, SHOES, DRAG = range(4)

GRIPS = np.array([1, 3, 2, 0])  # forces that each of them keeps per link

# how a contact is: apart, held in the tangent plane, or sliding; of a compliant one: apart, pressed, or still overlapping
# but without force
OPEN, STICK, SLIP, PRESSED, PARTING = range(5)

SOFT = -1  # law of a compliant contact, where a rigid one has its impact law

# what a surface is like where it is touched
SMOOTH, EDGE, VERTEX = range(3)

# normal laws of compliant contacts, and the friction beside them
LINEAR, POWER, STEPPED, OWN_NORMAL, BILINEAR = range(5)
FRICTIONLESS, REGULARISED, LUGRE, STICTION = range(4)

# works that are integrated along with the motion; losses of impacts jump
APPLIED, DISSIPATED, DRIVE, FRICTION, IMPACTS, HYSTERESIS, N_WORK = range(7)

# how a run ends
(FINISHED, PAUSED, STIFF, STEP_TOO_SMALL, NOT_FINITE, NO_CONVERGENCE, LOOP_OPEN, LOG_FULL, CHATTER, CROWDED, BLOCKED,
 DENSE_EVENTS) = range(12)

# addresses that kernels call: entries of `work.entry`
ACCELERATE, DERIVATIVE, PROJECT, STRIKE, CHOOSE, N_CALLED = range(6)

DEGREE = 5  # highest power in a piece

# ridge of the loop rows against a scaled diagonal near one, and corrections at most
MOVING = (1e-9, 3.0)     # while a motion runs: bounds what a row close to redundancy can amplify; two corrections are usual
REPORTING = (1e-6, 40.0)  # where multipliers are shown: redundant ones come out at least norm to round-off / ridge

_NODE = [
    ("parent", i8),            # inboard node
    ("kind", i8),              # WELD, REVOLUTE, PRISMATIC, SPHERICAL or FREE
    ("iq", i8),                # first coordinate
    ("iu", i8),                # first speed
    ("n_u", i8),               # number of speeds that are eliminated: 0 for welds and driven nodes
    ("driver", i8),            # row of the driver table, or -1
    ("chain", i8),             # how many nodes of the same joint come before this one
    ("mass", f8),              # [kg], zero for the frames inside a joint
]

PLANAR_NODE = np.dtype([
    *_NODE,
    ("inertia", f8),           # about the mass centre [kg m²]
    ("turn", f8),              # angle to the parent where the coordinate is zero [rad]
    ("sense", f8),             # REVOLUTE: +1, or -1 where the tree runs from the joint's second body to its first
    ("at", f8, (2,)),          # joint point, from the parent's joint point, parent axes [m]
    ("com", f8, (2,)),         # mass centre, from the joint point, own axes [m]
    ("origin", f8, (2,)),      # origin of the body's frame, from the joint point, own axes [m]
    ("axis", f8, (2,)),        # direction of a prismatic joint, parent axes
], align=True)

SPATIAL_NODE = np.dtype([
    *_NODE,
    ("aligned", i8),           # 1: `turn` is the identity
    ("pitch", f8),             # advance of a revolute joint along its axis [m/rad]; zero unless it is a screw
    ("at", f8, (3,)),          # joint point, from the parent's joint point, parent axes [m]
    ("com", f8, (3,)),         # mass centre, from the joint point, own axes [m]
    ("origin", f8, (3,)),      # origin of the body's frame, from the joint point, own axes [m]
    ("axis", f8, (3,)),        # of a revolute or prismatic joint, parent axes
    ("turn", f8, (3, 3)),      # rotation own → parent where the coordinate is zero
    ("inertia", f8, (3, 3)),   # about the mass centre, own axes [kg m²]
], align=True)

ROW = np.dtype([
    ("kind", i8),              # POINT, ALONG, DOT, ANGLE, DISTANCE, HELIX or COUPLING
    ("a", i8),                 # first node
    ("b", i8),                 # second node
    ("point_a", f8, (3,)),     # from a's joint point, a's axes [m]
    ("point_b", f8, (3,)),     # from b's joint point, b's axes [m]
    ("axis_a", f8, (3,)),      # POINT: world direction; ALONG, DOT, HELIX: direction fixed in a
    ("axis_b", f8, (3,)),      # DOT, HELIX: direction fixed in b
    ("normal_a", f8, (3,)),    # HELIX: direction fixed in a from which the angle is counted
    ("value", f8),             # what the row is equal to: cosine, angle, length, phase
    ("ratio", f8),             # COUPLING: second = ratio × first + value; HELIX: pitch [m/rad]
    ("iq_a", i8), ("iq_b", i8),  # COUPLING: coordinates
    ("iu_a", i8), ("iu_b", i8),  # COUPLING: speeds
    ("path_from", i8), ("path_to", i8),  # slice of `path`: nodes that feel the row, outermost first
    ("dof_from", i8), ("dof_to", i8),    # slice of `path`: speeds that feel the row
    ("scale", f8),             # 1 / √(inverse mass that the row would feel if its bodies were free)
    ("first", i8),             # first earlier row that shares a speed with this one: start of the skyline
], align=True)

FORCE = np.dtype([
    ("kind", i8),              # one of the kinds above; TURN and SHIFT act in a joint that closes a loop
    ("a", i8),                 # first node
    ("b", i8),                 # second node, or the node of the body it acts on
    ("point_a", f8, (3,)),     # from a's joint point, a's axes [m]
    ("point_b", f8, (3,)),     # from b's joint point, b's axes [m]
    ("vector", f8, (3,)),      # POINT_FORCE: force; TORQUE: moment; BUSHING: stiffness; TURN, SHIFT: axis in a;
                               # DRAGGED, SPIN_DRAGGED: constant, linear and quadratic drag
    ("vector2", f8, (3,)),     # BUSHING: damping; TURN: direction in a from which the angle is counted
    ("moment", f8, (3,)),      # BUSHING: rotational stiffness; TURN: direction in b to which the angle is counted
    ("moment2", f8, (3,)),     # BUSHING: rotational damping
    ("source", i8),            # LINE, JOINT, TURN, SHIFT: SPRING, OWN_LAW, MOTOR, SERVO or SPEED_SERVO
    ("stiffness", f8),         # LINE, JOINT; of a motor: its force
    ("damping", f8),           # LINE, JOINT; of a motor: how much its force falls with the speed
    ("free", f8),              # LINE: free length; JOINT: coordinate without force; of drags: the speed below which they fade
    ("limit", f8),             # greatest force of a servo
    ("turn", f8),              # TURN in the plane: angle of b to a where the coordinate is zero
    ("follows", i8),           # 1: the vector turns with the body
    ("profile", i8),           # row of the profile table, or -1
    ("iq", i8), ("iu", i8),    # JOINT: coordinate and speed
    ("law", i8),               # OWN_LAW, BODY_LAW: address of the compiled law
    ("par_from", i8),          # its first parameter
], align=True)

PROFILE = np.dtype([
    ("first", i8),             # first piece
    ("count", i8),             # number of pieces
], align=True)

PIECE = np.dtype([
    ("start", f8),             # [s]
    ("c", f8, (DEGREE + 1,)),  # Σ c_k (t - start)^k
    ("amplitude", f8),         # + amplitude sin(omega (t - start) + phase)
    ("omega", f8),
    ("phase", f8),
    ("next", i8),              # a piece whose sinusoid is added to this one, or -1
], align=True)

DRIVER = np.dtype([
    ("node", i8),              # the node whose coordinate is prescribed
    ("iq", i8), ("iu", i8),    # its coordinate and speed
    ("profile", i8),           # row of the profile table
], align=True)

CONTACT = np.dtype([
    ("kind", i8),              # STOP, ROPE, DRY or a pair of shapes
    ("a", i8),                 # first node
    ("b", i8),                 # second node; the normal points from a to b, a force on the contact pushes b along it
    ("owner", i8),             # which declared contact, stop or rope
    ("sense", f8),             # -1 where a and b are swapped against the declaration; STOP: +1 lower, -1 upper end
    ("point_a", f8, (3,)),     # reference point of a's shape, from a's joint point, a's axes [m]
    ("point_b", f8, (3,)),     # the same of b
    ("turn_a", f8, (3, 3)),    # rotation: axes of a's shape → a's axes
    ("turn_b", f8, (3, 3)),    # the same of b
    ("size_a", f8, (3,)),      # radius, semi-axes, ...: what a's shape needs [m]
    ("size_b", f8, (3,)),      # the same of b
    ("first_a", i8), ("last_a", i8),  # slice of `vertex`: corners of a's shape, from its reference point, its own axes
    ("first_b", i8), ("last_b", i8),  # the same of b
    ("reach_a", f8),           # radius of a ball about the reference point that holds the shape; inf for a half space
    ("reach_b", f8),           # the same of b
    ("arm_a", f8),             # distance of the reference point from a's joint point [m]
    ("arm_b", f8),             # the same of b
    ("turns_a", f8),           # 1: its gap changes as a turns; 0 where a disk or ball spins about its middle, on its own
    ("turns_b", f8),           # the same of b
    ("value", f8),             # STOP: the coordinate's bound; ROPE: length
    ("hold", i8),              # its first row in `hold`: normal, then the tangents
    ("n_row", i8),             # 1 without friction (stops, ropes), else 2 in the plane and 3 in space
    ("law", i8),               # a law of impact_codes.py; SOFT: a compliant contact
    ("soft", i8),              # SOFT: row of `compliant`; DRY: row of `dry`
    ("bristle", i8), ("n_bristle", i8),  # SOFT: its first bristle coordinate; their number: 0, 1 in the plane, 3 in space
    ("e", f8),                 # restitution; that of no speed where it depends on the speed
    ("e_t", f8),               # coefficient of the tangent: Brach's ratio, or tangential over normal stiffness
    ("mu", f8), ("mu_s", f8),  # sliding and static friction; mu is the value at rest where it depends on the slip
    ("friction", i8),          # address of a law mu(t, slip, 0, parameters); 0 where mu is constant
    ("par_from", i8),          # its first parameter
    ("bounce", i8),            # address of a law e(0, approach speed, 0, parameters); 0 where e is constant
    ("bounce_from", i8),       # its first parameter
    ("size", f8),              # a length of the smaller shape, for tolerances [m]
    ("sheet", i8),             # 1: of a terrain with ends; what is well behind it has come there past one, and does not touch
], align=True)

FRICTION_JOINT = np.dtype([
    ("slips", i8),             # TURNING, SHIFTING, BOTH, COORDINATE or DIFFERENCE
    ("axis", f8, (3,)),        # a's axes; in the plane that of a shift
    ("arm", f8),               # radius at which a turn slips: slip per angular speed [m]
    ("preload", f8),           # normal force without load [N]
    ("profile", i8),           # row of the profile table that multiplies it, or -1
    ("loaded", i8),            # 1: the reaction of the joint adds to it
    ("node", i8),              # loaded: node that the joint carries; -1 where it closes a loop
    ("row_from", i8), ("row_to", i8),  # loaded: its rows where it closes a loop
    ("length", f8),            # loaded: distance of the two ends of the bearing, which share a moment; 0: no moment counts [m]
], align=True)

COMPLIANT = np.dtype([
    ("law", i8),               # LINEAR: k d + c d'; POWER: k d^power (1 + chi d'); STEPPED: k d^power + c(d) d'; OWN_NORMAL;
                               # BILINEAR: k d while it loads, less `unload` per depth from the deepest point on
    ("k", f8),                 # stiffness [N/m^power]
    ("power", f8),             # exponent of the depth; 1 where LINEAR
    ("damping", f8),           # LINEAR: c [N s/m]; POWER: chi [s/m], or chi times the approach speed where own_speed is 1 [-];
                               # STEPPED: c at full depth [N s/m]
    ("unload", f8),            # BILINEAR: stiffness of unloading [N/m]
    ("full_depth", f8),        # STEPPED: depth from which on all of c acts [m]
    ("address", i8),           # OWN_NORMAL: of the compiled law
    ("parameters", f8, (8,)),  # OWN_NORMAL: what it is given
    ("own_speed", i8),         # 1: chi = damping / approach speed of this very impact
    ("slow", f8),              # own_speed: least approach speed that chi is computed with [m/s]
    ("friction", i8),          # FRICTIONLESS, REGULARISED, LUGRE or STICTION
    ("mu", f8),                # friction coefficient, at rest where it depends on the slip [-]
    ("v_reg", f8),             # REGULARISED: slip speed at which tanh(1) of the friction acts [m/s]
    ("sigma0", f8),            # LUGRE, STICTION: stiffness of the bristle per load [1/m]
    ("sigma1", f8),            # its damping per load [s/m]
    ("sigma2", f8),            # LUGRE: viscous friction per load [s/m]
    ("grip", f8),              # STICTION: part of its greatest stretch up to which the bristle holds without creep [-]
    ("rolling", f8), ("drilling", f8),  # moment over normal force against rolling, and against spinning about the normal [m]
    ("turning", f8),           # relative angular velocity at which tanh(1) of these moments acts [rad/s]
], align=True)

TRACK = np.dtype([
    ("kind", i8),              # WHEEL on the rails, SPROCKET on the pins, SHOES on the ground, DRAG on the links
    ("body", i8),              # node of the wheel or sprocket; its centre is its mass centre
    ("first", i8), ("last", i8),  # slice of `link`
    ("grip", i8),              # its first entry in the table of forces
    ("reach", f8),             # what is farther from the centre cannot touch it; SHOES: of a point from its link [m]
    ("density", f8),           # 1 / greatest distance between the same points of two neighbours; 0: not chained [1/m]
    ("radius", f8),            # WHEEL: rim; SPROCKET: pins in their seats [m]
    ("rail", f8, (3,)),        # WHEEL: height, back end, front end of the rail, link axes [m]
    ("pin", f8, (3,)),         # SPROCKET: pin in link axes, its radius [m]
    ("phase", f8), ("tooth", f8),  # SPROCKET: angle of gap 0 in its own axes, angle from gap to gap [rad]
    ("lean", f8, (2,)),        # SPROCKET: cosine and sine of the flanks' angle to the radius
    ("flank", f8, (3,)),       # SPROCKET: play, and both ends of the flanks from their foot [m]
    ("shoe_from", i8), ("shoe_to", i8),      # SHOES: slice of `shoe`
    ("ground_from", i8), ("ground_to", i8),  # SHOES: slice of `ground`
    ("top", f8),               # SHOES: greatest height of the ground [m]
    ("belt", f8),              # SHOES: speed of the ground along itself, to the right [m/s]
    ("law", COMPLIANT),        # of the rail, the seats or the ground
    ("flank_law", COMPLIANT),  # SPROCKET: of the flanks
], align=True)

STRETCH = np.dtype([
    ("x", f8), ("y", f8),      # where it begins [m]
    ("ex", f8), ("ey", f8),    # unit vector along it, to the right
    ("length", f8),            # [m]
], align=True)

IMPULSE = np.dtype([
    ("stop", f8),              # instant [s]
    ("b", i8),                 # node it acts on
    ("point", f8, (3,)),       # from b's joint point, b's axes [m]
    ("force", f8, (3,)),       # impulse [N s]
    ("moment", f8, (3,)),      # moment of impulse [N m s]
    ("follows", i8),           # 1: the vectors turn with the body
], align=True)

WORLD = np.dtype([
    ("gravity", f8, (3,)),     # [m/s²]
    ("n_q", i8),               # number of coordinates
    ("n_u", i8),               # number of speeds
    ("n_z", i8),               # number of bristle coordinates
    ("works", i8),             # where the works begin in a state: after coordinates, speeds and bristles
    ("sequential", i8),        # 1: impacts at one instant are taken one after another, 0: together
], align=True)


class System(Tables):
    """A compiled model; plane and space are two classes, so that kernels compile for one of them only."""

    _SHARED: ClassVar = {
        "force": (FORCE, 1),
        "row": (ROW, 1),           # loop rows, ordered for a narrow skyline
        "path": (i8, 1),           # nodes and speeds, see ROW
        "profile": (PROFILE, 1),
        "piece": (PIECE, 1),
        "driver": (DRIVER, 1),
        "contact": (CONTACT, 1),
        "hold": (ROW, 1),          # rows of contacts: the normal, then the tangents
        "compliant": (COMPLIANT, 1),  # laws of compliant contacts
        "dry": (FRICTION_JOINT, 1),  # dry friction of joints, brakes and clutches
        "vertex": (f8, 2),         # (n, 3) corners of shapes
        "impulse": (IMPULSE, 1),   # in order of time
        "parameter": (f8, 1),      # parameters of the user's own laws
        "track": (TRACK, 1),       # contacts of tracks; in the plane only
        "link": (i8, 1),           # nodes of the links of all tracks, in order
        "shoe": (f8, 2),           # (n, 2) points of a link that touch the ground, link axes [m]
        "ground": (STRETCH, 1),    # straight stretches of height profiles, from left to right
        "world": (WORLD, 1),       # one record
    }


class PlanarSystem(System):
    """A compiled planar model."""

    fields: ClassVar = {"node": (PLANAR_NODE, 1), **System._SHARED}


class SpatialSystem(System):
    """A compiled spatial model."""

    fields: ClassVar = {"node": (SPATIAL_NODE, 1), **System._SHARED}


PLANAR_FRAME = np.dtype([(name, f8) for name in (
    "x", "y", "th", "c", "s",            # joint point, angle, its cosine and sine
    "rx", "ry",                          # from the parent's joint point to this one
    "w", "vx", "vy",                     # angular velocity, velocity of the joint point
    "bw", "bx", "by",                    # acceleration over the parent's that no free speed causes
    "al", "ax", "ay",                    # angular acceleration, acceleration of the joint point
    "J", "hx", "hy", "mxx", "mxy", "myy",  # articulated inertia at the joint point
    "pm", "px", "py",                    # articulated bias wrench: moment, force
    "lm", "lx", "ly",                    # applied wrench at the joint point
    "jm", "jx", "jy",                    # wrench through the joint, at its point
    "gm", "gx", "gy",                    # wrench of a loop row on its way to the root
)], align=True)

LINK = np.dtype([(name, f8) for name in (
    "x", "y", "c", "s",                  # mass centre, cosine and sine of the angle
    "vx", "vy", "w",                     # velocity of the mass centre, angular velocity
    "fx", "fy", "m",                     # force of the track's contacts, its moment about the mass centre
)], align=True)

PLANAR_DOF = np.dtype([(name, f8) for name in (
    "sm", "sx", "sy",                    # axis as a twist at the joint point: turn, shift
    "um", "ux", "uy",                    # articulated inertia × axis
    "d", "root",                         # 1 / (axis · inertia × axis), and its square root; 0 where driven
    "eps",                               # force left for this speed after the outer ones took theirs
    "tau",                               # applied generalised force
    "udot",                              # acceleration; in a projection the change of the speed or coordinate
)], align=True)

PLANAR_ROW = np.dtype([(name, f8) for name in (
    "am", "ax", "ay", "bm", "bx", "by",  # wrenches of a unit multiplier on a and b at their joint points
    "phi",                               # violation of the equation
    "extra",                             # second derivative at zero accelerations
    "lam",                               # multiplier
    "start",                             # contacts: multiplier to start from where several would do
    "lack", "x",                         # residual, correction
)], align=True)

SPATIAL_FRAME = np.dtype([
    ("x", f8, (3,)), ("R", f8, (3, 3)),  # joint point, rotation own → world
    ("r", f8, (3,)),                     # from the parent's joint point to this one
    ("w", f8, (3,)), ("v", f8, (3,)),    # angular velocity, velocity of the joint point
    ("bw", f8, (3,)), ("bv", f8, (3,)),  # acceleration over the parent's that no free speed causes
    ("al", f8, (3,)), ("a", f8, (3,)),   # angular acceleration, acceleration of the joint point
    ("J", f8, (3, 3)), ("H", f8, (3, 3)), ("M", f8, (3, 3)),  # articulated inertia: m = J α + H a, f = Hᵀ α + M a
    ("pm", f8, (3,)), ("pf", f8, (3,)),  # articulated bias wrench: moment, force
    ("lm", f8, (3,)), ("lf", f8, (3,)),  # applied wrench at the joint point
    ("jm", f8, (3,)), ("jf", f8, (3,)),  # wrench through the joint, at its point
    ("gm", f8, (3,)), ("gf", f8, (3,)),  # wrench of a loop row on its way to the root
    ("T", f8, (3, 3)), ("T2", f8, (3, 3)),  # rotations on their way
], align=True)

SPATIAL_DOF = np.dtype([
    ("sw", f8, (3,)), ("sv", f8, (3,)),  # axis as a twist at the joint point: turn, shift
    ("um", f8, (3,)), ("uf", f8, (3,)),  # articulated inertia × axis
    ("d", f8), ("root", f8),             # 1 / (axis · inertia × axis), and its square root; 0 where driven
    ("eps", f8),                         # force left for this speed after the outer ones took theirs
    ("tau", f8),                         # applied generalised force
    ("udot", f8),                        # acceleration; in a projection the change of the speed or coordinate
], align=True)

SPATIAL_ROW = np.dtype([
    ("am", f8, (3,)), ("af", f8, (3,)), ("bm", f8, (3,)), ("bf", f8, (3,)),  # wrenches of a unit multiplier
    ("phi", f8),                         # violation of the equation
    ("extra", f8),                       # second derivative at zero accelerations
    ("lam", f8),                         # multiplier
    ("start", f8),                       # contacts: multiplier to start from where several would do
    ("lack", f8), ("x", f8),             # residual, correction
], align=True)


# where a contact touches, in world axes; the first block is what a gap kernel fills
_TOUCH = [
    ("feature", i8),                     # memory of a gap kernel: corner, edge or face found last
    ("sharp_a", i8), ("sharp_b", i8),    # SMOOTH, EDGE or VERTEX at the witness points
    ("g", f8),                           # gap: signed distance [m]

    ("mode", i8),                        # OPEN, STICK or SLIP
    ("rate", f8),                        # normal relative velocity, negative while approaching [m/s]
    ("pace", f8),                        # bound of the relative speed of any two of their points [m/s]
    ("twist", f8),                       # how fast the two turn, as far as their gap changes by it [rad/s]
    ("haste", f8),                       # bound of how fast the gap changes while they go on turning [m/s]
    ("floor", f8),                       # a contact that opened without speed closes again only below this gap [m]
    ("mu", f8),                          # friction coefficient at the present slip
    ("low", f8), ("high", f8),           # least and greatest force, or room in its cone, over a step [N]
    ("back", f8), ("ahead", f8),         # SLIP: least and greatest slip along its direction over a step [m/s]
    ("jam", f8),                         # SLIP: sliding denominator over inverse mass; friction jams where it is negative
    ("brake", f8),                       # SLIP: acceleration of the slip along its direction [m/s²]
    ("slow", f8),                        # slip speed below which `way` is kept: beginning and end of a slide [m/s]
    ("off", i8),                         # 1 where nothing touches: beyond the ends of edges, or at what a corner cannot meet
    ("slack", f8),                       # off: |g| less what the two have to move, at least, until it touches [m]
    ("creep", i8),                       # 1 from the gentle begin of a slide in space until its slip tells its friction
    ("ending", i8),                      # 1: the present step ends the slide
    ("fastest", f8),                     # largest approach speed met so far [m/s]
    ("struck", f8),                      # instant of its last blow [s]
    ("left", f8),                        # its rate after the last blows that it was part of [m/s]
    ("resting", f8),                     # > 0: its endless bounces end; twice their time times the pull [m/s]
    ("power", f8), ("power_before", f8),  # of its friction, now and at the start of the step [W]
    ("rubbed", f8),                      # its work so far [J]
    # of a compliant contact
    ("speed", f8),                       # of approach, at first touch [m/s]
    ("deepest", f8),                     # BILINEAR: depth from which it unloads; 0 while it loads [m]
    ("normal", f8), ("tangential", f8),  # sizes of its forces; of a joint with dry friction: largest load so far [N]
    ("stored", f8),                      # its elastic energy [J]
    ("room", f8),                        # how far it is from leaving its mode, against its size; below zero it has left it
    ("damp", f8), ("damp_before", f8),   # power of its damping, now and at the start of the step [W]
    ("damped", f8),                      # the work of that so far [J]
    ("since", f8), ("flips", i8),        # when its mode last changed [s], and how often at one instant
    # of dry friction in a joint
    ("load", f8),                        # its normal force [N]
    ("reaction", f8), ("lack", f8),      # part of it that the joint carries, and by how much that was wrong before [N]
]

PLANAR_TOUCH = np.dtype([
    *_TOUCH[:4],
    ("pax", f8), ("pay", f8),            # witness point on a [m]
    ("pbx", f8), ("pby", f8),            # witness point on b
    ("nx", f8), ("ny", f8),              # unit normal from a to b; the tangent is (ny, -nx)
    ("ka", f8), ("kb", f8),              # curvatures of a and b there, positive where convex [1/m]
    ("guess_a", f8), ("guess_b", f8),    # memory of a gap kernel
    *_TOUCH[4:],
    ("way", f8),                         # SLIP: +1 or -1, direction of the slip along the tangent
    ("slip", f8),                        # tangential relative velocity [m/s]
], align=True)

SPATIAL_TOUCH = np.dtype([
    *_TOUCH[:4],
    ("pa", f8, (3,)), ("pb", f8, (3,)),  # witness points [m]
    ("n", f8, (3,)),                     # unit normal from a to b
    ("ka", f8, (3, 3)), ("kb", f8, (3, 3)),  # curvature tensors Σ κ d dᵀ of a and b there, positive where convex [1/m]
    ("edge_a", f8, (3,)), ("edge_b", f8, (3,)),  # directions of the edges, where sharp is EDGE
    ("guess_a", f8, (3,)), ("guess_b", f8, (3,)),  # memory of a gap kernel
    *_TOUCH[4:],
    ("t1", f8, (3,)), ("t2", f8, (3,)),  # tangents; SLIP: t1 is `way` at the start of a step
    ("way", f8, (3,)),                   # SLIP: direction of the slip; STICK: what t1 is the nearest tangent to
    ("slip", f8, (3,)),                  # tangential relative velocity [m/s]
    ("swiftest", f8),                    # fastest slip of the present slide [m/s]
    ("run_a", f8, (3,)), ("run_b", f8, (3,)),  # velocity of the touching point along each surface [m/s]
    ("turn", f8, (3,)),                  # rate of the normal [rad/s]
    ("lay", f8),                         # angle by which the points of a rim that lies flat are turned [rad]
    ("lay_from", f8), ("lay_to", f8),    # angles between which it is looked for
], align=True)


class Work(Tables):
    """Everything that moves while accelerations are computed; allocated once a run."""

    _SHARED: ClassVar = {
        "drive": (f8, 2),          # (n_driver, 4): value, rate, acceleration, force
        "answer": (f8, 2),         # (n_row, n_u) whitened response of each speed to each row
        "chol": (f8, 2),           # (n_row, n_row) skyline factor of the rows' inverse mass
        "reply": (f8, 2),          # (n_hold, n_u) whitened response of each speed to each row of a contact
        "closed": (i8, 1),         # closed contacts; the last entry is their number
        "pressed": (i8, 1),        # compliant contacts that are not open; the last entry is their number
        "bristle": (f8, 2),        # (2, n_z) stretches of bristles, and their rates
        "held": (i8, 1),           # rows of `hold` that carry forces; the last entry is their number
        "inverse_mass": (f8, 2),   # (n_held, n_held) of those rows, loops eliminated
        "lu": (f8, 2),             # its factors, with sliding friction
        "pivot": (i8, 1),
        "ratio": (f8, 1),          # (n_held,) of a sliding row: its force over the normal one before it; negative: a constraint
        "slant": (f8, 1),          # (n_held,) of a tangent that sticks: friction it keeps to per normal force
        "stiff": (f8, 1),          # (n_held,) by which its ridge is larger: friction that changes goes to what carries much
        "veil": (f8, 2),           # (n_held, n_row) what the loops take from each held row
        "spare": (f8, 1),          # (n_held,)
        "free": (f8, 1),           # (n_u,) accelerations without contact forces
        "entry": (i8, 1),          # (N_CALLED,) addresses of entry points that kernels call, see entries.py
        "gap": (i8, 1),            # (n_contact,) address of the gap kernel of each contact
        "law": (f8, 2),            # (3, 7) pose, velocity and wrench of a body under a user's law
        "wrench": (f8, 1),         # (6,) reaction of a joint with dry friction
        "ridge": (f8, 1),          # (2,) ridge and largest number of corrections of the loop rows, see closure.py
        "piece": (i8, 1),          # (n_profile,) piece in force for the present stretch of time
        "power": (f8, 1),          # (N_WORK,)
        "link": (LINK, 1),         # links of tracks
        "grip": (f8, 1),           # forces of tracks, link by link. WHEEL: normal; SPROCKET: seat, left, right flank;
                                   # SHOES: normal, tangential
        "stored": (f8, 1),         # (1,) elastic energy of the contacts of tracks
        "reading": (f8, 2),        # (n_force, 2) length or coordinate, and force, of each force that has them
    }


class PlanarWork(Work):
    """Work of a planar System: one frame per node, one dof per speed, one loop record per row."""

    fields: ClassVar = {"frame": (PLANAR_FRAME, 1), "dof": (PLANAR_DOF, 1), "loop": (PLANAR_ROW, 1),
                        "hold": (PLANAR_ROW, 1), "touch": (PLANAR_TOUCH, 1), **Work._SHARED}


class SpatialWork(Work):
    """Work of a spatial System."""

    fields: ClassVar = {"frame": (SPATIAL_FRAME, 1), "dof": (SPATIAL_DOF, 1), "loop": (SPATIAL_ROW, 1),
                        "hold": (SPATIAL_ROW, 1), "touch": (SPATIAL_TOUCH, 1), **Work._SHARED}


def new_work(system):
    """A Work for one System."""
    kind = PlanarWork if isinstance(system, PlanarSystem) else SpatialWork
    n_u, n_row, n_node = int(system.world["n_u"][0]), system.row.size, system.node.size
    n_hold, n_contact = system.hold.size, system.contact.size
    n_most = min(n_hold, 8 * n_u + 32)  # rows of contacts that can be closed at once
    # compliant contacts push wherever they overlap, unless an event loop watches over them and opens those that are apart
    soft = np.flatnonzero(system.contact["law"] == SOFT)
    work = kind(
        frame=n_node, dof=n_u, loop=n_row, hold=n_hold, touch=n_contact, pressed=n_contact + 1, closed=n_contact + 1,
        bristle=(2, int(system.world["n_z"][0])), reply=(n_hold, n_u), held=n_most + 1, inverse_mass=(n_most, n_most),
        lu=(n_most, n_most), pivot=n_most, spare=n_most, ratio=n_most, slant=n_most, stiff=n_most,
        veil=(n_most, n_row), free=n_u,
        drive=(system.driver.size, 4), entry=N_CALLED, gap=n_contact, law=(3, 7), wrench=6, ridge=2, answer=(n_row, n_u),
        chol=(n_row, n_row), piece=system.profile.size,
        power=N_WORK, link=system.link.size, stored=1, reading=(system.force.size, 2),
        grip=int(((system.track["last"] - system.track["first"]) * GRIPS[system.track["kind"]]).sum()),
    )
    work.ridge[:], work.piece[:] = MOVING, system.profile["first"]
    work.touch["mode"][soft] = PRESSED
    work.pressed[:soft.size], work.pressed[-1] = soft, soft.size
    return work
