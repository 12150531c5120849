# SPDX-License-Identifier: Apache-2.0
"""Draws the WebP files of this directory. Needs Pillow.

Pixel x, y of the pictures of 45 × 37 is (20 + 4 x, 230 - 5 y, 60 + 2 x + 2 y), with an alpha of 5 x in
`alpha.webp`; the one of `orientation-6.webp` is stored turned, as its Exif data says.
"""

import pathlib

from PIL import Image

folder = pathlib.Path(__file__).parent
size = (45, 37)


def drawn(mode="RGB"):
    picture = Image.new(mode, size)
    for y in range(size[1]):
        for x in range(size[0]):
            colour = (20 + 4 * x, 230 - 5 * y, 60 + 2 * x + 2 * y)
            picture.putpixel((x, y), colour + ((5 * x,) if mode == "RGBA" else ()))
    return picture


exif = Image.Exif()
exif[0x0112] = 6
drawn().save(folder / "lossless.webp", lossless=True)
drawn().save(folder / "lossy.webp", quality=100)
drawn("RGBA").save(folder / "alpha.webp", lossless=True, exact=True)
drawn().transpose(Image.Transpose.ROTATE_90).save(folder / "orientation-6.webp", lossless=True, exif=exif)
drawn().save(
    folder / "animated.webp", save_all=True, append_images=[drawn().transpose(Image.Transpose.FLIP_TOP_BOTTOM)])
