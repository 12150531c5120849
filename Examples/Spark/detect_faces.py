# SPDX-License-Identifier: Apache-2.0
"""Finds the faces in pictures with Apache Spark, and writes a row for each picture as Parquet.

    spark-submit --master 'local[4]' --files yoloface detect_faces.py PICTURES FACES

PICTURES is a directory, a picture or a pattern, and FACES a directory: file:, hdfs:, s3a:, whatever Spark reads. A
second run goes on where the first was ended, and takes what is new: pictures that have a row are left out. Only one run
at a time may write to FACES. Arguments after -- are passed to `yoloface detect`.

On a cluster, the master is spark-submit's option; each worker needs the tool, and in its Python what requirements.txt
names:

    spark-submit --master spark://HOST:7077 --files yoloface detect_faces.py hdfs:///photos hdfs:///faces
    spark-submit --master yarn --files yoloface --archives environment.tar.gz#environment \\
      --deploy-mode cluster --conf spark.pyspark.python=environment/bin/python detect_faces.py s3a://photos s3a://faces
    spark-submit --master k8s://https://HOST:6443 --deploy-mode cluster \\
      --conf spark.kubernetes.container.image=IMAGE local:///opt/detect_faces.py s3a://photos s3a://faces

--files brings the tool to the workers, where the libraries that it reads pictures with must be installed; for JPEG and
WebP, it is built with these traits, as Scripts/package does. --archives brings an environment, as venv-pack
makes it; --tool environment/bin/yoloface is a tool inside. IMAGE holds all of it: Spark, its Python's packages, and
yoloface on the path.

The rows are those of SCHEMA in this file. A picture that cannot be read, is too large, takes too long or ends the tool
has a row with an error, and no faces. spark.read.parquet("FACES") reads them all; others read FACES/batch=*/*.parquet.
A killed run may leave FACES/batch=*/_temporary, which is never read.
Spark passes by empty files, and here by names that begin with a dot; it cannot read local files with a colon in their
name, and needs LC_ALL=C.UTF-8, or the like, for those that are not ASCII.
"""

import argparse
import contextlib
import datetime
import json
import os
import re
import select
import subprocess
import sys
import tempfile

import pyarrow
import pyarrow.compute
from py4j.protocol import Py4JError
from pyspark import SparkFiles
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Observation, SparkSession, functions
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

# The path as Spark has it, the file's bytes, and what `yoloface detect --format jsonl --failure-rows` says of it; but the
# error does not begin with the path.
SCHEMA = """
    path string, length bigint, width int, height int,
    faces array<struct<
        score: double,
        box: struct<x: double, y: double, width: double, height: double>,
        landmarks: struct<
            rightEye: array<double>, leftEye: array<double>, nose: array<double>,
            rightMouth: array<double>, leftMouth: array<double>>,
        pose: struct<roll: double, yaw: double, pitch: double>,
        upsideDown: boolean>>,
    error string
"""

PICTURES_OF_A_PARTITION = 1000


class Tool:
    """A process of the tool that searches one picture after another, and is started anew where a picture ends it."""

    def __init__(self, command, seconds):
        self.command, self.seconds, self.process = command, seconds, None

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.picture = os.path.join(self.folder.name, "picture")
        self.messages = os.path.join(self.folder.name, "messages")
        return self

    def __exit__(self, *_):
        if self.process:
            self.end()
        self.folder.cleanup()

    def start(self):
        command = [SparkFiles.get(self.command[0]), *self.command[1:]]
        if not os.path.exists(command[0]):
            command[0] = self.command[0]
        try:
            with open(self.messages, "wb") as messages:
                self.process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=messages)
        except OSError as error:
            raise RuntimeError(
                f"{command[0]}: {error.strerror} on this worker; bring the tool with --files, or name it with --tool"
            ) from None

    def end(self):
        """Waits for the process, which ends where its input does, and gives its status."""
        process, self.process = self.process, None
        process.stdout.close()
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        return process.wait()

    def row(self, content):
        """What the tool says of a picture, given the bytes of its file."""
        with open(self.picture, "wb") as file:
            file.write(content)
        # Where memory is short, the system may end the tool for another's fault.
        return self.answer() or self.answer() or {"error": "the picture ended the tool twice, by a signal"}

    def answer(self):
        """The row of the picture in the file; None if a signal ended the tool."""
        if not self.process:
            self.start()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write(os.fsencode(self.picture) + b"\0")
            self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], self.seconds)[0]:
            self.process.kill()
            self.end()
            return {"error": f"found no answer after {self.seconds} seconds, expected one"}
        line = self.process.stdout.readline()
        if line.endswith(b"\n"):
            row = json.loads(line)
            if "error" in row:
                row["error"] = row["error"].removeprefix(f"{self.picture}: ").replace(self.picture, "the picture")
                if "build with the package's trait" in row["error"]:
                    # No fault of the picture's: a row would leave it out for good.
                    raise RuntimeError(f"{row['error']}; or leave them out with --glob")
            return row
        status = self.end()
        if status < 0:
            return None
        with open(self.messages, errors="replace") as messages:
            message = " ".join(messages.read()[-500:].split())
        raise RuntimeError(f"{self.command[0]} ended with status {status}: {message}")


