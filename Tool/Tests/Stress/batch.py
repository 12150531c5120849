# SPDX-License-Identifier: Apache-2.0
"""Runs the tool on 10,000 pictures, one in twenty damaged in one of ten ways.

    python3 batch.py TOOL PHOTO.png [--pictures 10000] [--long-side 320]

All good pictures have to be reported and all damaged ones named; the memory's peak with all of them
has to be within a tenth of that with 500; a run that is killed in the middle and gone on with has to
write the same bytes as one run. Python's standard library only.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "Scripts"))
from orderly import end_on_signals  # noqa: E402

SIGNATURE = b"\x89PNG\r\n\x1a\n"
DAMAGED_ONE_IN = 20


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(
        ">I", zlib.crc32(kind + data))


def chunks(png):
    offset = len(SIGNATURE)
    while offset < len(png):
        length, = struct.unpack_from(">I", png, offset)
        yield png[offset + 4 : offset + 8], png[offset + 8 : offset + 8 + length]
        offset += 12 + length


def flipped(data, position):
    return data[:position] + bytes([data[position] ^ 0x55]) + data[position + 1 :]


def damages(png):
    """Ten kinds of damage: name to bytes, or to None for a link that leads nowhere."""
    (_, header), *rest = chunks(png)
    bomb = struct.pack(">II", 30_000, 30_000) + header[8:]
    pixels = zlib.compress(b"\0" * 4_000_000, 9)
    return {
        "empty": b"",
        "half": png[: len(png) // 2],
        "header-only": png[:33],
        "text": b"This is not a picture.\n" * 20,
        "jpeg": b"\xff\xd8\xff\xe0\x00\x10JFIF\0" + b"\0" * 200,
        "checksum": flipped(png, len(png) // 2),
        "bomb": SIGNATURE + chunk(b"IHDR", bomb) + chunk(b"IDAT", pixels) + chunk(b"IEND", b""),
        "no-data": SIGNATURE + chunk(b"IHDR", header) + chunk(b"IEND", b""),
        "long-chunk": png[:33] + struct.pack(">I", 0x7FFFFFFF) + b"IDAT" + png[41:2000],
        "link": None,
    }


def pictures(photo):
    """A few good pictures: the photo, and flat ones of other sizes."""
    found = [photo]
    for width, height, grey in ((64, 64, 0), (320, 200, 128), (640, 480, 255)):
        header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
        rows = (b"\0" + bytes([grey]) * width) * height
        found.append(
            SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))
    return found


def fill(folder, photo, count):
    """Makes the pictures; returns the paths of the good and of the damaged ones."""
    originals = os.path.join(folder, "originals")
    os.makedirs(originals)
    good = pictures(photo)
    for number, data in enumerate(good):
        with open(os.path.join(originals, str(number)), "wb") as file:
            file.write(data)
    kinds = damages(photo)
    paths = [], []
    for number in range(count):
        directory = os.path.join(folder, "pictures", f"{number // 500:03}")
        os.makedirs(directory, exist_ok=True)
        path = os.path.join(directory, f"{number:06}.png")
        damaged = number % DAMAGED_ONE_IN == 7
        paths[damaged].append(path)
        if not damaged:
            os.link(os.path.join(originals, str(number % len(good))), path)
            continue
        data = list(kinds.values())[number // DAMAGED_ONE_IN % len(kinds)]
        if data is None:
            os.symlink("nowhere", path)
        else:
            with open(path, "wb") as file:
                file.write(data)
    return paths


class Run:
    """The tool's run on some paths: status, seconds, peak in KiB, standard error."""

    def __init__(self, tool, arguments, kill_at=None):
        start = time.monotonic()
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen([tool, "detect", *arguments], stderr=errors)
            try:
                if kill_at:
                    path, size = kill_at
                    while process.poll() is None and not (
                            os.path.exists(path) and os.path.getsize(path) >= size):
                        time.sleep(0.01)
                    process.send_signal(signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
            except BaseException:
                process.kill()
                raise
            process.returncode = self.status = os.waitstatus_to_exitcode(status)
            self.seconds, self.peak = time.monotonic() - start, usage.ru_maxrss
            errors.seek(0)
            self.errors = errors.read().decode().splitlines()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check(name, holds):
    print(f"{'ok  ' if holds else 'FAIL'} {name}", flush=True)
    if not holds:
        sys.exit(1)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("photo")
    parser.add_argument("--pictures", type=int, default=10_000)
    parser.add_argument("--long-side", default="320")
    options = parser.parse_args()
    end_on_signals()
    with tempfile.TemporaryDirectory() as folder:
        good, damaged = fill(folder, read(options.photo), options.pictures)
        print(f"{len(good)} good pictures, {len(damaged)} damaged ones", flush=True)
        everything = os.path.join(folder, "pictures")
        settings = ["--format", "jsonl", "--long-side", options.long_side]

        def output(name):
            return os.path.join(folder, name)

        few = Run(
            options.tool, [os.path.join(everything, "000"), *settings, "--output", output("few")])
        whole = Run(options.tool, [everything, *settings, "--output", output("whole")])
        print(f"     {whole.errors[-1]}")
        check("status 1, since some failed", whole.status == 1)
        reported = [json.loads(line)["image"] for line in read(output("whole")).splitlines()]
        check(f"all {len(good)} good pictures reported once, in order", reported == good)
        # The last two say what was written, and how many pictures there were.
        named = [line.split(": ")[1] for line in whole.errors[:-2]]
        check(f"all {len(damaged)} damaged pictures named once, in order", named == damaged)
        check(
            f"peak {whole.peak / 1024:.1f} MiB, within a tenth of {few.peak / 1024:.1f} MiB with "
            "500 pictures", whole.peak <= 1.1 * few.peak)

        half = random.Random(1).uniform(0.3, 0.7) * len(read(output("whole")))
        arguments = [everything, *settings, "--output", output("resumed")]
        killed = Run(options.tool, arguments, (output("resumed.partial"), half))
        check("killed in the middle", killed.status == -signal.SIGKILL)
        kept = read(output("resumed.partial")).count(b"\n")
        resumed = Run(options.tool, [*arguments, "--resume"])
        print(f"     {kept} rows kept; {resumed.errors[-1]}")
        check(
            "the same bytes as without the interruption",
            read(output("resumed")) == read(output("whole")))


main()
