# SPDX-License-Identifier: Apache-2.0
"""Trains the network on prepared photos; stops at any time and goes on from its checkpoint.

    python train.py --prepared PREPARED --checkpoint FILE [--steps N] [--sizes 320]
        [--batch 16] [--rate 0.0015] [--minutes M] [--processes 2] [--compile] [--teacher STEM]
        [--settle] [--fp32]

Each process, one for each processor, makes and learns its own batches with one thread, and they
average their gradients: that keeps all processors busy where the threads of one process would wait
for each other. With --teacher, ncnn files of this architecture, the scores that it gives to
background, to crowds and to small faces are learnt beside the labels, and in crowds what its first
head reads. The schedule (warm-up, then a cosine to a fiftieth) ends with --steps or --minutes,
whichever comes first. A later session starts the optimisers' moments and the minutes anew, since the
checkpoint does not hold them.

With --settle, norms use their running means, as they do later, instead of each batch's. That ends the
training: a mean of two checkpoints has means that neither's weights make, and a blank picture is unlike
the mosaics beside it in a batch.
"""

import argparse
import functools
import math
import os
import tempfile
import time

import torch
import torch._inductor.config
import torch.distributed as distributed

from checkpoint import load, save
from heads import CLASS, OBJECTNESS
from hints import Hint
from loss import detection_loss
from mosaic import Mosaics
from optimiser import make_optimisers
from teacher import load_teacher

WARM_UP = 200
# Over the last few hundred steps: a longer mean lags behind where the rate falls within an hour.
AVERAGE_DECAY = 0.998
SAVE_EVERY = 500
REPORT_EVERY = 100
PARTS = "box", "objectness", "landmarks", "hint"
# Keeps freed memory, in huge pages: otherwise a fifth of a step is the system clearing new pages.
MEMORY = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=0x400000000"


def rate_at(passed, session_step, peak):
    """A new session warms up again, for the optimisers have to find their moments anew."""
    cosine = 0.5 * (1 + math.cos(math.pi * passed))
    return peak * min(1, (session_step + 1) / WARM_UP) * (0.02 + 0.98 * cosine)


def share_gradients(parameters):
    """Replaces every gradient by its mean over the processes."""
    gradients = [parameter.grad for parameter in parameters]
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    distributed.all_reduce(flat)
    flat /= distributed.get_world_size()
    parts = flat.split([gradient.numel() for gradient in gradients])
    torch._foreach_copy_(
        gradients, [part.view_as(gradient) for part, gradient in zip(parts, gradients)])


def learn(network, teacher, hint, optimisers, batch, precision):
    """One step; returns the parts of the loss. `precision` makes the context that networks run in."""
    pictures, rows, crowds = batch
    pictures = (pictures.float() / 255).to(memory_format=torch.channels_last)
    with precision():
        outputs, read = network(pictures, with_read=True)
    scores, wanted = taught(teacher, pictures, precision) if teacher else (None, None)
    parts = list(detection_loss(outputs, rows, crowds, scores))
    if teacher:
        parts.append(hint.loss(read, wanted, crowds))
    for optimiser in optimisers:
        optimiser.zero_grad()
    sum(parts).backward()
    parameters = [*network.parameters(), *hint.parameters()] if teacher else list(network.parameters())
    share_gradients(parameters)
    torch.nn.utils.clip_grad_norm_(parameters, 10)
    for optimiser in optimisers:
        optimiser.step()
    return torch.stack(parts).detach()


@torch.no_grad()
def taught(teacher, pictures, precision):
    """What a teacher gives each proposal, N × 3 × H × W for each head, and what its first head reads."""
    with precision():
        outputs, read = teacher(pictures, with_read=True)
    scores = [
        output[..., OBJECTNESS].float().sigmoid() * output[..., CLASS].float().sigmoid()
        for output in outputs]
    return scores, read