def searching(command, seconds, schema):
    """What turns batches of pictures into batches of rows, on a worker."""
    def rows(batches):
        with Tool(command, seconds) as tool:
            for batch in batches:
                paths, lengths = batch.column("path").to_pylist(), batch.column("length").to_pylist()
                yield pyarrow.RecordBatch.from_pylist(
                    [{"path": path, "length": length, **tool.row(content.as_buffer())}
                     for path, length, content in zip(paths, lengths, batch.column("content"))],
                    schema=schema)
    return rows


def files(spark, paths, **options):
    """The files at paths and below them, each with path, length and content, which is read only where it is used."""
    # Spark would leave out names that begin with an underscore, as those of cameras do.
    return spark.read.format("binaryFile").options(
        recursiveFileLookup=True, ignoredPathSegmentRegex=r"^\.", ignoreMissingFiles=True, ignoreCorruptFiles=True,
        **options).load(paths)


def unsearched(spark, options):
    """A table with path and length of the pictures that have no row."""
    pictures = files(spark, options.pictures, pathGlobFilter=options.glob).select("path", "length")
    try:
        rows = spark.read.schema(SCHEMA).parquet(f"{literally(options.faces)}/batch=*").select("path")
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return pictures.toArrow()
    return pictures.join(rows, "path", "left_anti").toArrow()


def literally(path):
    """A path in which nothing is taken for a pattern."""
    return re.sub(r"[][{}*?\\]", r"\\\g<0>", path)


def search(spark, pictures, options):
    """The rows of the pictures in a table with path and length."""
    is_small = pyarrow.compute.less_equal(pictures["length"], options.max_bytes)
    small, large = pictures.filter(is_small), pictures.filter(pyarrow.compute.invert(is_small))
    command = [
        options.tool, "detect", "--files-from", "-", "--null", "--format", "jsonl", "--failure-rows", "--quiet",
        "--threads", "1", *options.arguments]
    schema = to_arrow_schema(StructType.fromDDL(SCHEMA))
    rows = spark.createDataFrame(large).withColumn("error", functions.format_string(
        "found %d bytes, expected at most %d", "length", functions.lit(options.max_bytes)))
    if small:
        contents = files(spark, [literally(path) for path in small["path"].to_pylist()])
        rows = contents.where(contents.length <= options.max_bytes).mapInArrow(
            searching(command, options.seconds, schema), SCHEMA).unionByName(rows, allowMissingColumns=True)
    return rows


def run(options):
    spark = SparkSession.builder.appName("faces").getOrCreate()
    if tuple(map(int, spark.version.split(".")[:2])) < (4, 3):
        # Older ones pass by ignoredPathSegmentRegex, and so by names that begin with an underscore.
        sys.exit(f"detect_faces: found Spark {spark.version}, expected 4.3 or newer")
    # Spark fills a partition with files until their lengths, and 4 MiB for each, are this many bytes.
    spark.conf.set("spark.sql.files.openCostInBytes", 4 << 20)
    spark.conf.set("spark.sql.files.maxPartitionBytes", PICTURES_OF_A_PARTITION * (4 << 20))
    # Paths are listed by this many tasks, not by one for each.
    spark.conf.set("spark.sql.sources.parallelPartitionDiscovery.parallelism", spark.sparkContext.defaultParallelism)
    pictures = unsearched(spark, options)
    name = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%S")
    done = failed = unread = 0
    if not pictures:
        print(f"0 pictures {options.glob} have no row", file=sys.stderr)
    while done < len(pictures):
        batch = pictures.slice(done, options.batch)
        counts = Observation()
        # Each batch has a directory of its own: what a killed run left in it is never taken for another's.
        search(spark, batch, options).observe(
            counts, functions.count("path").alias("rows"), functions.count("error").alias("failed")).write.parquet(
            f"{options.faces}/batch={name}-{done:09}")
        done += len(batch)
        failed += counts.get["failed"]
        unread += len(batch) - counts.get["rows"]
        print(
            f"{done} of {len(pictures)} pictures: {failed} with an error, {unread} that Spark cannot read",
            file=sys.stderr)
    spark.stop()
    return 1 if unread else 0


def count(text):
    if int(text) < 1:
        raise ValueError
    return int(text)


def main():
    parser = argparse.ArgumentParser(
        usage="detect_faces.py [options] PICTURES FACES [-- options of yoloface detect]", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pictures", metavar="PICTURES")
    parser.add_argument("faces", metavar="FACES")
    parser.add_argument("--tool", default="yoloface", help="the tool's name or path on the workers")
    parser.add_argument(
        "--glob", default="*.{png,PNG,jpg,JPG,jpeg,JPEG,webp,WEBP}", help="names of files that are pictures")
    parser.add_argument("--batch", type=count, default=100_000, help="pictures after which their rows are kept")
    parser.add_argument("--seconds", type=count, default=60, help="the most that a picture may take")
    parser.add_argument("--max-bytes", type=count, default=100_000_000, help="the longest file that is read")
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    options = parser.parse_args(sys.argv[1:end])
    options.arguments = sys.argv[end + 1:]
    try:
        sys.exit(run(options))
    except (PySparkException, Py4JError) as error:
        reasons = re.findall("RuntimeError: (.*)", str(error))
        sys.exit(f"detect_faces: {reasons[-1] if reasons else error}")


if __name__ == "__main__":
    main()
