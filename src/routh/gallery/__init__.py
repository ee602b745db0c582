"""Classical models, ready to run: each module has `model(...)`, `start(...)` and `run(...)`.

| module | what |
|---|---|
| `simple_pendulum` | IFToMM library: a point mass on a massless rod |
| `four_bar` | IFToMM library: N coupled four-bars that pass flat, singular positions |
| `andrews` | IFToMM library and IVP test set: Andrews' squeezing mechanism |
| `bricard` | IFToMM library: Bricard's 6R loop, movable although overconstrained |
| `governor` | IFToMM library: flyball governor with very stiff coupler springs |
| `slider_crank` | run up by a motor, loaded by a gas pulse |
| `park` | ball on the floor, two pendulums, ball and bat of [park] |
| `kim` | double pendulum and firing tank of [kim] |
| `shin` | the tracked excavator of [shin], driving off |
| `sliding_rod` | Lötstedt's rod of [han1994] in motion: slides, jams, has an impact without approach |
| `chain` | serial chain of n links, in the plane or in space, for timing |
| `newtons_cradle` | k balls in, k balls out |
| `rocking_block` | Housner's block that rocks from corner to corner until it stands |
| `slider_crank_clearance` | a wrist pin with play: the journal flies, collides and slides in its hole |
| `dominoes` | a row that falls in a wave |
| `woodpecker` | the toy that rattles down its pole, of [leine2001] |
| `rope_and_stops` | a rope that becomes taut, a pendulum on a stop, a ball and a driven racket |
| `billiards` | a break with sixteen balls, until all lie still |
| `eulers_disk` | a coin that rolls round ever faster while it settles |
| `tippe_top` | a ball that turns upside down, and the integral that survives all friction |
| `rattleback` | a stone that turns back when spun the wrong way |
| `compliant_impact` | a ball and a wall under six compliant laws: restitution wanted and obtained |
| `cube_toss` | measured tosses of a cube, replayed from their first flight |
| `oblique_impact` | measured rebounds of a hard sphere, computed from material data [kharaz2001] |
| `box_stack` | twenty boxes that stand for a minute; the harmonic stack at its limit |
| `arch` | wedge stones without mortar, at the least thickness of [heyman1969] and the least friction |
| `card_house` | storeys of cards at their critical friction |
| `sphere_pile` | two hundred spheres, or a thousand, that settle in a box |
| `bolt_feeder` | a bolt that slides down two rails by its head, after [hangilmore1993] |
| `chute_flow` | boxes on a chute, below and above the friction angle |
| `chain_over_edge` | a chain that slides over an edge, and the overhang that friction holds |
| `granular_column` | a column of grains that collapses, with the run-out of [lube2005] |
| `ring` | closed ring of n links floating in the plane, for timing |

"IFToMM library" is the library of computational benchmark problems of the IFToMM Technical Committee for
Multibody Dynamics [gonzalez2006].
"""
