# SPDX-License-Identifier: Apache-2.0
"""Finds faces in pictures, and runs networks in ncnn's format, on the processor.

    import yoloface

    detector = yoloface.FaceDetector()
    for face in detector.detect("photo.png"):
        print(face.score, face.box, face.landmarks.nose)

The embedded weights have terms of their own, ``yoloface.model_terms``: they are for research and tests.

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
from typing import Any, NamedTuple, NoReturn, Optional, Protocol, Union

import numpy
import numpy.typing

from . import _library

__all__ = [
    "Box", "Error", "Face", "FaceDetector", "FileError", "Landmarks", "Network", "Point", "model_terms", "read", "version",
]

Path = Union[str, "os.PathLike[str]"]
Pixels = numpy.typing.NDArray[numpy.uint8]
Numbers = numpy.typing.NDArray[numpy.float32]

_c = _library.load()

version: str = _c.yoloface_version().decode()
__version__ = version

model_terms: str = _c.yoloface_model_terms().decode()
"""The terms of the embedded weights."""


class ArrayLike(Protocol):
    """What NumPy takes for an array, as a picture of Pillow's is."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


class Error(ValueError):
    """What the library found and expected."""


class FileError(Error, OSError):
    """The same of a file that cannot be read."""


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
    _paths: tuple[Optional[str], ...]
    """Absolute, since another process may have another directory."""
    _settings: dict[str, Any]

    def _own(self, handle: int, paths: Iterable[Optional[Path]], **settings: Any) -> None:
        """Keeps a handle, which is closed when its owner goes, and what it was opened with."""
        known = tuple(path if path is None else os.path.abspath(os.fsdecode(path)) for path in paths)
        if handle == 0:
            _fail(*known)
        self._paths, self._settings = known, settings
        weakref.finalize(self, _c.yoloface_close, handle)
        self._handle = handle

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled, copied and in other processes, it is opened anew, from the same files."""
        return _reopened, (type(self), self._paths, self._settings)


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
            _c.yoloface_detector_open(_path(param), _path(bin), _path(recipe), chosen, _threads(threads)),
            (param, bin, recipe), precision=precision, threads=threads)

    def detect(
        self, picture: Union[Path, bytes, bytearray, Pixels, ArrayLike], *, order: str = "rgb",
        score_threshold: Optional[float] = None, overlap_threshold: Optional[float] = None,
        long_side: Optional[int] = None, effort: Optional[str] = None,
    ) -> list[Face]:
        """The faces in a picture, best score first.

        The picture is a path; the bytes of a file; a picture of Pillow's with 8 bits; or an array of bytes, or an object
        with ``__array_interface__``: height × width for grey, or height × width × 3 or 4, whose colours are in the
        ``order`` ``"rgb"`` or ``"bgr"``. What is None is as usual: a score of at least 0.5, an overlap of at most 0.45, a
        long side of the network's input of 640 or the only one that it takes. ``effort`` is ``"once"``, ``"checked"``,
        ``"refined"`` or ``"thorough"``.
        """
        array, passed = _picture(*_pixels(picture, _choice(order, "order", ["rgb", "bgr"])))
        options = _library.Options(
            ctypes.sizeof(_library.Options),
            -1 if score_threshold is None else _number(score_threshold, "score_threshold", float, 0, 1),
            -1 if overlap_threshold is None else _number(overlap_threshold, "overlap_threshold", float, 0, 1),
            0 if long_side is None else _number(long_side, "long_side", int, 1, 2**31 - 1),
            None if effort is None else _text(effort, "effort"))
        room = 256
        while True:
            faces = (_library.Face * room)()
            found = _c.yoloface_detect(
                self._handle, passed, options, faces, ctypes.sizeof(_library.Face), room)
            if found < 0:
                _fail()
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
        self._own(
            _c.yoloface_network_open(_path(param), _path(bin), _threads(threads)), (param, bin), threads=threads)
        self.inputs, self.outputs, self.blobs = (list(self._names(which)) for which in range(3))

    def _names(self, which: int) -> Iterable[str]:
        number = 0
        while (name := _c.yoloface_network_blob(self._handle, which, number)) is not None:
            yield name.decode()
            number += 1

    def run(
        self, inputs: Mapping[str, numpy.typing.ArrayLike], extract: Iterable[str]
    ) -> dict[str, Numbers]:
        """The blobs of these names, as arrays of 32-bit floats with one to four axes."""
        extract = list(extract)
        arrays = {name: numpy.ascontiguousarray(array, numpy.float32) for name, array in inputs.items()}
        tensors = (_library.Tensor * len(arrays))(*(_tensor(*item) for item in arrays.items()))
        names = (ctypes.c_char_p * len(extract))(*(_text(name, "a wanted name") for name in extract))
        run = _c.yoloface_network_run(self._handle, tensors, len(tensors), names, len(names))
        if run == 0:
            _fail()
        try:
            return {name: _array(run, place) for place, name in enumerate(extract)}
        finally:
            _c.yoloface_close(run)


def read(picture: Union[Path, bytes, bytearray]) -> Pixels:
    """A picture's file, or its bytes, as height × width × 3 bytes, red, green and blue, turned upright by its Exif data.

    PNG, JPEG and WebP are read.
    """
    path: Optional[str] = None
    if isinstance(picture, (bytes, bytearray)):
        handle = _c.yoloface_picture_decode(bytes(picture), len(picture))
    else:
        handle = _c.yoloface_picture_open(_path(picture))
        path = os.fsdecode(picture)
    if handle == 0:
        _fail(path)
    try:
        loaded = _library.Picture()
        if _c.yoloface_picture_pixels(handle, loaded) != 0:
            _fail()
        pixels = ctypes.string_at(loaded.bytes, loaded.size)
        return numpy.frombuffer(bytearray(pixels), numpy.uint8).reshape(loaded.height, loaded.width, 3)
    finally:
        _c.yoloface_close(handle)


def _reopened(kind: type, paths: tuple[Optional[str], ...], settings: dict[str, Any]) -> Any:
    return kind(*paths, **settings)


def _fail(*paths: Optional[str]) -> NoReturn:
    """Raises the last error: a ``FileError`` where one of these files cannot be read."""
    message = _c.yoloface_last_error().decode()
    is_readable = all(path is None or os.path.isfile(path) and os.access(path, os.R_OK) for path in paths)
    raise Error(message) if is_readable else FileError(message)


def _path(path: Optional[Path]) -> Optional[bytes]:
    if path is None:
        return None
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"found {reprlib.repr(path)} as a path, expected text")
    return _whole(os.fsencode(path), "a path")


def _text(text: str, what: str) -> bytes:
    """Text as C takes it; the library refuses what cannot be UTF-8."""
    if not isinstance(text, str):
        raise TypeError(f"found {reprlib.repr(text)} as {what}, expected text")
    return _whole(text.encode(errors="surrogatepass"), what)


def _whole(text: bytes, what: str) -> bytes:
    if b"\0" in text:
        raise Error(f"found {reprlib.repr(text)} as {what}, expected no zero byte, where C would end it")
    return text


def _number(value: float, what: str, kind: type, least: int, most: int) -> Any:
    """An ``int`` or ``float`` within bounds; ``ctypes`` keeps of a larger integer what fits."""
    abstract, noun = (numbers.Integral, "an integer") if kind is int else (numbers.Real, "a number")
    if isinstance(value, bool) or not isinstance(value, abstract):
        raise TypeError(f"found {reprlib.repr(value)} as {what}, expected {noun} from {least} to {most}")
    if not least <= value <= most:
        raise Error(f"found {value} as {what}, expected {noun} from {least} to {most}")
    return kind(value)


def _threads(number: int) -> int:
    return int(_number(number, "threads", int, 1, 256))


def _choice(name: str, what: str, names: list[str]) -> int:
    if name not in names:
        raise Error(f"found {reprlib.repr(name)} as {what}, expected one of {', '.join(names)}")
    return names.index(name)


def _pixels(picture: Union[Path, bytes, bytearray, Pixels, ArrayLike], order: int) -> tuple[Pixels, int]:
    """The pixels of whatever a picture may be, and their order: files and Pillow say themselves what is red."""
    if isinstance(picture, numpy.ndarray):
        return picture, order
    if isinstance(picture, (str, os.PathLike, bytes, bytearray)):
        return read(picture), 0
    # Asked for first, since Pillow copies all pixels where a picture is asked for the interface.
    mode = getattr(picture, "mode", None) if hasattr(picture, "convert") else None
    if mode is None:
        if not hasattr(picture, "__array_interface__"):
            raise TypeError(
                f"found {reprlib.repr(picture)} as a picture, expected a path, the bytes of a file, an array, a picture of "
                "Pillow's, or an object with __array_interface__")
        return numpy.asarray(picture), order
    if mode[:1] in ("I", "F"):
        raise Error(f"found a picture of Pillow's in mode {mode}, expected 8 bits; give its path or the bytes of its file")
    if mode not in ("L", "RGB", "RGBA"):
        # Pillow's other modes, such as palettes, are not colours.
        picture = picture.convert("RGB")  # type: ignore[attr-defined]
    return numpy.asarray(picture), 0


def _picture(array: Pixels, order: int) -> tuple[Pixels, _library.Picture]:
    """The array, or a copy whose pixels lie side by side, to be kept as long as the picture that leads to it."""
    channels = array.shape[2] if array.ndim == 3 else 1
    if array.dtype != numpy.uint8 or array.ndim not in (2, 3) or channels not in (1, 3, 4) or array.size == 0:
        raise Error(
            f"found an array of {array.dtype} and shape {array.shape}, expected uint8 and height × width, or "
            "height × width × 3 or 4")
    picture_format = {1: 4, 3: order, 4: 2 + order}[channels]
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


def _tensor(name: str, array: Numbers) -> _library.Tensor:
    if not 1 <= array.ndim <= 4:
        raise Error(f"found {array.ndim} axes of {reprlib.repr(name)}, expected from 1 to 4")
    values = array.ctypes.data_as(ctypes.POINTER(ctypes.c_float))
    shape = (ctypes.c_int64 * 4)(*array.shape)
    return _library.Tensor(_text(name, "an input's name"), values, array.size, shape, array.ndim)


def _array(run: int, place: int) -> Numbers:
    blob = _library.Tensor()
    if _c.yoloface_run_blob(run, place, blob) != 0:
        _fail()
    shape = tuple(blob.shape[:blob.axes])
    return numpy.ctypeslib.as_array(blob.values, shape).copy()
