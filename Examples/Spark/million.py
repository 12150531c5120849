# SPDX-License-Identifier: Apache-2.0
"""Prints what many pictures take, from what was measured of some.

    python million.py --seconds 0.021 --read 445428 --written 212 --price 0.05 [--pictures 1000000] [--cores 16 64 256]

measure.py gives the processor seconds, the bytes read and the bytes written of a picture. The price is that of a core
for an hour, in any currency; those of storage and requests are not in it.
"""

import argparse


def table(options):
    """The table, in Markdown."""
    hours = options.pictures * options.seconds / 3600
    lines = [
        f"{options.pictures:,} pictures: {hours:,.1f} hours of a core, {options.pictures * options.read / 1e9:,.1f} GB read, "
        f"{options.pictures * options.written / 1e9:,.2f} GB written. At {options.price:g} for an hour of a core: "
        f"{hours * options.price:,.2f}, {options.seconds / 3.6 * options.price:.3g} for a thousand.",
        "", "| cores | time | read, MB/s |", "|---:|---:|---:|",
    ]
    for cores in options.cores:
        seconds = options.pictures * options.seconds / cores
        rate = options.pictures * options.read / 1e6 / seconds
        lines.append(f"| {cores:,} | {duration(seconds)} | {rate:,.0f} |")
    return "\n".join(lines)


def duration(seconds):
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def main():
    def number(text):
        if not 0 < float(text) < float("inf"):
            raise ValueError
        return float(text)

    def count(text):
        if int(text) < 1:
            raise ValueError
        return int(text)

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=number, required=True, help="processor seconds of a picture")
    parser.add_argument("--read", type=number, required=True, help="bytes read of a picture")
    parser.add_argument("--written", type=number, required=True, help="bytes written of a picture")
    parser.add_argument("--price", type=number, required=True, help="the price of a core for an hour")
    parser.add_argument("--pictures", type=count, default=1_000_000)
    parser.add_argument("--cores", type=count, nargs="+", default=[16, 64, 256])
    print(table(parser.parse_args()))


if __name__ == "__main__":
    main()
