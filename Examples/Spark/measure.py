# SPDX-License-Identifier: Apache-2.0
"""Measures what pictures take through Spark, and by the tool alone, in turns.

    python measure.py TOOL PICTURE.png... [--pictures 2000] [--batches 4] [--cores 2] [--rounds 3]

It prints processor seconds of all processes, counted by a control group: for Linux, as root. Of Spark's, what comes after
the first batch is what million.py takes: the first also pays for the start. Bytes written are those of rows that are not
compressed.
"""

import argparse
import contextlib
import glob
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import pyspark

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "detect_faces.py")
SPARK = os.path.dirname(pyspark.__file__)
# The pictures repeat: Parquet would store the faces of each once, and so much less than of as many others.
AS_IF_ALL_DIFFERED = [
    "--conf", "spark.hadoop.parquet.enable.dictionary=false", "--conf", "spark.sql.parquet.compression.codec=uncompressed"]


@contextlib.contextmanager
def counted():
    """A control group: gives what a process calls to enter it, and what tells its processor seconds."""
    is_first_version = os.path.isdir("/sys/fs/cgroup/cpuacct")
    folder = f"/sys/fs/cgroup/{'cpuacct/' if is_first_version else ''}measure-{os.getpid()}-{time.monotonic_ns()}"
    os.mkdir(folder)

    def enter():
        with open(f"{folder}/cgroup.procs", "w") as file:
            file.write(str(os.getpid()))

    def seconds():
        if is_first_version:
            with open(f"{folder}/cpuacct.usage") as file:
                return int(file.read()) / 1e9
        with open(f"{folder}/cpu.stat") as file:
            return int(re.search("usage_usec ([0-9]+)", file.read())[1]) / 1e6

    try:
        yield enter, seconds
    finally:
        # Spark's Python outlives it for a moment.
        while open(f"{folder}/cgroup.procs").read():
            time.sleep(0.1)
        os.rmdir(folder)


def measure_tool(tool, pictures, cores):
    """The processor seconds of the tool alone."""
    with counted() as (enter, seconds):
        subprocess.run(
            [tool, "detect", pictures, "--format", "jsonl", "--quiet", "--jobs", str(cores), "--threads", str(cores)],
            stdout=subprocess.DEVNULL, check=True, preexec_fn=enter)
        return seconds()


def measure_spark(tool, pictures, faces, batch, cores):
    """The processor seconds of Spark until each batch was written."""
    with counted() as (enter, seconds):
        run = subprocess.Popen(
            [os.path.join(SPARK, "bin", "spark-submit"), "--master", f"local[{cores}]", "--conf", "spark.ui.enabled=false",
             *AS_IF_ALL_DIFFERED, SCRIPT, pictures, faces, "--tool", tool, "--batch", str(batch)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, preexec_fn=enter)
        times = [seconds() for line in run.stdout if re.match("[0-9]+ of [0-9]+ pictures", line)]
        if run.wait() != 0:
            sys.exit(f"measure: {SCRIPT} ended with status {run.returncode}")
        return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("photos", nargs="+")
    parser.add_argument("--pictures", type=int, default=2000)
    parser.add_argument("--batches", type=int, default=4)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_HOME=SPARK, SPARK_LOCAL_IP="127.0.0.1")
    tool, batch = os.path.abspath(options.tool), options.pictures // options.batches
    with tempfile.TemporaryDirectory() as folder:
        pictures = os.path.join(folder, "pictures")
        os.mkdir(pictures)
        for number in range(batch * options.batches):
            photo = os.path.abspath(options.photos[number % len(options.photos)])
            os.symlink(photo, os.path.join(pictures, f"{number:07}.png"))
        alone, spark, starts = [], [], []
        for turn in range(options.rounds):
            alone.append(measure_tool(tool, pictures, options.cores) / batch / options.batches)
            times = measure_spark(tool, pictures, os.path.join(folder, f"faces-{turn}"), batch, options.cores)
            spark.append((times[-1] - times[0]) / batch / (options.batches - 1))
            starts.append(times[0] - batch * spark[-1])
            rows = glob.glob(os.path.join(folder, "faces-*", "batch=*", "*.parquet"))
            written = sum(map(os.path.getsize, rows)) / batch / options.batches / (turn + 1)
            read = sum(map(os.path.getsize, options.photos)) / len(options.photos)
            print(
                f"round {turn + 1}: a picture takes the tool {1000 * alone[-1]:.1f} ms, Spark {1000 * spark[-1]:.1f} ms after "
                f"a start of {starts[-1]:.1f} s", flush=True)
        print(f"million.py --seconds {statistics.median(spark):.4f} --read {read:.0f} --written {written:.0f}")


main()
