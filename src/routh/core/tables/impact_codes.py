"""Codes and layouts of one impact: laws, slip classes, result rows, points of a slip path, input errors."""

NEWTON, POISSON, STRONGE, NEWTON_ALGEBRAIC, BRACH, STRONGE_COMPLIANT, MOREAU = range(7)

# What the slip did. The names of [wang1992] are in routh.sim.impact.Kind, which documents each.
NO_IMPACT = 0
SLIDING = 1
STICK_COMPRESSION = 2
STICK_RESTITUTION = 3
REVERSAL_COMPRESSION = 4
REVERSAL_RESTITUTION = 5
STICK_FROM_START = 6
SLIP_FROM_REST = 7
JAM = 8
TANGENTIAL = 9
STOPPED = 10
NO_SOLUTION = 11
STALLED = 12
SETTLED = 13  # in sequences of impacts only: the plastic end of one that would not end by itself

# Layout of a result row; tangential slots beyond the dimension stay zero.
P_N, P_T, P_T2, V_N, V_T, V_T2 = range(6)
WORK_N = 6  # work of the normal impulse
WORK = 7  # work of the whole impulse: minus the energy lost
P_COMPRESSION = 8  # normal impulse at the (last) end of compression
P_STOP = 9  # normal impulse at which slip first stopped; NaN: never
N_OUT = 10

# what is wrong with an input
BAD_NUMBER, BAD_SYMMETRY, BAD_MATRIX, BAD_E, BAD_E_T, BAD_MU, BAD_MU_S, BAD_STIFFNESS = -1, -2, -3, -4, -5, -6, -7, -8

# slip flow: order and rows of its Taylor series, state first
SERIES_ORDER = 20  # order of the series
Y_U1, Y_U2, Y_S, Y_P, Y_P1, Y_P2, Y_VN, Y_W, Y_X, Y_TMP = range(10)
N_STATE = 8
N_ROWS = 10
N_COEF = SERIES_ORDER + 1
MAX_STEPS = 5000

# points of a slip path
START, ON, TURN, STOP, COMPRESSED, END = range(6)
SAMPLES = 8  # points recorded within a step of the series

SCRATCH = (N_ROWS + 2, N_COEF)  # shape of the scratch of one spatial impact
