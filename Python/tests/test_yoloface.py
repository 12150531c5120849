# SPDX-License-Identifier: Apache-2.0
"""Tests of the installed package, in a clone of the repository: `pytest Python/tests`."""

import copy
import ctypes
import importlib.metadata
import json
import multiprocessing
import os
import pathlib
import pickle
import resource
import struct
import subprocess
import threading
import zlib

import numpy
import pytest
import yoloface

ROOT = pathlib.Path(__file__).resolve().parents[2]
PICTURE = ROOT / "Examples/astronaut.png"
MODEL = [ROOT / f"Models/yoloface-n-0.5.{suffix}" for suffix in ("param", "bin")]
TOOL = ROOT / "Tool/.build/release/yoloface"


@pytest.fixture(scope="module")
def detector():
    return yoloface.FaceDetector()


def tool_faces(*paths):
    lines = subprocess.run(
        [TOOL, "detect", "--json", *paths], check=True, capture_output=True, text=True).stdout
    return [json.loads(line)["faces"] for line in lines.splitlines()]


def same(face, written):
    """Whether a face is what the tool has written, rounded."""
    box = [written["box"][side] for side in face.box._fields]
    points = [written["landmarks"][name] for name in ("rightEye", "leftEye", "nose", "rightMouth", "leftMouth")]
    return (
        abs(face.score - written["score"]) < 1e-5 and numpy.allclose(face.box, box, atol=6e-4)
        and numpy.allclose(face.landmarks, points, atol=6e-4))


