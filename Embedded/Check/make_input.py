#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an array of 3 × ROWS × COLUMNS numbers from 0 to 1 that look random: make_input.py PATH ROWS COLUMNS."""

import struct
import sys

HEADER_BYTES = 128

path, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': (3, {rows}, {columns}), }}"
header = header.ljust(HEADER_BYTES - 11) + "\n"
state, values = 1, []
for _ in range(3 * rows * columns):
    state = state * 1103515245 + 12345 & 0x7FFFFFFF
    values.append((state >> 8 & 255) / 255)
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(struct.pack(f"<{len(values)}f", *values))
