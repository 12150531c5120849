# SPDX-License-Identifier: Apache-2.0
"""Checks that Spark's rows are the tool's own, each once, whatever a picture does and wherever a run is ended.

    python test_detect_faces.py TOOL PICTURE.png...        with a tool that reads PNG alone

The first run is local; then a master and two workers on this machine have a run whose driver is killed, and one that
goes on.
"""

import argparse
import contextlib
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import pyarrow.dataset
import pyspark

SPARK = os.path.dirname(pyspark.__file__)
SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "detect_faces.py")

ODD_NAMES = [
    "with space", "ü", "😀", "%20", "#", "new\nline", "[x]", "{a,b}", "*", "?", "back\\slash", "'\"", "_DSC1",
]

# A tool that some pictures kill or keep busy, and that waits for ever once the run is half way: some rows can be seen,
# and others are finished, but not committed.
FRAGILE_TOOL = """#!{python}
import glob, os, signal, subprocess, sys, time

def is_half_way():
    return glob.glob({faces!r} + "/**/_SUCCESS", recursive=True) and glob.glob(
        {faces!r} + "/**/_temporary/0/task_*", recursive=True)

tool = subprocess.Popen([{tool!r}, *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
name = b""
while byte := sys.stdin.buffer.read(1):
    name += byte
    if byte == b"\\0":
        with open(name[:-1], "rb") as file:
            start = file.read(9)
        if start == b"kill this":
            os.kill(os.getpid(), signal.SIGKILL)
        while start == b"keep busy" or os.path.exists({hold!r}) and is_half_way():
            time.sleep(0.1)
        tool.stdin.write(name)
        tool.stdin.flush()
        sys.stdout.buffer.write(tool.stdout.readline())
        sys.stdout.buffer.flush()
        name = b""
"""


def make_pictures(folder, photos):
    """Sound, broken and odd pictures; gives what is expected of those that the tool alone cannot say."""
    os.makedirs(os.path.join(folder, "a=b", "ü #%"))
    for number in range(100):
        os.symlink(photos[number % len(photos)], os.path.join(folder, f"{number:03}.png"))
    for name in ODD_NAMES:
        shutil.copyfile(photos[0], os.path.join(folder, "a=b", "ü #%", f"{name}.png"))
    with open(photos[0], "rb") as file:
        start = file.read(100_000)
    for name, content in {"empty": b"", "no picture": b"\0" * 100, "truncated": start, "ü\n": start}.items():
        with open(os.path.join(folder, f"{name}.png"), "wb") as file:
            file.write(content)
    expected = {
        "large.png": "found 3221225472 bytes, expected at most 1000000",
        "killer.png": "the picture ended the tool twice, by a signal",
        "busy.png": "found no answer after 10 seconds, expected one",
    }
    with open(os.path.join(folder, "large.png"), "wb") as file:
        file.truncate(3 << 30)
    for name, content in {"killer": b"kill this", "busy": b"keep busy"}.items():
        with open(os.path.join(folder, f"{name}.png"), "wb") as file:
            file.write(content)
    return {os.path.join(folder, name): error for name, error in expected.items()}


