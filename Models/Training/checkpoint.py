# SPDX-License-Identifier: Apache-2.0
"""Checkpoints: a step, a network and the moving average of its weights, as fp16, fit for version control."""

import copy
import os

import torch

from network import YOLOFace


def half(state):
    return {name: value.half() if value.is_floating_point() else value
            for name, value in state.items()}


def save(path, step, network, average):
    torch.save(
        {"step": step, "weights": half(network.state_dict()), "average": half(average.state_dict())},
        path + "~")
    os.replace(path + "~", path)


def load(path):
    """A checkpoint's step, network and moving average; fresh ones where there is no file."""
    network = YOLOFace()
    average = copy.deepcopy(network)
    if not os.path.exists(path):
        return 0, network, average
    checkpoint = torch.load(path, weights_only=True)
    network.load_state_dict(checkpoint["weights"])
    average.load_state_dict(checkpoint["average"])
    return checkpoint["step"], network, average
