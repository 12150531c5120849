# SPDX-License-Identifier: Apache-2.0
"""Which packages a program consists of, read off what it was linked from."""

import re


def linked_modules(link_file_list):
    """The names of the modules whose object files SwiftPM's list names."""
    # Folders above the build's may be called so, too.
    return set(re.findall(r"^.*/([^/\n]+)\.build/", link_file_list.read_text(), re.M))


def owned(modules, package):
    """Those of the modules that are a package's, by its folders or by its manifest."""
    manifest = (package / "Package.swift").read_text()
    targets = re.findall(r"\.(?:target|executableTarget)\(\s*name:\s*\"([^\"]+)\"", manifest)
    return {name for name in modules if name in targets or (package / "Sources" / name).is_dir()}
