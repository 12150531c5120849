# SPDX-License-Identifier: Apache-2.0
"""Checks that Spark's rows are the tool's own, and measures the overhead per picture.

    python test_detect_faces.py TOOL PHOTO.png [--pictures 400]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time


def read_rows(folder):
    """The rows of Spark's files, by picture."""
    rows = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith("part-"):
            with open(os.path.join(folder, name)) as file:
                for line in file:
                    row = json.loads(line)
                    assert row["image"] not in rows, f"{row['image']} twice"
                    rows[row["image"]] = row
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("photo")
    parser.add_argument("--pictures", type=int, default=400)
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "detect_faces.py")
    tool = os.path.abspath(options.tool)
    with tempfile.TemporaryDirectory() as folder:
        pictures = os.path.join(folder, "with space ü")
        os.makedirs(pictures)
        for number in range(options.pictures):
            path = os.path.join(pictures, f"{number:04}.png")
            if number % 20 == 7:
                with open(path, "w") as file:
                    file.write("no picture")
            else:
                os.symlink(os.path.abspath(options.photo), path)
        alone = os.path.join(folder, "alone")
        start = time.monotonic()
        subprocess.run(
            [tool, "detect", pictures, "--format", "jsonl", "--failure-rows", "--quiet",
             "--jobs", str(options.workers), "--threads", str(options.workers),
             "--output", alone], stderr=subprocess.DEVNULL)
        seconds = time.monotonic() - start
        with open(alone) as file:
            expected = {row["image"]: row for row in map(json.loads, file)}
        assert len(expected) == options.pictures
        print(f"alone, {options.workers} jobs: {1000 * seconds / options.pictures:.2f} ms a picture")
        for kind in ([], ["--bytes"]):
            output = os.path.join(folder, "spark" + "".join(kind))
            run = subprocess.run(
                [sys.executable, script, pictures, "--output", output, "--tool", tool,
                 "--workers", str(options.workers), *kind],
                stdout=subprocess.PIPE, text=True, check=True)
            spark = float(run.stdout.split()[-2])
            found = read_rows(output)
            for image in expected:
                assert found.get(image) == expected[image], (found.get(image), expected[image])
            assert len(found) == len(expected)
            overhead = 1000 * (spark - seconds) / options.pictures
            print(
                f"Spark, {options.workers} workers, {'bytes' if kind else 'names'}: the same "
                f"{len(found)} rows, {1000 * spark / options.pictures:.2f} ms a picture, overhead "
                f"{overhead:.2f} ms")


main()
