# SPDX-License-Identifier: Apache-2.0
"""Checks that engines agree and measures them in turns."""

import statistics
import time
from dataclasses import dataclass

import numpy as np

from comparison.engines import FLOAT32, INT8, OURS, Engine

SEED = 1
# The sides in pixels of the patches that make up the input, and the strength of each kind.
PATCHES = {64: 0.45, 16: 0.3, 4: 0.15, 1: 0.1}
# The largest difference of two float32 engines, relative to values above 1, absolute below: they add
# up in different orders.
TOLERANCE = 1e-3
# Worker threads keep spinning for a while after their engine's turn; this pause lets them fall asleep.
PAUSE_SECONDS = 0.1


class DisagreementError(Exception):
    """Outputs that should agree do not; the message lists every engine's difference."""


@dataclass(frozen=True)
class Difference:
    """The largest difference of outputs from the reference's."""

    absolute: float
    relative: float

    @property
    def is_small(self):
        """False for NaN too."""
        return self.relative <= TOLERANCE


@dataclass(frozen=True)
class Row:
    """One engine at one size and thread count: counted milliseconds, a list per round."""

    engine: Engine
    rounds: list
    difference: Difference

    @property
    def samples(self):
        return [sample for round in self.rounds for sample in round]


@dataclass(frozen=True)
class Result:
    """All engines at one size and all thread counts; `losses` of those in int8."""

    width: int
    height: int
    rows: list
    losses: list

    @property
    def threads(self):
        return list(dict.fromkeys(row.engine.threads for row in self.rows))

    @property
    def size(self):
        return f"{self.width} × {self.height}"

    def title(self, threads):
        return f"{self.size}, {threads} thread{'' if threads == 1 else 's'}"

    def table(self, threads):
        """The rows of one thread count."""
        return [row for row in self.rows if row.engine.threads == threads]

    def row(self, family, precision, threads):
        """The row of that kind, or None."""
        return next((row for row in self.table(threads)
                     if (row.engine.family, row.engine.precision) == (family, precision)), None)

    def ours_beside(self, row):
        """Our row to compare with: int8 with int8, else float32. None where there is none."""
        precision = INT8 if row.engine.precision == INT8 else FLOAT32
        return self.row(OURS, precision, row.engine.threads)


def picture(width, height):
    """A picture-like input: random patches, large ones strongest, in steps of 1/255 from 0 to 1."""
    random = np.random.default_rng(SEED)
    values = np.zeros((3, height, width))
    for side, strength in PATCHES.items():
        patches = random.random((3, -(-height // side), -(-width // side)))
        values += strength * patches.repeat(side, 1).repeat(side, 2)[:, :height, :width]
    return (np.round(255 * values) / 255).astype(np.float32)


def rows(engines, reference, picture, arguments):
    """A row for each engine, whose outputs for `picture` are first compared with the reference's."""
    differences = compare_outputs(engines, reference, picture)
    rounds = take_turns(engines, arguments)
    return [Row(engine, rounds[engine], differences[engine]) for engine in engines]


def compare_outputs(engines, reference, picture):
    """Each engine's difference from the reference; raises where one of float32 is too large."""
    expected = reference.outputs(picture)
    differences = {engine: difference(engine.outputs(picture), expected) for engine in engines}
    wrong = [engine.name for engine in engines
             if engine.precision == FLOAT32 and not differences[engine].is_small]
    if wrong:
        found = "".join(f"\n  {engine.name}: absolute {each.absolute:.2g}, relative {each.relative:.2g}"
                        for engine, each in differences.items())
        raise DisagreementError(f"outputs differ by more than {TOLERANCE:g}: {', '.join(wrong)}{found}")
    return differences


def difference(outputs, reference):
    """The largest over all blobs; a blob of another shape is infinitely far."""
    absolute, relative = [], []
    for name, expected in reference.items():
        if outputs[name].shape != expected.shape:
            return Difference(np.inf, np.inf)
        distance = np.abs(outputs[name].astype(np.float64) - expected)
        absolute.append(distance.max())
        relative.append((distance / np.maximum(1, np.abs(expected))).max())
    # Unlike max(), np.max() keeps a NaN.
    return Difference(float(np.max(absolute)), float(np.max(relative)))


def take_turns(engines, arguments):
    """Counted milliseconds by engine and round, all thread counts among them.

    Engines take turns, so that a slow minute of the machine affects all alike, and each round begins with
    a different one, so that none always follows the same.
    """
    rounds = {engine: [] for engine in engines}
    for number in range(arguments.rounds):
        first = number % len(engines)
        for engine in engines[first:] + engines[:first]:
            time.sleep(PAUSE_SECONDS)
            milliseconds = engine.turn(arguments.warm_up + arguments.iterations)
            rounds[engine].append(milliseconds[arguments.warm_up:])
    return rounds


def ratio(row, other):
    """A row's time over another's, as the median of the rounds' ratios of medians."""
    return statistics.median(statistics.median(its) / statistics.median(others)
                             for its, others in zip(row.rounds, other.rounds))
