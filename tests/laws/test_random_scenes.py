"""Whatever the scene: no crash, no hang, no overlap, no energy from nothing, and every blow in balance.

`ROUTH_SCENES` says how many scenes; `make sweep` runs ten thousand.
"""

import os

import pytest

from sweep import RARE, sweep

SCENES = int(os.environ.get("ROUTH_SCENES", "300"))


@pytest.mark.parametrize("space", ["planar", "spatial"])
def test_random_scenes_keep_the_laws_of_motion_with_contacts(space):
    found = []
    statuses, _, _ = sweep(space, range(SCENES // 2), show=found.append)
    without_modes = [line for line in found if "no contact modes" in line]
    broken = [line for line in found if line not in without_modes]
    assert not broken, "\n".join(broken)
    assert len(without_modes) <= max(1, SCENES // 2 // RARE), "\n".join(without_modes)
    assert statuses["finished"] > 0.9 * (SCENES // 2)