class Progress:
    """Prints the mean loss and the speed now and then."""

    def __init__(self):
        self.start, self.pictures = time.time(), 0
        self.losses = []

    def minutes(self):
        return (time.time() - self.start) / 60

    def report(self, step, steps, pictures, parts):
        self.pictures += pictures
        self.losses.append(parts)
        if step % REPORT_EVERY == 0:
            means = zip(PARTS, torch.stack(self.losses).mean(0).tolist())
            self.losses = []
            print(
                f"step {step} of {steps}, {self.minutes():.1f} min, "
                f"{self.pictures / self.minutes() / 60:.0f} pictures/s, "
                + " ".join(f"{part} {mean:.4f}" for part, mean in means), flush=True)


def train(rank, options, rendezvous):
    """What each process does; the first one of them reports and saves."""
    distributed.init_process_group(
        "gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=options.processes)
    torch.set_num_threads(1)
    # Where there is no checkpoint yet, all processes have to begin with the same weights.
    torch.manual_seed(options.seed)
    step, network, average = load(options.checkpoint)
    network = network.to(memory_format=torch.channels_last).train(not options.settle)
    if options.compile:
        network.compile(dynamic=False)
    teacher = load_teacher(options.teacher) if options.teacher else None
    hint = Hint() if teacher else None
    if teacher and options.compile:
        # Folds the norms of what is not learnt into its convolutions.
        torch._inductor.config.freezing = True
        teacher.compile(dynamic=False)
    precision = functools.partial(torch.autocast, "cpu", torch.bfloat16, enabled=not options.fp32)
    optimisers = make_optimisers(network, hint)
    groups = [group for optimiser in optimisers for group in optimiser.param_groups]
    batches = Mosaics(
        options.prepared, options.sizes, options.batch, [options.seed, step, rank]).batches()
    first, progress, spent = step, Progress(), torch.zeros(1)
    while step < options.steps and spent < 1:
        passed = max(step / options.steps, spent.item())
        for group in groups:
            group["lr"] = rate_at(passed, step - first, options.rate)
        batch = next(batches)
        parts = learn(network, teacher, hint, optimisers, batch, precision)
        step += 1
        if rank == 0:
            update(average, network, AVERAGE_DECAY * (1 - math.exp(-step / 200)))
            progress.report(step, options.steps, len(batch[0]) * options.processes, parts)
            if step % SAVE_EVERY == 0:
                save(options.checkpoint, step, network, average)
        # All processes learn at the same rate, and stop after the same step.
        spent[0] = progress.minutes() / options.minutes
        distributed.broadcast(spent, 0)
    if rank == 0:
        save(options.checkpoint, step, network, average)
        print(f"stopped at step {step} of {options.steps}", flush=True)
    # A process that goes while another still has connections to it may be aborted on the way.
    distributed.barrier()
    distributed.destroy_process_group()


@torch.no_grad()
def update(average, network, decay):
    pairs = zip(average.state_dict().values(), network.state_dict().values())
    means, values = zip(*(pair for pair in pairs if pair[0].is_floating_point()))
    torch._foreach_lerp_(means, values, 1 - decay)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepared", required=True)
    parser.add_argument("--checkpoint", required=True)
    parser.add_argument("--steps", type=int, default=40000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[320])
    parser.add_argument("--batch", type=int, default=16, help="of each process")
    parser.add_argument("--rate", type=float, default=0.0015)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--teacher", help="ncnn files whose scores are learnt, too")
    parser.add_argument("--settle", action="store_true", help="norms use their running means")
    parser.add_argument(
        "--fp32", action="store_true", help="faster on processors without bf16")
    parser.add_argument(
        "--compile", action="store_true", help="faster steps; needs a C++ compiler and a minute")
    options = parser.parse_args()
    os.environ.setdefault("GLIBC_TUNABLES", MEMORY)
    with tempfile.TemporaryDirectory() as folder:
        torch.multiprocessing.spawn(
            train, (options, os.path.join(folder, "rendezvous")), options.processes)
