# SPDX-License-Identifier: Apache-2.0
"""The C library, as C/Sources/Header/include/yoloface.h declares it."""

import ctypes
import os
import pathlib
import sys
from ctypes import POINTER, c_char_p, c_double, c_float, c_int32, c_int64, c_size_t, c_uint64, c_void_p


class Point(ctypes.Structure):
    _fields_ = [("x", c_double), ("y", c_double)]


class Face(ctypes.Structure):
    _fields_ = [
        ("x", c_double), ("y", c_double), ("width", c_double), ("height", c_double), ("score", c_double),
        ("has_landmarks", c_int32), ("is_upside_down", c_int32), ("right_eye", Point), ("left_eye", Point),
        ("nose", Point), ("right_mouth", Point), ("left_mouth", Point),
    ]


class Picture(ctypes.Structure):
    _fields_ = [
        ("bytes", c_void_p), ("size", c_size_t), ("width", c_int64), ("height", c_int64), ("stride", c_int64),
        ("format", c_int32),
    ]


class Options(ctypes.Structure):
    _fields_ = [
        ("size", c_size_t), ("score_threshold", c_double), ("overlap_threshold", c_double), ("long_side", c_int64),
        ("effort", c_char_p),
    ]


class Tensor(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("values", POINTER(c_float)), ("count", c_size_t), ("shape", c_int64 * 4),
        ("axes", c_int32),
    ]


FUNCTIONS = {
    "version": (c_char_p, []),
    "model_terms": (c_char_p, []),
    "last_error": (c_char_p, []),
    "close": (c_int32, [c_uint64]),
    "detector_open": (c_uint64, [c_char_p, c_char_p, c_char_p, c_int32, c_int32]),
    "detect": (c_int64, [c_uint64, POINTER(Picture), POINTER(Options), POINTER(Face), c_size_t, c_int64]),
    "picture_open": (c_uint64, [c_char_p]),
    "picture_decode": (c_uint64, [c_char_p, c_size_t]),
    "picture_pixels": (c_int32, [c_uint64, POINTER(Picture)]),
    "network_open": (c_uint64, [c_char_p, c_char_p, c_int32]),
    "network_blob": (c_char_p, [c_uint64, c_int32, c_int64]),
    "network_run": (c_uint64, [c_uint64, POINTER(Tensor), c_int64, POINTER(c_char_p), c_int64]),
    "run_blob": (c_int32, [c_uint64, c_int64, POINTER(Tensor)]),
}


def load() -> ctypes.CDLL:
    """The library beside this file, or the one that YOLOFACE_LIBRARY names."""
    name = "libyoloface.dylib" if sys.platform == "darwin" else "libyoloface.so"
    beside = pathlib.Path(__file__).resolve().parent / name
    library = ctypes.CDLL(os.environ.get("YOLOFACE_LIBRARY") or str(beside))
    for function, (result, parameters) in FUNCTIONS.items():
        symbol = getattr(library, f"yoloface_{function}")
        symbol.restype, symbol.argtypes = result, parameters
    return library
