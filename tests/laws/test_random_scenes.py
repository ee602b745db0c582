"""Whatever the scene: no crash, no hang, no overlap, no energy from nothing, and every blow in balance.

`ROUTH_SCENES` says how many scenes; `make sweep` runs ten thousand, and a thousand heaps.
"""

import os

import pytest

from scene_checks import DEAD_ENDS
from sweep import sweep

SCENES = int(os.environ.get("ROUTH_SCENES", "300"))
HEAPS = SCENES // 2
RARELY = 0.02  # of heaps: chatter that grows, and slides next to rest, take more steps than a sweep has patience for


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_random_scenes_keep_the_laws_of_motion_with_contacts(space):
    found = []
    statuses, _, _ = sweep(space, range(SCENES // 2), show=found.append)
    assert not found, "\n".join(found)
    assert statuses["finished"] > 0.9 * (SCENES // 2)


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_heaps_with_strong_friction_settle_by_the_laws(space):
    found = []
    statuses, kinds, _ = sweep(space, range(HEAPS // 2), show=found.append, heaps=True)
    assert set(kinds) <= set(DEAD_ENDS), "\n".join(found)
    assert statuses["finished"] >= (1.0 - RARELY) * (HEAPS // 2), "\n".join(found)
