# SPDX-License-Identifier: Apache-2.0
"""What the scripts in Python share, so that one that is interrupted leaves nothing half done."""

import os
import pathlib
import signal
import sys


def replace(path, content):
    """Writes bytes, or text as UTF-8, beside a file and renames: the old one is whole until the new one is."""
    path = pathlib.Path(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        partial.write_bytes(content.encode() if isinstance(content, str) else content)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def end_on_signals():
    """Lets HUP and TERM end the program as an error does, through `with` and `finally`, with 128 and their number."""
    for number in (signal.SIGHUP, signal.SIGTERM):
        # nohup ignores HUP.
        if signal.getsignal(number) == signal.SIG_DFL:
            signal.signal(number, lambda number, _: sys.exit(128 + number))
