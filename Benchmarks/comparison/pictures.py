"""Whole pictures, from PNG files to faces: `yoloface detect` beside the same task in Python."""

import datetime
import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from comparison import engines, machine, measurement, our_tool, report
from comparison.ncnn_to_onnx import ModelError
from comparison.python_detector import AHEAD, PythonDetector

WIDTH, HEIGHT = 1280, 720
ROOT = Path(__file__).resolve().parent.parent.parent
# Each picture is a crop of one of these, enlarged a little more each time.
PHOTOS = ROOT.parent / "shared/images"
EXAMPLE = ROOT / "Examples/astronaut.png"
GROWTH = 0.002
# libpng's defaults, which most writers keep: zlib's level 6 and all filters.
PNG_OPTIONS = [
    cv2.IMWRITE_PNG_COMPRESSION, 6, cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_DEFAULT,
    cv2.IMWRITE_PNG_FILTER, cv2.IMWRITE_PNG_ALL_FILTERS,
]
# The largest difference of a face's numbers, in pixels and, of scores, in 1: the tool prints
# thousandths.
TOLERANCE = 0.01


@dataclass(frozen=True)
class Way:
    """One row: `run()` finds the faces of all pictures, a list of rows for each."""

    name: str
    run: object
    rates: list
    is_ours: bool = False


def compare_pictures(arguments):
    """Runs `Benchmarks/compare --pictures`; exits with 1 on failure."""
    try:
        missing = our_tool.why_tool_is_missing(arguments.tool)
        if missing:
            sys.exit(f"compare: {missing}")
        before = machine.processor_seconds()
        with tempfile.TemporaryDirectory() as directory:
            paths, photos = make_pictures(Path(directory), arguments.pictures)
            megabytes = sum(path.stat().st_size for path in paths) / 1e6
            results = {threads: measure(arguments, paths, threads) for threads in arguments.threads}
        others = machine.share_of_others(before, machine.processor_seconds())
        write(arguments, results, photos, megabytes, others)
    except (ModelError, engines.EngineError, measurement.DisagreementError, OSError) as error:
        sys.exit(f"compare: {error}")


