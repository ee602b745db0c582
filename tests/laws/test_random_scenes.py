"""Whatever the scene: no crash, no hang, no early stop without a physical cause, and every law kept.

`ROUTH_SCENES` says how many scenes; `make sweep` runs ten thousand, and a thousand heaps.
"""

import os

import pytest

from sweep import SPACES, sweep

SCENES = int(os.environ.get("ROUTH_SCENES", "300"))
COUNTS = {"scenes": SCENES // 2, "heaps": SCENES // 4, "machines": SCENES // 3, "linkages": SCENES // 4, "dense": SCENES // 60}
STEPPED = {"scenes": 0.02, "machines": 0.02, "linkages": 0.02}  # share of time that may be stepped; in heaps any


CASES = [(kind, space) for kind in COUNTS for space in SPACES.get(kind, ("planar", "spatial"))]


@pytest.mark.parametrize(("kind", "space"), CASES)
def test_random_scenes_keep_the_laws_of_motion_with_contacts(kind, space):
    found = []
    tally = sweep(kind, space, range(COUNTS[kind]), show=found.append)
    assert not found, "\n".join(found)
    assert tally.statuses["finished"] >= 0.9 * COUNTS[kind]
    assert tally.stepped <= STEPPED.get(kind, 1.0) * COUNTS[kind]
