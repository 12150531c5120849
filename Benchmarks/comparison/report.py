"""The dated page of Benchmarks/compare, compare-DATE.md, and its chart, compare-DATE.svg."""

import datetime
import io
import os
import statistics

import matplotlib
import numpy as np

from comparison import machine, measurement

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402 (after choosing a backend without windows)

# From this share of the machine's time on, other processes disturb the measurement.
BUSY_SHARE = 0.03
# Middle tones, readable on white and on black.
TEXT_COLOUR = "#7a7a7a"
OUR_COLOUR = "#e8710a"
PEER_COLOUR = "#4285d0"
LOWER_PRECISION_COLOUR = "#90a4b4"


def write(arguments, versions, results, missing, others):
    """Writes page and chart into the output directory, each completely or not at all, and prints the
    tables. `missing` says why our row is left out, or is None; `others` is the share of the machine's
    time that other processes took, or None if unknown."""
    today = datetime.datetime.now(datetime.timezone.utc)
    stem = f"compare-{today:%Y-%m-%d}"
    all_tables = "\n\n".join(table(result) for result in results)
    notes = notes_on(missing, others)
    page = f"""\
# Comparison of engines, {today:%Y-%m-%d %H:%M} UTC

![Median time of an inference by engine, size and threads]({stem}.svg)

## Machine

{items(machine.describe())}

## Engines

{items(versions)}

## Method

{method(arguments)}

## Results

{caption()}
{notes}
{all_tables}
"""
    arguments.output.mkdir(parents=True, exist_ok=True)
    write_whole(arguments.output / f"{stem}.svg", chart(results))
    write_whole(arguments.output / f"{stem}.md", page.encode())
    print(f"{caption()}\n{notes}\n{all_tables}\n\nWritten: {arguments.output / stem}.md, .svg")


def write_whole(path, data):
    """Writes beside `path` and renames, so that an interruption leaves the previous file."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(data)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def items(values):
    return "\n".join(f"- {name}: {value}" for name, value in values.items())


def notes_on(missing, others):
    """What readers of the tables need to know about this run, a paragraph each."""
    notes = ""
    if missing:
        notes += f"\nThere is no row for yoloface: {missing}.\n"
    if others is not None:
        notes += f"\nOther processes took {others:.1%} of all cores' time during the run."
        if others > BUSY_SHARE:
            notes += " **The machine was busy: all figures suffer, above all those for several threads.**"
        notes += "\n"
    return notes


def method(arguments):
    pause, tolerance = measurement.PAUSE_SECONDS, measurement.TOLERANCE
    return f"""\
Network `{arguments.param.name}`, batch 1, one input made of random patches from a fixed seed, values
0 to 1 in steps of 1/255; `yoloface bench` is timed on an input of its own.

All engines are measured in one run, in turns, over {arguments.rounds} rounds. In each round an engine
runs {arguments.warm_up} inferences that are not counted and {arguments.iterations} that are, each timed
separately. Each round begins with a different engine, and before each turn there is a pause of
{pause:g} s in which the worker threads of the previous turn fall asleep. The peers run in one Python process,
called through their own packages without copies of input or output; yoloface runs as a process for
each turn, which times itself.

“fp32” rows are explicitly set to compute in float32. ncnn with default options may use 16-bit storage and
arithmetic where the processor has them; OpenVINO's default precision is its own choice for the
processor. ONNX Runtime: one inter-operator thread, all graph optimisations; OpenVINO: latency hint.
Both run the ONNX model that this script makes from the ncnn files, in the form of a PyTorch export.

Outputs are compared with those of ncnn, fp32, at every size and thread count before anything is timed:
the largest absolute difference, and the largest relative to max(1, |value|). A relative one above
{tolerance:g} in an fp32 row ends the run without a page."""


def caption():
    return """\
Milliseconds per inference, over all counted ones. yoloface's time includes decoding and
non-maximum suppression; the peers' is the network alone. “ours ÷ it” is the median over the rounds of
our median divided by its median: below 1, yoloface is faster."""


def table(result):
    ours = next((row for row in result.rows if row.is_ours), None)
    lines = [
        f"### {result.title}",
        "",
        "| engine | min | median | p90 | ours ÷ it | absolute difference | relative difference |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for row in result.rows:
        ratio = f"{measurement.ratio(ours, row):.2f}" if ours else "–"
        lines.append(
            f"| {row.engine} | {min(row.samples):.2f} | {statistics.median(row.samples):.2f} "
            f"| {np.percentile(row.samples, 90):.2f} | {ratio} "
            f"| {row.difference.absolute:.1e} | {row.difference.relative:.1e} |")
    return "\n".join(lines)


def chart(results):
    """Bars of medians, a panel for each table, as SVG."""
    sizes = list(dict.fromkeys((result.width, result.height) for result in results))
    threads = list(dict.fromkeys(result.threads for result in results))
    height = 0.6 + 0.3 * len(results[0].rows)
    style = {"text.color": TEXT_COLOUR, "axes.labelcolor": TEXT_COLOUR, "axes.edgecolor": TEXT_COLOUR,
             "xtick.color": TEXT_COLOUR, "ytick.color": TEXT_COLOUR, "font.size": 9,
             "svg.hashsalt": "compare"}
    with matplotlib.rc_context(style):
        figure, panels = pyplot.subplots(
            len(sizes), len(threads), figsize=(2.2 + 3.6 * len(threads), height * len(sizes)),
            sharex="row", sharey=True, squeeze=False, layout="constrained")
        for result in results:
            row = sizes.index((result.width, result.height))
            draw(panels[row][threads.index(result.threads)], result)
        panels[0][0].invert_yaxis()
        figure.supxlabel("median milliseconds of an inference; shorter is faster", fontsize=9)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
        pyplot.close(figure)
    return buffer.getvalue()


def draw(panel, result):
    bars = panel.barh([row.engine for row in result.rows],
                      [statistics.median(row.samples) for row in result.rows],
                      color=[colour(row) for row in result.rows])
    panel.bar_label(bars, fmt="%.2f", padding=4)
    panel.set_title(result.title, fontsize=9)
    panel.margins(x=0.2)
    panel.spines[["top", "right"]].set_visible(False)


def colour(row):
    if row.is_ours:
        return OUR_COLOUR
    return PEER_COLOUR if row.is_float32 else LOWER_PRECISION_COLOUR
