# SPDX-License-Identifier: Apache-2.0
"""The mean of two checkpoints' moving averages, as a checkpoint at step 0 to train on from.

    python average.py FIRST SECOND --share 0.6 --output FILE

Weights that came from the same ancestor by different ways often do better in their mean than each
alone (Wortsman et al., "Model soups", 2022, https://arxiv.org/abs/2203.05482). With --share 1 it is
SECOND's moving average, from which to begin a new descent of the rate.
"""

import argparse
import os

from checkpoint import load, save

if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--share", type=float, default=0.5, help="of SECOND")
    parser.add_argument("--output", required=True)
    options = parser.parse_args()
    for path in (options.first, options.second):
        if not os.path.exists(path):
            parser.error(f"{path}: found no such file, expected a checkpoint")
    network = load(options.first)[2]
    first, second = network.state_dict(), load(options.second)[2].state_dict()
    for name, value in first.items():
        if value.is_floating_point():
            value.lerp_(second[name], options.share)
    save(options.output, 0, network, network)
