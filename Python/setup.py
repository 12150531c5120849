# SPDX-License-Identifier: Apache-2.0
"""Builds the C library into the wheel, and lays the engine's sources beside those of Python in a source distribution.

The wheel also carries the licences in the folder that YOLOFACE_WHEEL_LICENSES names, as Scripts/package-python does.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE / "engine" if (HERE / "engine").is_dir() else HERE.parent
SOURCES = [
    "C/Package.swift", "C/Sources", "C/exports", "LICENSE", "Models/*.bin", "Models/*.param", "Models/README.md", "NOTICE",
    "Package.swift", "Sources",
]
LICENSES = os.environ.get("YOLOFACE_WHEEL_LICENSES")
NAME = "libyoloface.dylib" if sys.platform == "darwin" else "libyoloface.so"
VERSION = re.search(
    r'libraryVersion = "(.*)"', (ROOT / "Sources/YOLOFace/DefaultModel.swift").read_text())[1]


def run(*command):
    if subprocess.run(command).returncode != 0:
        sys.exit(1)


def require_libraries():
    if shutil.which("swift") is None:
        sys.exit("yoloface: no swift command found; install Swift 6.2 or newer from swift.org/install")
    libraries = "libpng", "libjpeg", "libwebp"
    if shutil.which("pkg-config") is None or subprocess.run(["pkg-config", "--exists", *libraries]).returncode != 0:
        sys.exit(
            "yoloface: found no headers of libpng, libjpeg and libwebp; install them, as with apt-get install pkg-config "
            "libpng-dev libjpeg-dev libwebp-dev, or brew install pkgconf libpng jpeg-turbo webp")


def collect_licenses():
    """What license-files of pyproject.toml names, which cannot be outside its folder."""
    folder = HERE / "licenses"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in ("LICENSE", "NOTICE"):
        shutil.copyfile(ROOT / name, folder / name)
    shutil.copyfile(ROOT / "Models/README.md", folder / "weights.md")
    if LICENSES:
        shutil.copytree(LICENSES, folder, dirs_exist_ok=True)


class BuildWithLibrary(build_py):
    def run(self):
        require_libraries()
        super().run()
        scratch = ROOT / ".build-wheel"
        run("swift", "build", "--package-path", ROOT / "C", "--scratch-path", scratch, "--configuration", "release",
            "-debug-info-format", "none", "--disable-build-manifest-caching", "--traits", "JPEG,WebP",
            "--product", "yoloface")
        target = pathlib.Path(self.build_lib, "yoloface", NAME)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(scratch / "release" / NAME, target)
        if sys.platform == "linux":
            run("strip", "--strip-unneeded", target)


class SourcesWithEngine(sdist):
    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for source in (path for pattern in SOURCES for path in ROOT.glob(pattern)):
            target = pathlib.Path(base_dir, "engine", source.relative_to(ROOT))
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.docc"))
            else:
                shutil.copy(source, target)


class AnyPython(bdist_wheel):
    """Any Python 3 can load the library, on this system."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


collect_licenses()
setup(
    version=VERSION, distclass=WithLibrary,
    cmdclass={"bdist_wheel": AnyPython, "build_py": BuildWithLibrary, "sdist": SourcesWithEngine})
