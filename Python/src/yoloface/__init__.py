# SPDX-License-Identifier: Apache-2.0
"""Finds faces in pictures, and runs networks in ncnn's format, on the processor.

    import yoloface

    detector = yoloface.FaceDetector()
    for face in detector.detect("photo.png"):
        print(face.score, face.box, face.landmarks.nose)

Positions are pixels of the picture, from its top left corner; right and left are the person's own sides. Other
threads of Python run while a picture is searched. Several may use a detector or a network; its runs take turns.
"""

import ctypes
import dataclasses
import numbers
import os
import reprlib
import weakref
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Optional, Union

import numpy

from . import _library

__all__ = ["Box", "Error", "Face", "FaceDetector", "Landmarks", "Network", "Point", "read", "version"]

Path = Union[str, "os.PathLike[str]"]

_c = _library.load()

version: str = _c.yoloface_version().decode()


class Error(ValueError):
    """What the library found and expected."""


class Point(NamedTuple):
    """A position in a picture."""

    x: float
    y: float


class Box(NamedTuple):
    """A rectangle: its left and top edge, and its sides."""

    x: float
    y: float
    width: float
    height: float


class Landmarks(NamedTuple):
    """Five points of a face; right and left are the person's own sides."""

    right_eye: Point
    left_eye: Point
    nose: Point
    right_mouth: Point
    left_mouth: Point


@dataclasses.dataclass(frozen=True)
class Face:
    """A face: its score from 0 to 1, its box, and its landmarks if the model finds any."""

    score: float
    box: Box
    landmarks: Optional[Landmarks]
    is_upside_down: bool = False
    """Whether a second look found it upside down, so that its landmarks are wrong."""


class _Owner:
    """What owns a handle, a number that the library knows in this process alone."""

    _handle: int

    def _own(self, handle: int) -> None:
        """Keeps a handle, which is closed when its owner goes."""
        if handle == 0:
            raise _error()
        weakref.finalize(self, _c.yoloface_close, handle)
        self._handle = handle

    def __reduce__(self):
        """Refuses pickling and copying: a copy's handle would be another one's, or closed with the original."""
        name = type(self).__name__
        raise TypeError(f"found a {name} to pickle or copy, expected one made in each process")


class FaceDetector(_Owner):
    """A detector with the embedded model in a precision, ``"fp32"`` or ``"int8"``, or with another network.

    ``param`` and ``bin`` are the paths of a network in ncnn's format, ``recipe`` that of a recipe in JSON; without
    one, the network's family is recognised. One detection uses ``threads`` threads.
    """

    def __init__(
        self, param: Optional[Path] = None, bin: Optional[Path] = None, recipe: Optional[Path] = None, *,
        precision: str = "fp32", threads: int = 1,
    ) -> None:
        chosen = _choice(precision, "precision", ["fp32", "int8"])
        self._own(
            _c.yoloface_detector_open(_path(param), _path(bin), _path(recipe), chosen, _threads(threads)))

    def detect(
        self, picture: Union[numpy.ndarray, Path], *, order: str = "rgb", score_threshold: float = 0,
        overlap_threshold: float = 0, long_side: int = 0, effort: Optional[str] = None,
    ) -> list[Face]:
        """The faces in a picture, best score first.

        The picture is a path, or an array of bytes: height × width for grey, or height × width × 3 or 4, whose
        colours are in the ``order`` ``"rgb"`` or ``"bgr"``. Thresholds and the long side of the network's input are
        as usual where they are 0; ``effort`` is ``"once"``, ``"checked"``, ``"refined"`` or ``"thorough"``.
        """
        if not isinstance(picture, numpy.ndarray):
            picture = read(picture)
        array, passed = _picture(picture, order)
        options = _library.Options(
            _number(score_threshold, "score_threshold", float, 0, 1),
            _number(overlap_threshold, "overlap_threshold", float, 0, 1),
            _number(long_side, "long_side", int, 0, 2**31 - 1),
            None if effort is None else _text(effort, "effort"))
        room = 256
        while True:
            faces = (_library.Face * room)()
            found = _c.yoloface_detect(self._handle, passed, options, faces, room)
            if found < 0:
                raise _error()
            if found <= room:
                return [_face(face) for face in faces[:found]]
            room = found


class Network(_Owner):
    """A network in ncnn's format, or without paths the embedded detector's; for any numbers, of faces or not."""

    inputs: list[str]
    """The names of its inputs."""
    outputs: list[str]
    """The names of the blobs that no layer reads."""
    blobs: list[str]
    """The names of all its blobs."""

    def __init__(self, param: Optional[Path] = None, bin: Optional[Path] = None, *, threads: int = 1) -> None:
        self._own(_c.yoloface_network_open(_path(param), _path(bin), _threads(threads)))
        self.inputs, self.outputs, self.blobs = (list(self._names(which)) for which in range(3))

    def _names(self, which: int) -> Iterable[str]:
        number = 0
        while (name := _c.yoloface_network_blob(self._handle, which, number)) is not None:
            yield name.decode()
            number += 1

    def run(self, inputs: Mapping[str, numpy.ndarray], extract: Iterable[str]) -> dict[str, numpy.ndarray]:
        """The blobs of these names, as arrays of 32-bit floats with one to four axes."""
        extract = list(extract)
        arrays = {name: numpy.ascontiguousarray(array, numpy.float32) for name, array in inputs.items()}
        tensors = (_library.Tensor * len(arrays))(*(_tensor(*item) for item in arrays.items()))
        names = (ctypes.c_char_p * len(extract))(*(_text(name, "a wanted name") for name in extract))
        run = _c.yoloface_network_run(self._handle, tensors, len(tensors), names, len(names))
        if run == 0:
            raise _error()
        try:
            return {name: _array(run, place) for place, name in enumerate(extract)}
        finally:
            _c.yoloface_close(run)