def png(array):
    """A picture as PNG."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    height, width, _ = array.shape
    rows = b"".join(b"\0" + row.tobytes() for row in array)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def test_finds_the_faces_of_the_tool(detector, tmp_path):
    """In 100 pictures: parts of those that there are, mirrored or not."""
    if not TOOL.exists():
        pytest.skip("the tool is not built")
    pictures = [yoloface.read(path) for path in [PICTURE, *sorted((ROOT.parent / "shared/images").glob("*.png"))]]
    parts = []
    for number in range(100):
        picture = pictures[number % len(pictures)]
        part = picture[number:, number // 2:picture.shape[1] - number][:, ::number % 2 * -2 + 1]
        parts.append(part)
        (tmp_path / f"{number:03}.png").write_bytes(png(part))
    paths = sorted(tmp_path.glob("*.png"))
    count = 0
    for part, path, written in zip(parts, paths, tool_faces(*paths), strict=True):
        found = detector.detect(part)
        assert found == detector.detect(path)
        assert len(found) == len(written) and all(map(same, found, written)), path
        count += len(found)
    assert count >= 90


@pytest.mark.parametrize("make", [
    lambda rgb: (rgb, "rgb"),
    lambda rgb: (rgb[:, :, ::-1], "bgr"),
    lambda rgb: (numpy.ascontiguousarray(rgb[:, :, ::-1]), "bgr"),
    lambda rgb: (numpy.dstack([rgb, rgb[:, :, :1]]), "rgb"),
    lambda rgb: (numpy.dstack([rgb[:, :, ::-1], rgb[:, :, :1]]), "bgr"),
    lambda rgb: (numpy.pad(rgb, ((0, 0), (0, 9), (0, 0)))[:, :-9], "rgb"),
    lambda rgb: (numpy.asfortranarray(rgb), "rgb"),
])
def test_reads_every_array(detector, make):
    rgb = yoloface.read(PICTURE)
    array, order = make(rgb)
    assert detector.detect(array, order=order) == detector.detect(PICTURE)


def test_reads_grey(detector):
    grey = yoloface.read(PICTURE).mean(axis=2).astype(numpy.uint8)
    three = numpy.repeat(grey[:, :, None], 3, axis=2)
    assert detector.detect(grey) == detector.detect(three)
    assert len(detector.detect(grey)) == 1


@pytest.mark.parametrize("make", [
    lambda rgb: rgb[:1][::-1],
    lambda rgb: rgb[::-1, ::-1, ::-1],
    lambda rgb: rgb[::2, ::2],
    lambda rgb: rgb[:, :1],
    lambda rgb: rgb[::-1, :1],
    lambda rgb: rgb[:1, :1],
    lambda rgb: rgb[:, :, :1],
    lambda rgb: rgb[:, :, 1],
    lambda rgb: rgb[::-1, :1, 1],
    lambda rgb: rgb.transpose(1, 0, 2),
    lambda rgb: numpy.broadcast_to(rgb[:1], rgb.shape),
    *(lambda rgb, stride=stride: numpy.lib.stride_tricks.as_strided(rgb[:1], strides=(stride, 3, 1))
      for stride in (0, -7, 2**62)),
    lambda rgb: numpy.lib.stride_tricks.as_strided(rgb[:, :1], strides=(rgb.strides[0], -7, 1)),
])
def test_passes_the_bytes_of_every_view(detector, make):
    """The strides of axes of length 1, which lead nowhere, may be any."""
    view = make(yoloface.read(PICTURE)[:40, :30])
    _kept, passed = yoloface._picture(view, 0)
    row = view[0].size
    places = [passed.bytes + y * passed.stride for y in range(passed.height)]
    assert b"".join(ctypes.string_at(place, row) for place in places) == view.tobytes()
    assert detector.detect(view) == []


def test_options(detector):
    assert detector.detect(PICTURE, score_threshold=0.99) == []
    assert len(detector.detect(PICTURE, score_threshold=0, long_side=64)) > 1
    small = detector.detect(PICTURE, long_side=320)
    assert len(small) == 1 and small != detector.detect(PICTURE)
    assert detector.detect(
        PICTURE, long_side=numpy.int32(320), score_threshold=numpy.float32(0.5), overlap_threshold=0.45) == small
    assert len(yoloface.FaceDetector(precision="int8").detect(PICTURE, effort="checked")) == 1
    assert yoloface.FaceDetector(*MODEL, threads=2).detect(PICTURE) == detector.detect(PICTURE)


def test_blobs_of_four_axes(tmp_path):
    param, weights = tmp_path / "expand.param", tmp_path / "expand.bin"
    param.write_text("7767517\n2 2\nInput data 0 1 data\nExpandDims expand 1 1 data out -23303=1,0\n")
    weights.write_bytes(b"")
    values = numpy.arange(24, dtype=numpy.float32).reshape(2, 3, 4)
    network = yoloface.Network(param, weights)
    assert (network.run({"data": values}, ["out"])["out"] == values[None]).all()
    assert network.run({"data": values}, ["out"])["out"].shape == (1, 2, 3, 4)
    assert (network.run({"data": values[None]}, ["data"])["data"] == values[None]).all()


@pytest.mark.parametrize("call, words", [
    (lambda d: d.detect("missing.png"), "missing.png"),
    (lambda d: d.detect(10**6 * b"x"), "^<bytes>: found an unknown format, expected PNG"),
    (lambda d: d.detect(PICTURE, long_side=0), "found 0 as long_side"),
    (lambda d: d.detect(PICTURE, order="rbg"), "expected one of rgb, bgr"),
    (lambda d: d.detect(PICTURE, effort="most"), "thorough"),
    (lambda d: d.detect(numpy.zeros((4, 4, 3))), "float64"),
    (lambda d: d.detect(numpy.zeros((0, 4, 3), numpy.uint8)), r"\(0, 4, 3\)"),
    (lambda d: d.detect("a\0b"), "zero byte"),
    (lambda d: d.detect("a\x1b\u202e"), r"a\\u\{1B\}\\u\{202E\}: found"),
    (lambda d: d.detect(PICTURE, effort="once\0"), "as effort, expected no zero byte"),
    (lambda d: d.detect(PICTURE, effort=""), "thorough"),
    (lambda d: d.detect(PICTURE, long_side=2**64 + 320), "found 18446744073709551936 as long_side"),
    (lambda d: d.detect(PICTURE, long_side=-2**64), "as long_side"),
    (lambda d: d.detect(PICTURE, score_threshold=float("nan")), "found nan as score_threshold"),
    (lambda d: d.detect(PICTURE, overlap_threshold=10**400), "as overlap_threshold"),
    (lambda d: yoloface.FaceDetector(threads=2**32 + 1), "found 4294967297 as threads"),
    (lambda d: yoloface.Network(threads=2**32 + 1), "found 4294967297 as threads"),
    (lambda d: yoloface.Network().run({"data\0": numpy.zeros((3, 64, 64))}, ["out_8"]), "input's name"),
    (lambda d: yoloface.Network().run({"data": numpy.zeros((3, 64, 64))}, ["out_8\0"]), "wanted name"),
    (lambda d: yoloface.Network().run({"data": numpy.zeros((3, 64, 64))}, ["\ud800"]), "not UTF-8"),
    (lambda d: yoloface.Network().run({"data": numpy.zeros((3, 0, 64))}, ["out_8"]), "size of the shape"),
    (lambda d: yoloface.FaceDetector(PICTURE, PICTURE), "astronaut.png"),
    (lambda d: yoloface.FaceDetector(precision="fp8"), "fp8"),
    (lambda d: yoloface.Network(MODEL[0]), "NULL as bin"),
    (lambda d: yoloface.Network().run({}, ["out_8"]), "expected"),
    (lambda d: yoloface.Network().run({"data": numpy.zeros((1, 1, 1, 1, 1))}, ["out_8"]), "axes"),
])
def test_errors(detector, call, words):
    with pytest.raises(yoloface.Error, match=words):
        call(detector)


@pytest.mark.parametrize("call, words", [
    (lambda d: d.detect(PICTURE, long_side=True), "found True as long_side, expected an integer"),
    (lambda d: d.detect(PICTURE, long_side=320.0), "found 320.0 as long_side"),
    (lambda d: d.detect(PICTURE, score_threshold=numpy.True_), "as score_threshold, expected a number"),
    (lambda d: d.detect(PICTURE, effort=b"once"), "as effort, expected text"),
    (lambda d: yoloface.FaceDetector(threads="2"), "found '2' as threads"),
    (lambda d: d.detect([1, 2]), "found \\[1, 2\\] as a picture, expected a path"),
    (lambda d: d.detect(7), "found 7 as a picture"),
    (lambda d: d.detect(PICTURE.open("rb")), "as a picture, expected a path"),
    (lambda d: yoloface.FaceDetector(7, 8), "found 7 as a path"),
    (lambda d: yoloface.Network().run({1: numpy.zeros((3, 64, 64))}, ["out_8"]), "found 1 as an input's name"),
])
def test_refuses_other_types(detector, call, words):
    with pytest.raises(TypeError, match=words):
        call(detector)


def test_what_is_pickled_is_opened_anew(detector):
    """Another process knows another handle by the same number."""
    faces = detector.detect(PICTURE)
    assert pickle.loads(pickle.dumps(faces)) == copy.deepcopy(faces) == faces
    own = yoloface.FaceDetector(*(os.path.relpath(path) for path in MODEL), threads=2)
    for copied in (pickle.loads(pickle.dumps(own)), copy.copy(own), copy.deepcopy(detector)):
        assert copied._handle not in (own._handle, detector._handle)
        assert copied.detect(PICTURE) == faces
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(own.detect, [PICTURE]) == [faces]
    assert pickle.loads(pickle.dumps(yoloface.Network(*MODEL))).outputs == yoloface.Network().outputs


def test_takes_whatever_is_a_picture(detector):
    faces = detector.detect(PICTURE)
    file = PICTURE.read_bytes()
    pixels = yoloface.read(file)
    assert (pixels == yoloface.read(PICTURE)).all()

    class Exporter:
        def __init__(self, array):
            self.__array_interface__ = array.__array_interface__

    for picture in (file, bytearray(file), str(PICTURE), Exporter(pixels)):
        assert detector.detect(picture) == faces
    swapped = numpy.ascontiguousarray(pixels[:, :, ::-1])
    for picture in (file, str(PICTURE), swapped, Exporter(swapped)):
        assert detector.detect(picture, order="bgr") == faces
    pillow = pytest.importorskip("PIL.Image")
    opened = pillow.open(PICTURE)
    for mode in ("RGB", "RGBA", "CMYK"):
        assert detector.detect(opened.convert(mode), order="bgr") == faces
    for mode in ("F", "I", "I;16"):
        with pytest.raises(yoloface.Error, match=f"mode {mode}, expected 8 bits"):
            detector.detect(opened.convert("L").convert(mode))
    assert len(detector.detect(opened.convert("P"))) == len(detector.detect(opened.convert("L"))) == 1


@pytest.mark.skipif("YOLOFACE_LIBRARY" in os.environ, reason="another library may read PNG alone")
@pytest.mark.parametrize("kind, most", [("JPEG", 2), ("WEBP", 2)])
def test_reads_the_pixels_of_pillow(detector, tmp_path, kind, most):
    """Their decoders may round apart."""
    pillow = pytest.importorskip("PIL.Image")
    path = tmp_path / "picture"
    pillow.open(PICTURE).convert("RGB").save(path, kind, quality=90)
    expected = numpy.asarray(pillow.open(path).convert("RGB"), int)
    assert abs(yoloface.read(path) - expected).max() <= most
    assert len(detector.detect(path)) == 1


@pytest.mark.skipif("YOLOFACE_LIBRARY" in os.environ, reason="the package is not installed")
def test_carries_its_terms():
    found = importlib.metadata.distribution("yoloface")
    assert found.version == yoloface.version
    assert "LicenseRef-YOLOFace-Weights" in found.metadata["License-Expression"]
    names = ("LICENSE", "NOTICE", "Models/README.md")
    carried = {file.read_text() for file in found.files if "licenses" in file.parts}
    assert all((ROOT / name).read_text() in carried for name in names)


def test_names_and_terms():
    assert yoloface.__version__ == yoloface.version
    assert "research" in yoloface.model_terms
    with pytest.raises(OSError, match="missing.png"):
        yoloface.read("missing.png")
    with pytest.raises(yoloface.FileError, match="missing.param"):
        yoloface.FaceDetector("missing.param", MODEL[1])


def test_runs_networks():
    network = yoloface.Network(*MODEL)
    assert network.inputs == ["data"] and network.outputs == ["out_8", "out_16", "out_32"]
    data = numpy.full((3, 64, 96), 0.5)
    first = network.blobs[1]
    blobs = network.run({"data": data}, extract=["out_8", first])
    assert blobs["out_8"].shape == (3, 96, 16) and blobs["out_8"].dtype == numpy.float32
    again = yoloface.Network().run({"data": data}, extract=["out_8", first])
    assert (again["out_8"] == blobs["out_8"]).all()


def test_threads_share_a_detector(detector):
    expected = detector.detect(PICTURE)
    found = []
    threads = [threading.Thread(target=lambda: found.append(detector.detect(PICTURE))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == 4 * [expected]


def test_memory_stays_flat(detector):
    """`TEST_ROUNDS=all` makes the 10,000 calls."""
    small = yoloface.read(PICTURE)[::4, ::4]
    calls = 10_000 if os.environ.get("TEST_ROUNDS") == "all" else 500

    def rise():
        for _ in range(calls // 2):
            detector.detect(small, long_side=64)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    first = rise()
    for _ in range(20):
        yoloface.FaceDetector()
        yoloface.Network()
    assert rise() - first < 20_000
