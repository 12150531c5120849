"""Checks that engines agree and measures them in turns."""

import statistics
import time
from dataclasses import dataclass

import numpy as np

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

    engine: str
    is_ours: bool
    is_float32: bool
    rounds: list
    difference: Difference

    @property
    def samples(self):
        return [sample for round in self.rounds for sample in round]


@dataclass(frozen=True)
class Result:
    """A table: all engines at one size and thread count."""

    width: int
    height: int
    threads: int
    rows: list

    @property
    def title(self):
        plural = "" if self.threads == 1 else "s"
        return f"{self.width} × {self.height}, {self.threads} thread{plural}"


def picture(width, height):
    """A picture-like input: random patches, large ones strongest, in steps of 1/255 from 0 to 1."""
    random = np.random.default_rng(SEED)
    values = np.zeros((3, height, width))
    for side, strength in PATCHES.items():
        patches = random.random((3, -(-height // side), -(-width // side)))
        values += strength * patches.repeat(side, 1).repeat(side, 2)[:, :height, :width]
    return (np.round(255 * values) / 255).astype(np.float32)


def rows(engines, reference, arguments):
    """A row for each engine, whose outputs are first compared with the reference's."""
    differences = compare_outputs(engines, reference.outputs())
    rounds = take_turns(engines, arguments)
    return [Row(engine.name, engine.is_ours, engine.is_float32, rounds[engine.name],
                differences[engine.name]) for engine in engines]


def compare_outputs(engines, reference):
    """Each engine's difference from the reference; raises where one of float32 is too large."""
    differences = {engine.name: difference(engine.outputs(), reference) for engine in engines}
    wrong = [engine.name for engine in engines
             if engine.is_float32 and not differences[engine.name].is_small]
    if wrong:
        found = "".join(f"\n  {name}: absolute {each.absolute:.2g}, relative {each.relative:.2g}"
                        for name, each in differences.items())
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
    """Counted milliseconds by engine and round.

    Engines take turns, so that a slow minute of the machine affects all alike, and each round begins with
    a different one, so that none always follows the same.
    """
    rounds = {engine.name: [] for engine in engines}
    for number in range(arguments.rounds):
        first = number % len(engines)
        for engine in engines[first:] + engines[:first]:
            time.sleep(PAUSE_SECONDS)
            milliseconds = engine.turn(arguments.warm_up + arguments.iterations)
            rounds[engine.name].append(milliseconds[arguments.warm_up:])
    return rounds


def ratio(ours, other):
    """Our time over the other's, as the median of the rounds' ratios of medians."""
    return statistics.median(statistics.median(mine) / statistics.median(theirs)
                             for mine, theirs in zip(ours.rounds, other.rounds))