def read(path: Path) -> numpy.ndarray:
    """A picture's file as height × width × 3 bytes, red, green and blue, turned upright by its Exif data.

    PNG is read, and JPEG and WebP if the library was built with these traits.
    """
    handle = _c.yoloface_picture_open(_path(path))
    if handle == 0:
        raise _error()
    try:
        picture = _library.Picture()
        if _c.yoloface_picture_pixels(handle, picture) != 0:
            raise _error()
        pixels = ctypes.string_at(picture.bytes, picture.size)
        return numpy.frombuffer(bytearray(pixels), numpy.uint8).reshape(picture.height, picture.width, 3)
    finally:
        _c.yoloface_close(handle)


def _error() -> Error:
    return Error(_c.yoloface_last_error().decode())


def _path(path: Optional[Path]) -> Optional[bytes]:
    return None if path is None else _whole(os.fsencode(path), "a path")


def _text(text: str, what: str) -> bytes:
    """Text as C takes it; the library refuses what cannot be UTF-8."""
    if not isinstance(text, str):
        raise TypeError(f"found {reprlib.repr(text)} as {what}, expected text")
    return _whole(text.encode(errors="surrogatepass"), what)


def _whole(text: bytes, what: str) -> bytes:
    if b"\0" in text:
        raise Error(f"found {reprlib.repr(text)} as {what}, expected no zero byte, where C would end it")
    return text


def _number(value: float, what: str, kind: type, least: int, most: int) -> float:
    """An ``int`` or ``float`` within bounds; ``ctypes`` keeps of a larger integer what fits."""
    abstract, noun = {int: (numbers.Integral, "an integer"), float: (numbers.Real, "a number")}[kind]
    if isinstance(value, bool) or not isinstance(value, abstract):
        raise TypeError(f"found {reprlib.repr(value)} as {what}, expected {noun} from {least} to {most}")
    if not least <= value <= most:
        raise Error(f"found {value} as {what}, expected {noun} from {least} to {most}")
    return kind(value)


def _threads(number: int) -> int:
    return _number(number, "threads", int, 1, 256)


def _choice(name: str, what: str, names: list[str]) -> int:
    if name not in names:
        raise Error(f"found {reprlib.repr(name)} as {what}, expected one of {', '.join(names)}")
    return names.index(name)


def _picture(array: numpy.ndarray, order: str) -> tuple[numpy.ndarray, _library.Picture]:
    """The array, or a copy whose pixels lie side by side, to be kept as long as the picture that leads to it."""
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.dtype != numpy.uint8 or array.ndim not in (2, 3) or channels not in (1, 3, 4) or array.size == 0:
        raise Error(
            f"found an array of {array.dtype} and shape {array.shape}, expected uint8 and height × width, or "
            "height × width × 3 or 4")
    first = _choice(order, "order", ["rgb", "bgr"])
    picture_format = {1: 4, 3: first, 4: 2 + first}[channels]
    height, width = array.shape[:2]
    row, stride = width * channels, array.strides[0]
    if stride < row or not array[0].flags.c_contiguous:
        # A contiguous array may have any stride along an axis of length 1.
        array, stride = numpy.ascontiguousarray(array), row
    size = (height - 1) * stride + row
    return array, _library.Picture(array.ctypes.data, size, width, height, stride, picture_format)


def _face(face: _library.Face) -> Face:
    def point(name: str) -> Point:
        found = getattr(face, name)
        return Point(found.x, found.y)

    landmarks = Landmarks(*map(point, Landmarks._fields)) if face.has_landmarks else None
    return Face(
        face.score, Box(face.x, face.y, face.width, face.height), landmarks, bool(face.is_upside_down))


def _tensor(name: str, array: numpy.ndarray) -> _library.Tensor:
    if not 1 <= array.ndim <= 4:
        raise Error(f"found {array.ndim} axes of {reprlib.repr(name)}, expected from 1 to 4")
    values = array.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    shape = (ctypes.c_int64 * 4)(*array.shape)
    return _library.Tensor(_text(name, "an input's name"), values, array.size, shape, array.ndim)


def _array(run: int, place: int) -> numpy.ndarray:
    blob = _library.Tensor()
    if _c.yoloface_run_blob(run, place, blob) != 0:
        raise _error()
    shape = tuple(blob.shape[:blob.axes])
    return numpy.ctypeslib.as_array(blob.values, shape).copy()
