# SPDX-License-Identifier: Apache-2.0
"""Detects faces in many pictures with Apache Spark, with one `yoloface` process for each partition.

    python detect_faces.py PICTURES --output FACES [--workers 4] [--bytes] [--tool yoloface]

PICTURES is a directory, or a file with a name on each line. FACES is the directory to which Spark writes
JSON Lines, a row for each picture: what `yoloface detect --json` prints, or
`{"image": …, "error": …}`. With --bytes, Spark transfers the pictures themselves, which is necessary if
the workers share no file system. Every worker needs the tool.
"""

import argparse
import json
import os
import subprocess
import tempfile
import threading
import time

from pyspark.sql import SparkSession

# The most pictures of a partition on a worker's disk at a time.
WINDOW = 64


def rows_of_names(names, tool):
    """JSON rows, as strings, for pictures that the workers can open, in the order of the names."""
    process = subprocess.Popen(
        [tool, "detect", "--files-from", "-", "--null", "--format", "jsonl", "--failure-rows",
         "--threads", "1", "--quiet"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    sent, failures = [], []

    def feed():
        try:
            with process.stdin as pipe:
                for name in names:
                    sent.append(None)
                    pipe.write(os.fsencode(name) + b"\0")
                    pipe.flush()
        except BrokenPipeError:
            pass
        except Exception as error:
            failures.append(error)

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    rows = 0
    for line in process.stdout:
        rows += 1
        yield line.decode().rstrip("\n")
    # 1 means that a picture failed, as its row says too.
    if process.wait() not in (0, 1):
        raise RuntimeError(f"{tool} ended with status {process.returncode}")
    # The feeder has finished, unless the tool ended too early.
    feeder.join(timeout=5)
    if failures:
        raise failures[0]
    if rows != len(sent):
        raise RuntimeError(f"{tool} wrote {rows} rows for {len(sent)} pictures")


def rows_of_bytes(pictures, tool):
    """JSON rows for pairs of name and PNG, which pass through short-lived files."""
    room = threading.Semaphore(WINDOW)
    waiting = []
    with tempfile.TemporaryDirectory() as folder:
        def files():
            for number, (name, data) in enumerate(pictures):
                room.acquire()
                path = os.path.join(folder, f"{number}.png")
                with open(path, "wb") as file:
                    file.write(data)
                waiting.append((name, path))
                yield path

        for row in rows_of_names(files(), tool):
            name, path = waiting.pop(0)
            os.remove(path)
            room.release()
            fields = json.loads(row)
            fields["image"] = name
            if "error" in fields:
                fields["error"] = fields["error"].replace(path, name)
            yield json.dumps(fields, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def picture_names(path):
    if not os.path.isdir(path):
        with open(path) as file:
            return [line.rstrip("\n") for line in file if line.strip()]
    return sorted(
        os.path.join(folder, name) for folder, _, names in os.walk(path)
        for name in names if name.lower().endswith(".png"))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures")
    parser.add_argument("--output", required=True)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--bytes", action="store_true")
    parser.add_argument("--tool", default="yoloface")
    options = parser.parse_args()
    tool = options.tool
    session = (
        SparkSession.builder.master(f"local[{options.workers}]").appName("faces")
        .config("spark.ui.enabled", "false").getOrCreate())
    session.sparkContext.setLogLevel("ERROR")
    names = session.sparkContext.parallelize(picture_names(options.pictures), options.workers)
    start = time.monotonic()
    if options.bytes:
        pictures = names.map(lambda name: (name, read(name)))
        rows = pictures.mapPartitions(lambda pictures: rows_of_bytes(pictures, tool))
    else:
        rows = names.mapPartitions(lambda names: rows_of_names(names, tool))
    rows.saveAsTextFile(options.output)
    print(f"{time.monotonic() - start:.2f} s")
    session.stop()


def read(name):
    with open(name, "rb") as file:
        return file.read()


if __name__ == "__main__":
    main()
