"""Moving pictures of the gallery's scenes, two seconds each. They ship with the library, since making them takes a browser:

python -m routh.app.thumbnails [NAME ...]

needs playwright, Pillow and a Chromium (`ROUTH_CHROMIUM` names another one).
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["FOLDER", "VEHICLE", "draw"]

FOLDER = Path(__file__).parent / "thumbs"
VEHICLE = "vehicle"  # the page of the tracked vehicle
WIDTH, HEIGHT = 320, 200
FRAMES, RATE = 30, 15  # pictures of a loop, and how many a second
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"]
BARE = (
    "body, .routh, .routh * { background: none !important; border: 0 !important }"
    f" .stage {{ position: fixed !important; inset: 0; width: {WIDTH}px; height: {HEIGHT}px; min-height: 0 !important }}"
    " .ruler, header, .switches, [aria-label=plots], .routh:not(.page) > :not(.top) { display: none !important }"
)


def draw(names: list[str]) -> None:
    """Run these scenes and write their moving pictures."""
    from playwright.sync_api import sync_playwright

    from routh.gallery import shin
    from routh.gallery.scenes import scene

    FOLDER.mkdir(exist_ok=True)
    chromium = os.environ.get("ROUTH_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, bypass_csp=True)
        for name in names:
            result = shin.run(4.0) if name == VEHICLE else scene(name).simulate()
            page.goto(result.report(Path(folder) / "run.html").as_uri())
            page.add_style_tag(content=BARE)
            page.wait_for_timeout(200)
            write(frames(page), FOLDER / f"{name}.webp")
            print(name, (FOLDER / f"{name}.webp").stat().st_size // 1000, "kB", flush=True)
        browser.close()


def frames(page: Any) -> list[bytes]:
    """Pictures of the stage, evenly over the run, clear where nothing is."""
    page.evaluate("""() => {
        const { viewer } = document.querySelector("#viewer");
        viewer.scene.options.paths = false;
        for (const path of viewer.scene.paths) path.visible = false;
        viewer.scene.resize();
    }""")
    out = []
    for k in range(FRAMES):
        page.evaluate(f"""() => {{
            const {{ viewer }} = document.querySelector("#viewer");
            viewer.seek(viewer.run.start + {k / (FRAMES - 1)} * (viewer.run.end - viewer.run.start));
        }}""")
        out.append(page.screenshot(omit_background=True))
    return out


def write(pictures: list[bytes], path: Path) -> None:
    """A loop of pictures as animated WebP; the last one stays for a moment."""
    from PIL import Image

    images = [Image.open(io.BytesIO(picture)).convert("RGBA") for picture in pictures]
    pace = [1000 // RATE] * (len(images) - 1) + [900]
    images[0].save(path, save_all=True, append_images=images[1:], duration=pace, loop=0, quality=62, method=4)


if __name__ == "__main__":
    from routh.gallery.scenes import SCENES

    draw(sys.argv[1:] or [VEHICLE, *SCENES])