def check_rows(faces, tool, folder, errors):
    """Checks that Spark's rows are the tool's own, but for these errors."""
    run = subprocess.run(
        [tool, "detect", folder, "--format", "jsonl", "--failure-rows", "--quiet"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    # Spark passes by empty files.
    expected = {
        f"file:{row['image']}": row for row in map(json.loads, run.stdout.splitlines())
        if os.path.getsize(row["image"]) > 0}
    rows = read_rows(faces)
    paths = [row["path"] for row in rows]
    assert len(set(paths)) == len(paths), f"{len(paths) - len(set(paths))} rows twice"
    assert set(paths) == set(expected), set(paths) ^ set(expected)
    for row in rows:
        path = row["path"].removeprefix("file:")
        theirs = expected[row["path"]]
        assert row["length"] == os.path.getsize(path), row
        if path in errors:
            assert row["error"] == errors[path], row
        elif "error" in theirs:
            assert row["faces"] is None and row["error"] and theirs["error"].endswith(f": {row['error']}"), (row, theirs)
        else:
            assert row["error"] is None, row
            assert (row["width"], row["height"]) == (theirs["width"], theirs["height"]), (row, theirs)
            ours = [{key: value for key, value in face.items() if value is not None or key == "pose"}
                    for face in row["faces"]]
            assert ours == theirs["faces"], (row, theirs)
    return len(rows)


def read_rows(faces):
    files = glob.glob(f"{glob.escape(faces)}/batch=*/*.parquet")
    return pyarrow.dataset.dataset(files, partitioning=None).to_table().to_pylist() if files else []


def submit(master, *arguments):
    """Starts a run."""
    return subprocess.Popen(
        [os.path.join(SPARK, "bin", "spark-submit"), "--master", master, "--conf", "spark.ui.enabled=false",
         "--conf", "spark.log.level=ERROR", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)


def end(run):
    """Waits for a run, and gives its status and messages."""
    messages = run.communicate()[0]
    return run.returncode, messages


def reason(messages):
    """The script's own last line; Spark may still say something after it."""
    return [line for line in messages.splitlines() if line.startswith("detect_faces: ")][-1]


@contextlib.contextmanager
def cluster(folder):
    """A master and two workers of one core each; gives the master's address."""
    with contextlib.ExitStack() as stack:
        def start(name, *arguments, until):
            log = os.path.join(folder, f"{name}.log")
            with open(log, "w") as file:
                process = subprocess.Popen(
                    [os.path.join(SPARK, "bin", "spark-class"), *arguments], stdout=file, stderr=file,
                    start_new_session=True)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            while True:
                assert process.poll() is None, f"{name} ended with status {process.returncode}; see {log}"
                with open(log) as file:
                    if found := re.search(until, file.read()):
                        return found[0]
                time.sleep(0.1)

        local = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        address = start(
            "master", "org.apache.spark.deploy.master.Master", *local, until=r"spark://127\.0\.0\.1:[0-9]+")
        for name in ("one", "two"):
            start(
                name, "org.apache.spark.deploy.worker.Worker", *local, "--cores", "1", "--memory", "1g",
                "--work-dir", os.path.join(folder, name), address, until="Successfully registered")
        yield address


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("pictures", nargs="+")
    options = parser.parse_args()
    tool = os.path.abspath(options.tool)
    os.environ.update(
        LC_ALL="C.UTF-8", PYSPARK_PYTHON=sys.executable, SPARK_HOME=SPARK, SPARK_LOCAL_IP="127.0.0.1",
        JAVA_TOOL_OPTIONS="-XX:TieredStopAtLevel=1")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPARK_LOCAL_DIRS"] = os.path.join(folder, "spark")
        pictures, faces, hold = (os.path.join(folder, name) for name in ("pictures", "faces", "hold"))
        errors = make_pictures(pictures, [os.path.abspath(picture) for picture in options.pictures])
        fragile = os.path.join(folder, "yoloface")
        with open(fragile, "w") as file:
            file.write(FRAGILE_TOOL.format(python=sys.executable, tool=tool, faces=faces, hold=hold))
        limits = ["--seconds", "10", "--max-bytes", "1000000", "--batch", "40"]
        usual = ["--files", fragile, SCRIPT, pictures, faces, *limits]

        status, messages = end(submit("local[2]", *usual))
        assert status == 0, messages
        count = check_rows(faces, tool, pictures, errors)
        print(f"local: {count} rows, each once and the tool's own, {len(errors)} of them of pictures that no tool survives")
        shutil.copyfile(options.pictures[0], os.path.join(pictures, "new.png"))
        status, messages = end(submit("local[2]", *usual))
        assert status == 0 and "1 of 1 pictures" in messages, messages
        assert check_rows(faces, tool, pictures, errors) == count + 1
        print("local, again: one row more, of a picture that is new")
        status, messages = end(submit("local[2]", SCRIPT, pictures, f"{faces}.none", "--tool", "nowhere/yoloface"))
        assert status == 1 and "detect_faces: nowhere/yoloface: No such file" in reason(messages), messages
        print(f"local, without the tool: {reason(messages)}")
        photo = os.path.join(folder, "photo.jpg")
        with open(photo, "wb") as file:
            file.write(b"\xff\xd8\xff\xe0" + bytes(100))
        status, messages = end(submit("local[2]", SCRIPT, photo, f"{faces}.none", "--tool", tool))
        assert status == 1 and "package's trait JPEG" in reason(messages) and "--glob" in reason(messages), messages
        print(f"local, with a tool that does not read JPEG: {reason(messages)}")

        shutil.rmtree(faces)
        with cluster(folder) as master:
            open(hold, "w").close()
            run = submit(master, "--conf", "spark.sql.files.minPartitionNum=8", *usual)
            stale = f"{faces}/**/_temporary/0/task_*"
            while not (glob.glob(f"{faces}/**/_SUCCESS", recursive=True) and glob.glob(stale, recursive=True)):
                assert run.poll() is None, end(run)
                time.sleep(0.1)
            os.killpg(run.pid, signal.SIGKILL)
            end(run)
            os.remove(hold)
            before = len(read_rows(faces))
            assert 0 < before < count and glob.glob(stale, recursive=True)
            status, messages = end(submit(master, *usual))
            assert status == 0 and f"of {count + 1 - before} pictures" in messages, messages
            assert check_rows(faces, tool, pictures, errors) == count + 1
            for name in ("one", "two"):
                assert glob.glob(os.path.join(folder, name, "app-*", "*")), f"worker {name} had no executor"
        print(f"two workers: killed after {before} rows, and gone on: {count + 1} rows, each once and the tool's own")


main()
