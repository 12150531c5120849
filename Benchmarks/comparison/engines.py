# SPDX-License-Identifier: Apache-2.0
"""The engines that Benchmarks/compare measures, each behind the same interface: the times of a turn of
inferences, and the outputs.

The engines of the Python packages run in this process; ours, a process for each turn, is in our_tool.py.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ncnn
import numpy as np
import onnxruntime
import openvino

# What an engine computes in: float32 by explicit setting, what it chooses, or int8 in the layers that
# were quantised.
FLOAT32, OWN_CHOICE, INT8 = "fp32", "own choice", "int8"
OURS = "yoloface"


class EngineError(Exception):
    """An engine refused the network, failed, or printed what was not expected."""


@dataclass(frozen=True)
class Model:
    """A network and what it is timed on: `picture` is float32, C × H × W; `onnx` is the same network
    for its size."""

    param: Path
    bin: Path
    onnx: bytes
    input_name: str
    output_names: list
    picture: np.ndarray

    @property
    def size(self):
        """Width × height, as the tool takes it."""
        return f"{self.picture.shape[2]}x{self.picture.shape[1]}"


@dataclass(frozen=True)
class Quantised:
    """What each peer loads for its int8 row, or None where it has none."""

    for_ncnn: Model | None = None
    for_onnxruntime: bytes | None = None
    for_openvino: openvino.Model | None = None


@dataclass(frozen=True)
class Engine:
    """One row of the table.

    `turn(count)` runs that many inferences and returns the milliseconds of each; `outputs(picture)`
    returns arrays by blob name, without a batch dimension. `precision` is one of the three above,
    `setting` is what the row says of it; the instruction set is known of some engines.
    """

    family: str
    setting: str
    precision: str
    threads: int
    turn: Callable
    outputs: Callable
    instruction_set: str | None = None

    @property
    def name(self):
        instructions = f" ({self.instruction_set})" if self.instruction_set else ""
        return f"{self.family}{instructions}, {self.setting}"

    @property
    def is_ours(self):
        return self.family == OURS


def timed(infer):
    """A turn of `infer`, each call timed by itself."""

    def turn(count):
        milliseconds = []
        for _ in range(count):
            start = time.perf_counter_ns()
            infer()
            milliseconds.append((time.perf_counter_ns() - start) / 1e6)
        return milliseconds

    return turn


def peers(model, quantised, threads):
    """The engines to compare with, in the table's order; the first is the reference for outputs."""
    engines = [
        ncnn_engine(model, threads, FLOAT32),
        ncnn_engine(model, threads, OWN_CHOICE),
        onnxruntime_engine(model, model.onnx, threads, FLOAT32),
        openvino_engine(model, model.onnx, threads, FLOAT32),
        openvino_engine(model, model.onnx, threads, OWN_CHOICE),
    ]
    if quantised.for_ncnn:
        engines.append(ncnn_engine(quantised.for_ncnn, threads, INT8))
    if quantised.for_onnxruntime:
        engines.append(onnxruntime_engine(model, quantised.for_onnxruntime, threads, INT8))
    if quantised.for_openvino:
        engines.append(openvino_engine(model, quantised.for_openvino, threads, INT8))
    return engines


def ncnn_engine(model, threads, precision):
    net = ncnn.Net()
    net.opt.num_threads = threads
    net.opt.use_vulkan_compute = False
    if precision == FLOAT32:
        for option in dir(net.opt):
            if option.startswith(("use_fp16", "use_bf16")):
                setattr(net.opt, option, False)
    if net.load_param(str(model.param)) != 0 or net.load_model(str(model.bin)) != 0:
        raise EngineError(f"ncnn refused {model.param} or {model.bin}")
    timed_on = ncnn.Mat(model.picture).clone()

    def infer(picture=timed_on):
        extractor = net.create_extractor()
        extractor.input(model.input_name, picture)
        return [extractor.extract(name) for name in model.output_names]

    def outputs(picture):
        results = infer(ncnn.Mat(picture).clone())
        if any(status != 0 for status, _ in results):
            raise EngineError("ncnn could not compute the outputs")
        return {name: np.array(blob) for name, (_, blob) in zip(model.output_names, results)}

    setting = "default options" if precision == OWN_CHOICE else precision
    return Engine("ncnn", setting, precision, threads, timed(infer), outputs)


def onnxruntime_engine(model, network, threads, precision):
    """`network` is a serialised ONNX model."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
    # Bound values spare ONNX Runtime the copies into and out of NumPy arrays.
    binding = session.io_binding()
    picture = onnxruntime.OrtValue.ortvalue_from_numpy(model.picture[np.newaxis])
    binding.bind_ortvalue_input(model.input_name, picture)
    for name in model.output_names:
        binding.bind_output(name)

    def infer():
        session.run_with_iobinding(binding)

    def outputs(picture):
        arrays = session.run(model.output_names, {model.input_name: picture[np.newaxis]})
        return {name: array[0] for name, array in zip(model.output_names, arrays)}

    return Engine("ONNX Runtime", precision, precision, threads, timed(infer), outputs)


def openvino_engine(model, network, threads, precision):
    """`network` is a serialised ONNX model, or OpenVINO's own."""
    core = openvino.Core()
    settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads}
    if precision == FLOAT32:
        settings["INFERENCE_PRECISION_HINT"] = "f32"
    if isinstance(network, bytes):
        network = core.read_model(model=network)
    compiled = core.compile_model(network, "CPU", settings)
    request = compiled.create_infer_request()
    # Kept for as long as the request, which does not copy it.
    timed_on = openvino.Tensor(np.ascontiguousarray(model.picture[np.newaxis]))
    request.set_tensor(model.input_name, timed_on)

    def infer():
        request.infer(share_outputs=True)

    def outputs(picture):
        results = compiled({model.input_name: np.ascontiguousarray(picture[np.newaxis])})
        return {name: results[name][0].copy() for name in model.output_names}

    chosen = compiled.get_property("INFERENCE_PRECISION_HINT").to_string()
    setting = f"default precision ({chosen})" if precision == OWN_CHOICE else precision
    return Engine("OpenVINO", setting, precision, threads, timed(infer), outputs,
                  openvino_instruction_set(compiled))


def openvino_instruction_set(compiled):
    """As the plan of the compiled network names it, in its first convolution that does."""
    for node in compiled.get_runtime_model().get_ordered_ops():
        facts = node.get_rt_info()
        if facts["layerType"].astype(str) == "Convolution":
            found = re.search(r"avx[^_]*|sse[^_]*|neon|sve", facts["primitiveType"].astype(str))
            if found:
                return found[0]
    return None


def versions():
    """Names and versions of the peers."""
    return {"ncnn": ncnn.__version__, "ONNX Runtime": onnxruntime.__version__,
            "OpenVINO": openvino.__version__, "NumPy": np.__version__}