def make_pictures(directory, count):
    """Writes that many PNG files, all different. Returns their paths and the photos' names."""
    print(f"making {count} pictures", file=sys.stderr)
    names = sorted(PHOTOS.glob("*.png")) or [EXAMPLE]
    photos = [cv2.imread(str(name)) for name in names]
    paths = []
    for number in range(count):
        photo = photos[number % len(photos)]
        height, width = photo.shape[:2]
        scale = max(WIDTH / width, HEIGHT / height) * (1 + GROWTH * (number % 200))
        size = max(WIDTH, round(width * scale)), max(HEIGHT, round(height * scale))
        large = cv2.resize(photo, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
        left, top = (size[0] - WIDTH) * (number % 5) // 4, (size[1] - HEIGHT) * (number % 7) // 6
        paths.append(directory / f"{number:06}.png")
        cv2.imwrite(str(paths[-1]), large[top:top + HEIGHT, left:left + WIDTH], PNG_OPTIONS)
    return paths, [name.name for name in names]


def measure(arguments, paths, threads):
    """The ways with their pictures per second, a number for each round. First compares what each finds,
    which also warms it up."""
    print(f"{len(paths)} pictures, threads: {threads}", file=sys.stderr)
    ways = [Way("yoloface detect, the whole process",
                lambda: our_faces(arguments, paths, threads), [], True)]
    ways += [Way(f"Python, {name}", run, []) for name, run in python_ways(arguments, paths, threads)]
    require_same([way.run() for way in ways])
    for number in range(arguments.rounds):
        first = number % len(ways)
        for way in ways[first:] + ways[:first]:
            time.sleep(measurement.PAUSE_SECONDS)
            start = time.perf_counter()
            way.run()
            way.rates.append(len(paths) / (time.perf_counter() - start))
    return ways


def python_ways(arguments, paths, threads):
    """Names and functions. All keep to the number of threads, so with one thread there is only one way."""
    cv2.setNumThreads(threads)

    def detector(threads):
        return PythonDetector(arguments.param, arguments.bin, WIDTH, HEIGHT, threads)

    serial = detector(threads)
    yield "one picture after another", lambda: serial.in_turn(paths)
    if threads > 1:
        beside, single = detector(threads - 1), detector(1)
        yield "a thread reading ahead", lambda: beside.ahead(paths)
        yield "a picture on each thread", lambda: single.at_once(paths, threads)


def our_faces(arguments, paths, threads):
    output = our_tool.run_tool([
        arguments.tool, "detect", "--param", arguments.param, "--bin", arguments.bin, "--threads",
        threads, "--json", paths[0].parent])
    return [[row(face) for face in json.loads(line)["faces"]] for line in output.splitlines()]


def row(face):
    """A face of our output, as a row of `PythonDetector.faces`."""
    box, landmarks = face["box"], face["landmarks"]
    points = (landmarks[name] for name in
              ("rightEye", "leftEye", "nose", "rightMouth", "leftMouth"))
    return [box["x"], box["y"], box["width"], box["height"], face["score"], *sum(points, [])]


def require_same(found):
    """Raises where two ways find different faces in a picture. Faces with almost equal scores may swap
    places."""
    for other in found[1:]:
        for number, (expected, faces) in enumerate(zip(found[0], other, strict=True)):
            if len(expected) != len(faces):
                raise measurement.DisagreementError(
                    f"picture {number}: {len(expected)} and {len(faces)} faces")
            if len(faces) == 0:
                continue
            distances = np.abs(np.subtract(np.array(expected)[:, np.newaxis], faces)).max(2)
            if not distances.min(1).max() <= TOLERANCE:
                raise measurement.DisagreementError(f"picture {number}: other faces")


def write(arguments, results, photos, megabytes, others):
    """Writes the dated page and prints the tables."""
    today = datetime.datetime.now(datetime.timezone.utc)
    path = arguments.output / f"pictures-{today:%Y-%m-%d}.md"
    tables = "\n\n".join(table(threads, ways) for threads, ways in results.items())
    notes = report.notes_on(None, others)
    versions = engines.versions() | {"OpenCV": cv2.__version__} | our_tool.versions(arguments.tool)
    page = f"""\
# Whole pictures, {today:%Y-%m-%d %H:%M} UTC

## Machine

{report.items(machine.describe())}

## Versions

{report.items(versions)}

## Method

{method(arguments, photos, megabytes)}

## Results

{CAPTION}
{notes}
{tables}
"""
    arguments.output.mkdir(parents=True, exist_ok=True)
    report.write_whole(path, page.encode())
    print(f"{CAPTION}\n{notes}\n{tables}\n\nWritten: {path}")


CAPTION = """\
Pictures per second, over the rounds. “ours ÷ it” is the median over the rounds of our rate divided
by its rate: above 1, yoloface is faster."""


def method(arguments, photos, megabytes):
    return f"""\
{arguments.pictures} PNG files of {WIDTH} × {HEIGHT} pixels, {megabytes:.0f} MB, all different:
crops of {", ".join(photos)}, written with libpng's defaults (zlib's level 6, all filters).
Network `{arguments.param.name}`; long side 640, bilinear, score 0.5, overlap 0.45.

yoloface is one process for all files of a directory, timed from start to exit, its output parsed as
JSON. The Python program reads, resizes, pads and makes the blob with OpenCV, runs ONNX Runtime (all
graph optimisations), decodes the boxes with NumPy and suppresses with OpenCV; imports, the creation of
the session and a first pass over all files are not counted. With N threads it works in three ways: one
picture after another, the network on N threads; one thread reading up to {AHEAD} pictures ahead, the
network on N − 1; N threads with a picture each, the network on one.

All ways take turns: {arguments.rounds} rounds, each starting with a different way. First their faces
are compared, picture by picture: the same number of faces, and no value further apart than {TOLERANCE:g}."""


def table(threads, ways):
    ours = next(way for way in ways if way.is_ours)
    lines = [f"### {threads} thread{'' if threads == 1 else 's'}", "",
             "| way | min | median | max | ours ÷ it |", "|---|---:|---:|---:|---:|"]
    for way in ways:
        ratio = statistics.median(mine / its for mine, its in zip(ours.rates, way.rates))
        lines.append(f"| {way.name} | {min(way.rates):.1f} | {statistics.median(way.rates):.1f} "
                     f"| {max(way.rates):.1f} | {ratio:.2f} |")
    return "\n".join(lines)
