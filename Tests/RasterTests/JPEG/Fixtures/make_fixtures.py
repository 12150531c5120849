#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the JPEG files in its directory by formulas that JPEGReadingTests repeats.

    python3 -m venv venv && venv/bin/pip install Pillow && venv/bin/python make_fixtures.py

Made with Pillow 13.0.0. Prints the largest error that Pillow's own decoder sees.
"""

from pathlib import Path

from PIL import Image

WIDTH, HEIGHT = 45, 37  # no multiples of the 8 or 16 that JPEG works in


def rgb(x, y):
    return (20 + 4 * x, 230 - 5 * y, 60 + 2 * x + 2 * y)


def grey(x, y):
    return 30 + 3 * x + 2 * y


def inks(x, y):
    return (200 - 3 * x, 40 + 4 * y, 100 + x + y, 60 + y)


def draw(mode, formula):
    image = Image.new(mode, (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            image.putpixel((x, y), formula(x, y))
    return image


def write(name, image, **options):
    path = Path(__file__).parent / name
    image.save(path, quality=100, optimize=True, **options)
    stored = Image.open(path)
    error = max(
        abs(a - b) for a, b in zip(image.tobytes(), stored.tobytes(), strict=True))
    print(f"{name}: {path.stat().st_size} bytes, error at most {error}")


sideways = Image.Exif()
sideways[0x0112] = 6

write("baseline.jpg", draw("RGB", rgb), subsampling="4:2:0")
write("progressive.jpg", draw("RGB", rgb), subsampling="4:4:4", progressive=True)
write("grey.jpg", draw("L", grey))
write("orientation-6.jpg", draw("RGB", rgb), subsampling="4:2:2", exif=sideways)
write("cmyk.jpg", draw("CMYK", inks))
