"""The engines that Benchmarks/compare measures, each behind the same interface: the times of a turn of
inferences, and the outputs.

The engines of the Python packages run in this process, ours as a process for each turn.
"""

import json
import re
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import ncnn
import numpy as np
import onnxruntime
import openvino

from comparison.ncnn_to_onnx import ncnn_to_onnx

REQUIRED_BENCH_KEYS = {"machine", "instructionSet", "threads", "iterations", "milliseconds", "samples"}


class EngineError(Exception):
    """An engine refused the network, failed, or printed what was not expected."""


@dataclass(frozen=True)
class Model:
    """A network and what it is run on: `picture` is float32, C × H × W."""

    param: Path
    bin: Path
    input_name: str
    output_names: list
    picture: np.ndarray

    @property
    def size(self):
        """Width × height, as the tool takes it."""
        return f"{self.picture.shape[2]}x{self.picture.shape[1]}"


@dataclass(frozen=True)
class Engine:
    """One row of the table.

    `turn(count)` runs that many inferences and returns the milliseconds of each; `outputs()` returns
    arrays by blob name, without a batch dimension. `is_float32` means that the engine was set to
    compute in float32, so its outputs must agree.
    """

    name: str
    is_float32: bool
    turn: Callable
    outputs: Callable
    is_ours: bool = False


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


def peers(model, threads):
    """The engines to compare with, in the table's order; the first is the reference for outputs."""
    onnx = ncnn_to_onnx(model.param, model.bin, model.picture.shape)
    return [
        ncnn_engine(model, threads, is_float32=True),
        ncnn_engine(model, threads, is_float32=False),
        onnxruntime_engine(model, threads, onnx),
        openvino_engine(model, threads, onnx, is_float32=True),
        openvino_engine(model, threads, onnx, is_float32=False),
    ]


def ncnn_engine(model, threads, is_float32):
    net = ncnn.Net()
    net.opt.num_threads = threads
    net.opt.use_vulkan_compute = False
    if is_float32:
        for option in dir(net.opt):
            if option.startswith(("use_fp16", "use_bf16")):
                setattr(net.opt, option, False)
    if net.load_param(str(model.param)) != 0 or net.load_model(str(model.bin)) != 0:
        raise EngineError(f"ncnn refused {model.param} or {model.bin}")
    picture = ncnn.Mat(model.picture).clone()

    def infer():
        extractor = net.create_extractor()
        extractor.input(model.input_name, picture)
        return [extractor.extract(name) for name in model.output_names]

    def outputs():
        results = infer()
        if any(status != 0 for status, _ in results):
            raise EngineError("ncnn could not compute the outputs")
        return {name: np.array(blob) for name, (_, blob) in zip(model.output_names, results)}

    name = "ncnn, fp32" if is_float32 else "ncnn, default options"
    return Engine(name, is_float32, timed(infer), outputs)


def onnxruntime_engine(model, threads, onnx):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    session = onnxruntime.InferenceSession(onnx, options, providers=["CPUExecutionProvider"])
    # Bound values spare ONNX Runtime the copies into and out of NumPy arrays.
    binding = session.io_binding()
    picture = onnxruntime.OrtValue.ortvalue_from_numpy(model.picture[np.newaxis])
    binding.bind_ortvalue_input(model.input_name, picture)
    for name in model.output_names:
        binding.bind_output(name)

    def infer():
        session.run_with_iobinding(binding)

    def outputs():
        infer()
        arrays = (value.numpy()[0] for value in binding.get_outputs())
        return dict(zip(model.output_names, arrays))

    return Engine("ONNX Runtime, fp32", True, timed(infer), outputs)


def openvino_engine(model, threads, onnx, is_float32):
    core = openvino.Core()
    settings = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_NUM_THREADS": threads}
    if is_float32:
        settings["INFERENCE_PRECISION_HINT"] = "f32"
    compiled = core.compile_model(core.read_model(model=onnx), "CPU", settings)
    request = compiled.create_infer_request()
    picture = openvino.Tensor(np.ascontiguousarray(model.picture[np.newaxis]))
    request.set_tensor(model.input_name, picture)

    def infer():
        request.infer(share_outputs=True)

    def outputs():
        infer()
        return {name: request.get_tensor(name).data[0].copy() for name in model.output_names}

    precision = compiled.get_property("INFERENCE_PRECISION_HINT").to_string()
    name = "OpenVINO, fp32" if is_float32 else f"OpenVINO, default precision ({precision})"
    return Engine(name, is_float32, timed(infer), outputs)


def run_tool(arguments):
    """The tool's output; raises with its error message where it fails."""
    result = subprocess.run([str(word) for word in arguments], capture_output=True, text=True)
    if result.returncode != 0:
        command = " ".join(str(word) for word in arguments)
        raise EngineError(f"{command}: exit {result.returncode}: {result.stderr.strip()}")
    return result.stdout


def why_tool_is_missing(tool):
    """A sentence that says why `tool` cannot be measured, or None where it can."""
    if not tool.is_file():
        return f"there is no {tool}; build it or give --tool"
    if not re.search(r"^\s+bench\b", run_tool([tool, "--help"]), re.MULTILINE):
        return f"{tool} has no subcommand bench"
    return None


def our_engine(model, threads, tool, directory):
    """Ours, through the tool; arrays are handed over in `directory`."""

    def bench(count):
        output = run_tool([tool, "bench", "--param", model.param, "--bin", model.bin,
                           "--size", model.size, "--threads", threads, "--iterations", count,
                           "--json"])
        return read_bench(output, threads, count)

    name = f"yoloface ({bench(1)['instructionSet']}), fp32"
    return Engine(name, True, lambda count: bench(count)["samples"],
                  lambda: our_outputs(model, tool, directory), is_ours=True)


def read_bench(output, threads, count):
    """The object that `yoloface bench --json` printed, checked against what was asked for."""
    try:
        report = json.loads(output)
        missing = REQUIRED_BENCH_KEYS - report.keys()
        samples = report.get("samples", [])
    except (ValueError, AttributeError) as error:
        raise EngineError(f"yoloface bench --json: not a JSON object: {error}") from error
    if missing:
        raise EngineError(f"yoloface bench --json: without {', '.join(sorted(missing))}")
    if report["threads"] != threads or len(samples) != count:
        raise EngineError(f"yoloface bench: {report['threads']} threads and {len(samples)} samples; "
                          f"{threads} and {count} were asked for")
    return report


def our_outputs(model, tool, directory):
    """Ours, through `yoloface run`."""
    source = Path(directory) / "input.npy"
    np.save(source, model.picture)
    run_tool([tool, "run", model.param, model.bin, "--input", f"{model.input_name}={source}",
              "--extract", ",".join(model.output_names), "--output-directory", directory])
    return {name: np.load(Path(directory) / f"{name.replace('/', '_')}.npy")
            for name in model.output_names}


def versions(tool=None):
    """What was measured: names and versions, the tool's where it is given."""
    found = {"ncnn": ncnn.__version__, "ONNX Runtime": onnxruntime.__version__,
             "OpenVINO": openvino.__version__, "NumPy": np.__version__}
    if tool is not None:
        found["yoloface"] = run_tool([tool, "--version"]).strip()
    return found
