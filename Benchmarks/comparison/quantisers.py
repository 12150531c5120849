# SPDX-License-Identifier: Apache-2.0
"""The network in int8: by the peers' own tools, from photos, and as a pair of ncnn's files."""

import contextlib
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

# With this set, NNCF sends nothing to its makers.
os.environ["NNCF_CI"] = "1"

import cv2  # noqa: E402 (after the environment is set)
import nncf  # noqa: E402
import numpy as np  # noqa: E402
import openvino  # noqa: E402
from onnxruntime.quantization import (  # noqa: E402
    CalibrationDataReader, QuantFormat, QuantType, quantize_static)
from onnxruntime.quantization.shape_inference import quant_pre_process  # noqa: E402

from comparison import machine  # noqa: E402
from comparison.engines import EngineError, Quantised  # noqa: E402
from comparison.python_detector import FILL  # noqa: E402

# Processors with one of these multiply 8-bit numbers without 16-bit sums, which saturate.
EXACT_PRODUCTS = {"avx_vnni", "avx512_vnni"}


def quantise(model, pair, photos):
    """`model` by the tools of ONNX Runtime and OpenVINO from all `photos`; `pair` is a `Model` that is
    int8 already, or None."""
    inputs = inputs_for(model, photos)
    # Both tools draw progress on standard output.
    with contextlib.redirect_stdout(sys.stderr):
        return Quantised(pair, quantise_onnx(model, inputs), quantise_openvino(model, inputs))


def inputs_for(model, photos):
    rows, columns = model.picture.shape[1:]
    return Inputs(photos, columns, rows)


@dataclass(frozen=True)
class Inputs:
    """Photos as the network's inputs of one size, read anew in each pass: together they may not fit
    into memory."""

    photos: list
    width: int
    height: int

    def __len__(self):
        return len(self.photos)

    def __iter__(self):
        return (letterbox(photo, self.width, self.height) for photo in self.photos)


def letterbox(path, width, height):
    """The photo, scaled to fit and centred on grey, as float32 from 0 to 1, C × H × W, RGB."""
    photo = cv2.imread(str(path))
    if photo is None:
        raise EngineError(f"{path} is not a picture")
    rows, columns = photo.shape[:2]
    scale = min(width / columns, height / rows)
    content = max(1, int(columns * scale)), max(1, int(rows * scale))
    left, top = (width - content[0]) // 2, (height - content[1]) // 2
    canvas = cv2.copyMakeBorder(
        cv2.resize(photo, content), top, height - content[1] - top, left, width - content[0] - left,
        cv2.BORDER_CONSTANT, value=FILL)
    return np.ascontiguousarray(canvas[:, :, ::-1].transpose(2, 0, 1), np.float32) / 255


class OnnxInputs(CalibrationDataReader):
    """`Inputs` as ONNX Runtime asks for them: one a call, then None."""

    def __init__(self, name, inputs):
        self.name = name
        self.rest = iter(inputs)

    def get_next(self):
        picture = next(self.rest, None)
        return None if picture is None else {self.name: picture[np.newaxis]}


def quantise_onnx(model, inputs):
    """By `quantize_static`, with what its documentation advises for the processor.

    https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html: QDQ, and the weights
    in 7 bits where products of 8 would saturate. Of its formats, the one that its x86 kernels compute
    in, which is the fastest there: U8S8; elsewhere its default, S8S8.
    """
    on_x86 = machine.is_x86()
    with tempfile.TemporaryDirectory() as directory:
        original, prepared, result = (
            str(Path(directory, name)) for name in ("original.onnx", "prepared.onnx", "int8.onnx"))
        Path(original).write_bytes(model.onnx)
        # All shapes are known, so there is nothing to infer symbolically.
        quant_pre_process(original, prepared, skip_symbolic_shape=True)
        quantize_static(
            prepared, result, OnnxInputs(model.input_name, inputs), quant_format=QuantFormat.QDQ,
            per_channel=True, weight_type=QuantType.QInt8,
            activation_type=QuantType.QUInt8 if on_x86 else QuantType.QInt8,
            reduce_range=on_x86 and not EXACT_PRODUCTS & machine.features())
        return Path(result).read_bytes()


def quantise_openvino(model, inputs):
    """By NNCF. The preset is the one that its documentation advises for activations that, like Swish,
    are not symmetric."""
    network = openvino.Core().read_model(model=model.onnx)
    dataset = nncf.Dataset(inputs, lambda picture: picture[np.newaxis])
    return nncf.quantize(network, dataset, preset=nncf.QuantizationPreset.MIXED,
                         subset_size=len(inputs))


def versions():
    return {"NNCF": nncf.__version__}
