# SPDX-License-Identifier: Apache-2.0
"""One run of Benchmarks/compare from its arguments to its page."""

import sys
import tempfile
from dataclasses import replace

from comparison import engines, losses, machine, measurement, our_tool, report
from comparison.ncnn_to_onnx import ModelError, input_name, ncnn_to_onnx, output_names, read_param


def compare(arguments):
    """Runs Benchmarks/compare with its arguments; exits with 1 on failure."""
    try:
        missing = our_tool.why_tool_is_missing(arguments.tool)
        if missing:
            print(f"Note: no row for yoloface: {missing}.", file=sys.stderr)
        tool = None if missing else arguments.tool
        versions = engines.versions() | our_tool.versions(tool)
        if arguments.calibration:
            from comparison import quantisers
            versions |= quantisers.versions()
        before = machine.processor_seconds()
        with tempfile.TemporaryDirectory() as directory:
            results = [measure(arguments, tool, directory, width, height)
                       for width, height in arguments.sizes]
        others = machine.share_of_others(before, machine.processor_seconds())
        report.write(arguments, versions, results, missing, others)
    except (ModelError, engines.EngineError, measurement.DisagreementError, OSError) as error:
        sys.exit(f"compare: {error}")


def measure(arguments, tool, directory, width, height):
    """All engines at one size."""
    model = model_for(arguments, width, height)
    pair = int8_model(arguments, model)
    ours = [engine for threads in arguments.threads if tool
            for engine in our_tool.our_engines(model, pair, threads, tool, directory)]
    quantised, photos = quantise(arguments, model, pair)
    peers = [engine for threads in arguments.threads
             for engine in engines.peers(model, quantised, threads)]
    print(f"{model.size}: measuring", file=sys.stderr)
    rows = measurement.rows(ours + peers, peers[0], model.picture, arguments)
    return measurement.Result(width, height, rows, losses.losses(ours + peers, photos))


def model_for(arguments, width, height):
    layers = read_param(arguments.param)
    picture = measurement.picture(width, height)
    return engines.Model(
        arguments.param, arguments.bin, ncnn_to_onnx(arguments.param, arguments.bin, picture.shape),
        input_name(layers), output_names(layers), picture)


def int8_model(arguments, model):
    """The pair that is int8 already, for ncnn and for us, or None."""
    if arguments.int8_param is None:
        return None
    return replace(model, param=arguments.int8_param, bin=arguments.int8_bin)


def quantise(arguments, model, pair):
    """The peers' int8 networks, and the photos on which losses are measured."""
    if not arguments.calibration:
        return engines.Quantised(), []
    from comparison import quantisers
    print(f"{model.size}: quantising", file=sys.stderr)
    photos = quantisers.inputs_for(model, losses.sample(arguments.calibration))
    return quantisers.quantise(model, pair, arguments.calibration), photos
