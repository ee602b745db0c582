"""The wheel carries what the pages need."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_holds_every_file_of_the_package(tmp_path):
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    kept = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src/routh").rglob("*")
        if path.suffix in (".py", ".js", ".css", ".html", ".svg")
    }
    assert kept <= held
    assert any(name.endswith("view/web/viewer.js") for name in kept)
