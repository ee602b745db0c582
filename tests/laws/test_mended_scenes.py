"""Scenes that once broke a law, each by a cause that is mended, keep them all. The first line of each file is its cause."""

from pathlib import Path

import pytest

from random_scenes import Scene
from routh.files.modelfile import read_model
from scene_checks import faults_of

FILES = sorted((Path(__file__).parent.parent / "scenes").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_mended_scene_keeps_the_laws(path):
    file = read_model(path)
    _, faults = faults_of(Scene(file.model, file.start, file.t_end, path.name))
    assert not faults, path.read_text().partition("\n")[0]


def test_every_mended_scene_names_its_cause():
    assert len(FILES) >= 69
    for path in FILES:
        assert path.read_text().startswith("# Cause of the fault that this scene showed: "), path.name
