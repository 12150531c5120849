#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares numbers, fp32, with those of .npy files one after the other: compare.py BOUND FOUND EXPECTED...

Ends with 1 where one differs by more than the bound; a bound of 0 asks for the same bits.
"""

import struct
import sys
from pathlib import Path

bound, found = float(sys.argv[1]), Path(sys.argv[2]).read_bytes()
is_fine = True
for path in map(Path, sys.argv[3:]):
    data = path.read_bytes()
    expected = data[10 + struct.unpack_from("<H", data, 8)[0]:]
    part, found = found[:len(expected)], found[len(expected):]
    if len(part) != len(expected):
        raise SystemExit(f"{path.stem}: found {len(part)} bytes, expected {len(expected)}")
    count = len(expected) // 4
    pairs = zip(struct.unpack(f"<{count}f", part), struct.unpack(f"<{count}f", expected))
    differences = [abs(ours - theirs) for ours, theirs in pairs]
    # Written so that NaN counts as a difference.
    is_close = all(difference <= bound for difference in differences)
    is_fine = is_fine and (part == expected if bound == 0 else is_close)
    same = "the same bits" if part == expected else f"differ by {max(differences):.2g}"
    print(f"{path.stem}: {count} values, {same}")
if found:
    raise SystemExit(f"found {len(found)} more bytes")
raise SystemExit(0 if is_fine else 1)
