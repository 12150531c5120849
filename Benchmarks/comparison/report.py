# SPDX-License-Identifier: Apache-2.0
"""The dated page of Benchmarks/compare, such as compare-DATE.md or int8-ISA-DATE.md, and its chart."""

import datetime
import html
import statistics

import numpy as np
from orderly import replace

from comparison import losses, machine, measurement
from comparison.engines import FLOAT32, INT8, OURS

# From this share of the machine's time on, other processes disturb the measurement.
BUSY_SHARE = 0.03
# Middle tones, readable on white and on black.
TEXT_COLOUR = "#7a7a7a"
OUR_COLOUR = "#e8710a"
PEER_COLOUR = "#4285d0"
LOWER_PRECISION_COLOUR = "#90a4b4"
# In the chart, in pixels: the width of the engines' names, of a panel and of its longest bar, a line's height.
NAMES, PANEL, LONGEST, LINE = 230, 250, 180, 22


def write(arguments, versions, results, missing, others):
    """Writes page and chart into the output directory, each completely or not at all, and prints the
    tables. `missing` says why our row is left out, or is None; `others` is the share of the machine's
    time that other processes took, or None if unknown."""
    today = datetime.datetime.now(datetime.timezone.utc)
    kind = "int8" if arguments.calibration else "compare"
    stem = "-".join([kind, *([arguments.isa] if arguments.isa else []), f"{today:%Y-%m-%d}"])
    all_tables = "\n\n".join([ratios(results), *(text for result in results for text in tables(result))])
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
    replace(arguments.output / f"{stem}.svg", chart(results))
    replace(arguments.output / f"{stem}.md", page)
    print(f"{caption()}\n{notes}\n{all_tables}\n\nWritten: {arguments.output / stem}.md, .svg")


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
    speed = f"""\
Network `{arguments.param.name}`, batch 1, one input made of random patches from a fixed seed, values
0 to 1 in steps of 1/255; `yoloface bench` is timed on an input of its own.

The engines of one size are measured in turns, all thread counts among them, over {arguments.rounds}
rounds. In each round an engine runs {arguments.warm_up} inferences that are not counted and
{arguments.iterations} that are, each timed separately. Each round begins with a different engine, and
before each turn there is a pause of {pause:g} s in which the worker threads of the previous turn fall
asleep. The peers run in one Python process, called through their own packages without copies of input or
output; yoloface runs as a process for each turn, which times itself.

“fp32” rows are explicitly set to compute in float32. ncnn with default options may use 16-bit storage and
arithmetic where the processor has them; OpenVINO's default precision is its own choice for the
processor. ONNX Runtime: one inter-operator thread, all graph optimisations; OpenVINO: latency hint.
Both run the ONNX model that this script makes from the ncnn files, in the form of a PyTorch export.

Outputs are compared with those of ncnn, fp32, at every size and thread count before anything is timed:
the largest absolute difference, and the largest relative to max(1, |value|). A relative one above
{tolerance:g} in an fp32 row ends the run without a page."""
    return "\n\n".join(filter(None, [speed, instructions(arguments), quantisation(arguments)]))


def instructions(arguments):
    """Who is held to which instruction set, or None."""
    if arguments.isa is None:
        return None
    held, others = "yoloface is held to that instruction set", "the peers"
    if arguments.isa in machine.OPENVINO_INSTRUCTION_SETS:
        held, others = "yoloface and OpenVINO are held to that instruction set", "ncnn and ONNX Runtime"
    return f"`--isa {arguments.isa}`: {held};\n{others} ran with all that the processor has."


def quantisation(arguments):
    """How the int8 rows came to be, and their losses; None without any."""
    if not arguments.calibration:
        return None
    return f"""\
“int8” rows compute in int8 the layers that were quantised, the others in the engine's default precision.
{len(arguments.calibration)} photos, scaled to fit the input and centred on grey, calibrate the network at
each size: for ONNX Runtime by its `quantize_static` (QDQ, by output channel, ranges from minimum to
maximum; unsigned activations on x86, where its kernels are faster with them; weights in 7 bits where the
processor lacks VNNI), for OpenVINO by NNCF's `quantize` (preset “mixed”).
{pair_note(arguments)}

What int8 loses is measured on {len(losses.sample(arguments.calibration))} of the photos, evenly spread,
against the same engine's fp32: the largest and the mean absolute error of the outputs' raw values; and the faces that fp32 finds, those
of them that int8 finds too (overlap {losses.SAME_FACE:g} or more), and those that only int8 finds."""


def pair_note(arguments):
    if arguments.int8_param is None:
        return "ncnn and yoloface have no int8 rows: no int8 pair was given."
    return f"""\
ncnn and yoloface both run `{arguments.int8_param.name}`, which was quantised before this run by whoever
made it: no public package has ncnn's own tools, and `yoloface quantize` writes such pairs."""


