#!/usr/bin/env python3
"""Compares numbers, fp32, with those of .npy files one after the other: compare.py FOUND EXPECTED...

Ends with 1 where one differs by more than 1e-3, which is where a score or a coordinate would.
"""

import struct
import sys
from pathlib import Path

BOUND = 1e-3

found = Path(sys.argv[1]).read_bytes()
worst = 0
for path in map(Path, sys.argv[2:]):
    data = path.read_bytes()
    expected = data[10 + struct.unpack_from("<H", data, 8)[0]:]
    part, found = found[:len(expected)], found[len(expected):]
    if len(part) != len(expected):
        raise SystemExit(f"{path.stem}: found {len(part)} bytes, expected {len(expected)}")
    count = len(expected) // 4
    pairs = zip(struct.unpack(f"<{count}f", part), struct.unpack(f"<{count}f", expected))
    difference = max(abs(ours - theirs) if ours == ours else float("inf") for ours, theirs in pairs)
    worst = max(worst, difference)
    same = "the same bits" if part == expected else f"differ by {difference:.2g}"
    print(f"{path.stem}: {count} values, {same}")
raise SystemExit(1 if worst > BOUND else 0)
