# SPDX-License-Identifier: Apache-2.0
"""Builds the C library into the wheel, which is then for this system alone."""

import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

ROOT = pathlib.Path(__file__).resolve().parent.parent
NAME = "libyoloface.dylib" if sys.platform == "darwin" else "libyoloface.so"
VERSION = re.search(
    r'libraryVersion = "(.*)"', (ROOT / "Sources/YOLOFace/DefaultModel.swift").read_text())[1]


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        subprocess.run([ROOT / "Scripts/build-library"], check=True)
        target = pathlib.Path(self.build_lib, "yoloface", NAME)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "Tool/.build/release" / NAME, target)
        if sys.platform == "linux":
            subprocess.run(["strip", "--strip-unneeded", target], check=True)


class AnyPython(bdist_wheel):
    """Any Python 3 can load the library, on this system."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(
    version=VERSION, distclass=WithLibrary,
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": AnyPython})
