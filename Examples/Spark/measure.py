# SPDX-License-Identifier: Apache-2.0
"""Measures what pictures take through Spark, and by the tool alone, in turns.

    python measure.py TOOL PICTURE.png... [--pictures 2000] [--cores 2] [--rounds 3]

Of each run it prints the processor seconds of all its processes, and the time; the median over the rounds is what
million.py takes.
"""

import argparse
import ctypes
import glob
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import pyspark

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "detect_faces.py")
PR_SET_CHILD_SUBREAPER = 36


def measured(command):
    """The processor seconds and the seconds of a command, with all processes that it starts, on Linux."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    seconds = time.monotonic() - start
    if status != 0:
        sys.exit(f"measure: {command[0]} ended with status {status}")
    # Processes that outlive their parents become this one's.
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("photos", nargs="+")
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    tool, spark = os.path.abspath(options.tool), os.path.dirname(pyspark.__file__)
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_HOME=spark, SPARK_LOCAL_IP="127.0.0.1")
    with tempfile.TemporaryDirectory() as folder:
        pictures, single = os.path.join(folder, "pictures"), os.path.join(folder, "single")
        os.mkdir(pictures)
        os.mkdir(single)
        for number in range(options.pictures):
            photo = os.path.abspath(options.photos[number % len(options.photos)])
            os.symlink(photo, os.path.join(pictures, f"{number:07}.png"))
        os.symlink(photo, os.path.join(single, "single.png"))
        print("| run | processor seconds | seconds | for a picture, ms |\n|---|---:|---:|---:|")
        costs = {}
        for turn in range(options.rounds):
            def submit(folder, faces):
                return [
                    os.path.join(spark, "bin", "spark-submit"), "--master", f"local[{options.cores}]", "--conf",
                    "spark.ui.enabled=false", SCRIPT, folder, f"{faces}-{turn}", "--tool", tool]
            for name, command in {
                "the tool alone": [
                    tool, "detect", pictures, "--format", "jsonl", "--quiet", "--jobs", str(options.cores), "--threads",
                    str(options.cores)],
                "Spark, of one picture": submit(single, os.path.join(folder, "one")),
                "Spark": submit(pictures, os.path.join(folder, "faces")),
            }.items():
                cost = measured(command)
                costs.setdefault(name, []).append(cost)
                print(f"| {name} | {cost[0]:.1f} | {cost[1]:.1f} | {1000 * cost[0] / options.pictures:.2f} |", flush=True)
        alone, started, whole = (statistics.median(cost[0] for cost in costs[name]) for name in costs)
        rows = glob.glob(os.path.join(folder, "faces-*", "batch=*", "*.parquet"))
        written = sum(map(os.path.getsize, rows)) / options.pictures / options.rounds
        read = sum(map(os.path.getsize, options.photos)) / len(options.photos)
        print(
            f"\n--seconds {(whole - started) / options.pictures:.5f} --read {read:.0f} --written {written:.0f}\n\n"
            f"Spark beside the tool alone: {(whole - started) / alone:.3f} of its processor seconds, and {started:.1f} s to "
            f"start; {options.rounds * options.pictures / len(rows):.0f} rows a file")


main()
