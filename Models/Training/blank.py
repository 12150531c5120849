# SPDX-License-Identifier: Apache-2.0
"""Pictures without anything in them."""

import cv2
import numpy as np


def blank_picture(size, random):
    """One colour, a gradient between four, or clouds of one: size × size × 3 uint8."""
    kind = random.choice(["colour", "gradient", "clouds"])
    if kind == "clouds":
        side = int(random.integers(2, 7))
        field = random.uniform(0, 255, 3) + random.normal(0, random.uniform(2, 30), (side, side, 3))
    else:
        corners = random.uniform(0, 255, (2, 2, 3))
        field = corners if kind == "gradient" else np.broadcast_to(corners[:1, :1], (2, 2, 3))
        if random.random() < 0.3:
            field = np.full((2, 2, 3), random.choice([0, 255]))
    picture = cv2.resize(np.float32(field), (size, size), interpolation=cv2.INTER_LINEAR)
    return np.clip(picture, 0, 255).astype(np.uint8)
