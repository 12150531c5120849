"""One run of Benchmarks/compare from its arguments to its page."""

import sys
import tempfile

from comparison import engines, machine, measurement, report
from comparison.ncnn_to_onnx import ModelError, input_name, output_names, read_param


def compare(arguments):
    """Runs Benchmarks/compare with its arguments; exits with 1 on failure."""
    try:
        missing = engines.why_tool_is_missing(arguments.tool)
        if missing:
            print(f"Note: no row for yoloface: {missing}.", file=sys.stderr)
        tool = None if missing else arguments.tool
        before = machine.processor_seconds()
        with tempfile.TemporaryDirectory() as directory:
            results = [measure(arguments, tool, directory, width, height, threads)
                       for width, height in arguments.sizes for threads in arguments.threads]
        others = machine.share_of_others(before, machine.processor_seconds())
        report.write(arguments, engines.versions(tool), results, missing, others)
    except (ModelError, engines.EngineError, measurement.DisagreementError, OSError) as error:
        sys.exit(f"compare: {error}")


def measure(arguments, tool, directory, width, height, threads):
    """The table of one size and thread count."""
    print(f"{width}x{height}, threads: {threads}", file=sys.stderr)
    layers = read_param(arguments.param)
    model = engines.Model(arguments.param, arguments.bin, input_name(layers), output_names(layers),
                          measurement.picture(width, height))
    peers = engines.peers(model, threads)
    ours = [engines.our_engine(model, threads, tool, directory)] if tool else []
    rows = measurement.rows(ours + peers, peers[0], arguments)
    return measurement.Result(width, height, threads, rows)