def caption():
    return """\
Milliseconds per inference, over all counted ones. yoloface's time includes decoding and
non-maximum suppression; the peers' is the network alone. “ours ÷ it” is the median over the rounds of
our median divided by its median, of our int8 for int8 rows and of our fp32 for others: below 1, yoloface
is faster."""


def tables(result):
    """The page's tables of one size."""
    texts = [table(result, threads) for threads in result.threads]
    return texts + [losses_table(result)] if result.losses else texts


def markdown(title, columns, rows):
    """A table below its title; the first column is of words, the others of numbers."""
    rule = "|---" + "|---:" * (len(columns) - 1) + "|"
    lines = [f"| {' | '.join(cells)} |" for cells in (columns, *rows)]
    return "\n".join([f"### {title}", "", lines[0], rule, *lines[1:]])


def ratios(results):
    """A row for each quotient of ours and a peer's, a column for each size and thread count."""
    peers = dict.fromkeys(row.engine.family for row in results[0].rows if not row.engine.is_ours)
    columns = [(result, threads) for result in results for threads in result.threads]

    def quotient(name, pair):
        cells = [pair(result, threads) for result, threads in columns]
        cells = [None if None in cell else f"{measurement.ratio(*cell):.2f}" for cell in cells]
        return [name, *(cell or "–" for cell in cells)] if any(cells) else None

    def between(family, precision, other, other_precision):
        return quotient(
            f"{family} {precision} ÷ {other} {other_precision}",
            lambda result, threads: (result.row(family, precision, threads),
                                     result.row(other, other_precision, threads)))

    def speed_up(precision):
        return quotient(
            f"{OURS} {precision}, speed-up over 1 thread",
            lambda result, threads: (result.row(OURS, precision, 1),
                                     result.row(OURS, precision, threads)))

    rows = [between(OURS, precision, peer, precision)
            for precision in (FLOAT32, INT8) for peer in peers]
    rows += [between(OURS, INT8, OURS, FLOAT32), speed_up(FLOAT32), speed_up(INT8)]
    rows = [row for row in rows if row]
    titles = [result.title(threads) for result, threads in columns]
    return markdown("Ratios of times", ["", *titles], rows) if rows else "No ratios without yoloface."


def table(result, threads):
    rows = []
    for row in result.table(threads):
        ours = result.ours_beside(row)
        rows.append([
            row.engine.name, f"{min(row.samples):.2f}", f"{statistics.median(row.samples):.2f}",
            f"{np.percentile(row.samples, 90):.2f}",
            f"{measurement.ratio(ours, row):.2f}" if ours else "–",
            f"{row.difference.absolute:.1e}", f"{row.difference.relative:.1e}"])
    return markdown(
        result.title(threads),
        ["engine", "min", "median", "p90", "ours ÷ it", "absolute difference", "relative difference"],
        rows)


def losses_table(result):
    def counted(loss):
        # Networks of other families are not decoded.
        return [str(count) if loss.has_faces else "–" for count in (loss.faces, loss.kept, loss.new)]

    return markdown(
        f"{result.size}, what int8 loses",
        ["engine", "largest error", "mean error", "faces of fp32", "found in int8", "only in int8"],
        [[loss.engine, f"{loss.largest:.2g}", f"{loss.mean:.2g}", *counted(loss)]
         for loss in result.losses])


def chart(results):
    """Bars of medians, a panel for each size and thread count, as SVG."""
    parts, top = [], LINE

    def write(x, y, words, anchor="start"):
        parts.append(f'<text x="{x:.0f}" y="{y}" text-anchor="{anchor}">{html.escape(words)}</text>')

    for result in results:
        slowest = max(statistics.median(row.samples) for row in result.rows)
        for number, threads in enumerate(result.threads):
            left = NAMES + number * PANEL
            write(left, top, result.title(threads))
            for line, row in enumerate(result.table(threads), 1):
                median, y = statistics.median(row.samples), top + line * LINE
                width = LONGEST * median / slowest
                parts.append(f'<rect x="{left}" y="{y - 12}" width="{width:.1f}" height="15" '
                             f'fill="{colour(row.engine)}"/>')
                write(left + width + 5, y, f"{median:.2f}")
                if number == 0:
                    write(left - 8, y, row.engine.name, "end")
        top += LINE * (len(result.table(result.threads[0])) + 2)
    write(NAMES, top, "median milliseconds of an inference; shorter is faster")
    return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {NAMES + PANEL * len(results[0].threads)} {top + LINE // 2}">
<style>text {{ font: 12px sans-serif; fill: {TEXT_COLOUR} }}</style>
{chr(10).join(parts)}
</svg>
"""


def colour(engine):
    if engine.is_ours:
        return OUR_COLOUR
    return PEER_COLOUR if engine.precision == FLOAT32 else LOWER_PRECISION_COLOUR
