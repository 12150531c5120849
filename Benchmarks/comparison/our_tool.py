# SPDX-License-Identifier: Apache-2.0
"""Ours among the engines: everything that Benchmarks/compare asks of the tool `yoloface`."""

import json
import re
import subprocess
from pathlib import Path

import numpy as np

from comparison.engines import FLOAT32, INT8, OURS, Engine, EngineError

REQUIRED_BENCH_KEYS = {"machine", "instructionSet", "threads", "iterations", "milliseconds", "samples"}


def run_tool(arguments, environment=None):
    """The tool's output; raises with its error message where it fails."""
    result = subprocess.run([str(word) for word in arguments], capture_output=True, text=True,
                            env=environment)
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


def versions(tool):
    """The tool's name and version, as `engines.versions` gives the peers'."""
    return {OURS: run_tool([tool, "--version"]).splitlines()[0]} if tool else {}


def our_engines(model, int8_model, threads, tool, directory):
    """A row for each precision; `int8_model` may be None."""
    models = {FLOAT32: model} | ({INT8: int8_model} if int8_model else {})
    return [our_engine(each, threads, precision, tool, directory)
            for precision, each in models.items()]


def our_engine(model, threads, precision, tool, directory):
    """Ours, as a process for each turn; arrays are handed over in `directory`. The engine computes in
    int8 what the model's layers say, so `precision` only names it."""

    def bench(count):
        output = run_tool([tool, "bench", "--param", model.param, "--bin", model.bin,
                           "--size", model.size, "--threads", threads, "--iterations", count,
                           "--json"])
        return read_bench(output, threads, count)

    def outputs(picture):
        return our_outputs(model, picture, threads, tool, directory)

    return Engine(OURS, precision, precision, threads, lambda count: bench(count)["samples"],
                  outputs, instruction_set=bench(1)["instructionSet"])


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


def our_outputs(model, picture, threads, tool, directory):
    """Ours, through `yoloface run`."""
    source = Path(directory) / "input.npy"
    np.save(source, picture)
    run_tool([tool, "run", model.param, model.bin, "--input", f"{model.input_name}={source}",
              "--extract", ",".join(model.output_names), "--output-directory", directory,
              "--threads", threads])
    return {name: np.load(Path(directory) / f"{name.replace('/', '_')}.npy")
            for name in model.output_names}
