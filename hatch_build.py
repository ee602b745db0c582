"""Builds the native library into the wheel, which then serves one platform and every Python version."""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARY = Path("src/routh/native/lib")


class NativeLibrary(BuildHookInterface):
    """Compiles the kernels; an editable installation compiles them when they are first needed."""

    def initialize(self, version, build_data):
        """Make the library and name the platform in the wheel's tag."""
        if version == "editable":
            return
        root = Path(self.root)
        path = os.pathsep.join(filter(None, [str(root / "src"), os.environ.get("PYTHONPATH")]))
        subprocess.run([sys.executable, "-m", "routh.native.build"], check=True, env=os.environ | {"PYTHONPATH": path})
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform_tag(root / LIBRARY)}"


def platform_tag(folder):
    """The platform of the libraries in a folder; on Linux by the newest version of the C library that they ask for."""
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    if not platform.startswith("linux_"):
        return platform
    asked = [tuple(map(int, found)) for library in folder.glob("*.so")
             for found in re.findall(rb"GLIBC_(\d+)\.(\d+)", library.read_bytes())]
    newest = max([(2, 17), *asked])
    return f"manylinux_{newest[0]}_{newest[1]}_{platform.removeprefix('linux_')}"
