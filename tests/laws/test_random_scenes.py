"""Whatever the scene: no crash, no hang, no overlap, no energy from nothing, and every blow in balance.

`ROUTH_SCENES` says how many scenes; `make sweep` runs ten thousand.
"""

import os

import pytest

from sweep import sweep

SCENES = int(os.environ.get("ROUTH_SCENES", "300"))


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_random_scenes_keep_the_laws_of_motion_with_contacts(space):
    found = []
    statuses, _, _ = sweep(space, range(SCENES // 2), show=found.append)
    assert not found, "\n".join(found)
    assert statuses["finished"] > 0.9 * (SCENES // 2)
