"""Trains the network on prepared photos; stops at any time and goes on from its checkpoint.

    python train.py --prepared PREPARED --checkpoint FILE [--steps N] [--size 320] [--batch 32]
        [--rate 0.002] [--minutes M]

The schedule (warm-up, then a cosine to a fiftieth) runs over --steps whatever the number of
sessions; --minutes ends a session. The checkpoint holds the weights and their moving average as
fp16, fit for version control, so a later session starts AdamW's moments anew.
"""

import argparse
import copy
import math
import os
import time

import torch

from loss import detection_loss
from mosaic import Mosaics
from network import YOLOFace

WARM_UP = 200
AVERAGE_DECAY = 0.9995
SAVE_EVERY = 500
REPORT_EVERY = 100


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


def rate_at(step, steps, session_step, peak):
    """A new session warms up again, for AdamW has to find its moments anew."""
    cosine = 0.5 * (1 + math.cos(math.pi * step / steps))
    return peak * min(1, (session_step + 1) / WARM_UP) * (0.02 + 0.98 * cosine)


def train(options):
    torch.manual_seed(options.seed)
    step, network, average = load(options.checkpoint)
    network = network.to(memory_format=torch.channels_last).train()
    average = average.eval()
    decayed = [p for p in network.parameters() if p.ndim > 1]
    plain = [p for p in network.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.005}, {"params": plain, "weight_decay": 0}],
        betas=(0.9, 0.99))
    mosaics = Mosaics(options.prepared, options.size, options.batch, options.seed + step)
    batches = iter(torch.utils.data.DataLoader(
        mosaics, batch_size=None, num_workers=options.workers, prefetch_factor=4))
    start, first, sums = time.time(), step, torch.zeros(3)
    while step < options.steps and time.time() - start < options.minutes * 60:
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step, options.steps, step - first, options.rate)
        pictures, rows = next(batches)
        pictures = (pictures.float() / 255).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", torch.bfloat16):
            outputs = network(pictures)
        parts = detection_loss(outputs, rows)
        optimiser.zero_grad()
        sum(parts).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 10)
        optimiser.step()
        step += 1
        update(average, network, AVERAGE_DECAY * (1 - math.exp(-step / 500)))
        sums += torch.stack(parts).detach()
        if step % REPORT_EVERY == 0:
            box, objectness, landmarks = (sums / REPORT_EVERY).tolist()
            sums.zero_()
            print(
                f"step {step} of {options.steps}, {(time.time() - start) / 60:.1f} min, "
                f"{(step - first) * options.batch / (time.time() - start):.0f} pictures/s, "
                f"box {box:.4f} objectness {objectness:.4f} landmarks {landmarks:.4f}", flush=True)
        if step % SAVE_EVERY == 0:
            save(options.checkpoint, step, network, average)
    save(options.checkpoint, step, network, average)
    print(f"stopped at step {step} of {options.steps}", flush=True)


@torch.no_grad()
def update(average, network, decay):
    for mean, value in zip(average.state_dict().values(), network.state_dict().values()):
        if mean.is_floating_point():
            mean.lerp_(value, 1 - decay)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepared", required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--steps", type=int, default=40000)
    parser.add_argument("--size", type=int, default=320)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--rate", type=float, default=0.002)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    train(parser.parse_args())
