"""Pictures of the gallery's scenes. They ship with the library, since making them runs every scene:

python -m routh.app.thumbnails [NAME ...]
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

__all__ = ["FOLDER", "draw", "thumbnail"]

FOLDER = Path(__file__).parent / "thumbs"


@cache
def thumbnail(name: str) -> str:
    """The picture of a scene as SVG; "" where there is none yet."""
    path = FOLDER / f"{name}.svg"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def draw(names: list[str]) -> None:
    """Run these scenes and write their pictures."""
    from routh.gallery.scenes import scene
    from routh.view.pictures import picture

    FOLDER.mkdir(exist_ok=True)
    for name in names:
        result = scene(name).simulate()
        (FOLDER / f"{name}.svg").write_text(picture(result, width=240, height=150) + "\n", encoding="utf-8")
        print(name, flush=True)


if __name__ == "__main__":
    from routh.gallery.scenes import SCENES

    draw(sys.argv[1:] or list(SCENES))
