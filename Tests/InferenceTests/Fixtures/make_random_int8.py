#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes RandomInt8/networks.json: random networks of int8 and float layers, with upstream's outputs.

  pip install ncnn numpy
  python make_random_int8.py

Layers are added one at a time. The scales of each are drawn until no number that it rounds lies
within MARGIN of a half, so that every implementation with smaller errors gets the same integers.
What a layer rounds is known from upstream: it is asked for the layer's input, and for the result of
the layer as it is with a term below 100. Blobs are not interleaved, as upstream misreads some of
these in int8. All arrays are base64: inputs are int8 divided by 32, outputs float32, or int8 where
the blob is.
"""
import base64
import json
import os
import pathlib

import numpy as np

from make_fixtures import half, int8, layer_outputs, raw, replace, run, table, tagged

COUNT = 300
MARGIN = 2e-3
ACTIVATIONS = ["", "9=1", "9=2 -23310=1,0.1", "9=3 -23310=2,-0.5,0.8", "9=4", "9=5",
               "9=6 -23310=2,0.2,0.5"]


class Retry(Exception):
    """No scale keeps clear of the halves, or a blob is not worth keeping."""


class Builder:
    """A network that grows. `open` has the shape of every blob that nothing reads yet, and whether
    it is int8."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        shape = (self.pick(1, 3, 5, 8, 12), self.size(), self.size())
        self.input = self.random.integers(-100, 101, shape).astype(np.int8)
        self.lines = ["Input data 0 1 data"]
        self.arrays = [b""]
        self.open = {"data": (shape, False)}
        self.count = 0

    def pick(self, *values):
        return values[self.random.integers(len(values))]

    def size(self):
        return int(self.random.integers(2, 10))

    def blob(self):
        self.count += 1
        return f"b{self.count}"

    def outputs(self, names, lines=None, arrays=None):
        lines, arrays = lines or self.lines, arrays or self.arrays
        blobs = {blob for line in lines for blob in layer_outputs(line)}
        param = "\n".join(["7767517", f"{len(lines)} {len(blobs)}", *lines, ""])
        data = self.input.astype(np.float32) / 32
        return param, run(param, b"".join(arrays), {"data": data}, names, packs=False)

    def take(self, name):
        return self.open.pop(name)

    def add(self, line, shapes, is_int8, arrays=b""):
        """Adds a layer that needs no scales."""
        self.lines.append(line)
        self.arrays.append(arrays)
        for blob, shape in zip(layer_outputs(line), shapes):
            self.open[blob] = (shape, is_int8)

    def clear_scale(self, values, largest):
        """A scale that maps `largest` to about 127 and no value to nearly a half."""
        for _ in range(300):
            scale = np.float32(127 / largest * self.random.uniform(0.7, 1.5))
            scaled = values * scale
            scaled = scaled[np.abs(scaled) < 128]
            if (np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) > MARGIN).all():
                return scale
        raise Retry

    def weighted(self, kind, source, parameters, outputs, group, size, shape, term, bias, activation):
        """Adds a layer with weights, in int8 where `term` is not 0."""
        _, is_int8 = self.take(source)
        weights = self.random.uniform(-1, 1, size) * self.random.uniform(0.3, 1.5) / np.sqrt(size / outputs)
        offsets = raw(self.random.uniform(-0.5, 0.5, outputs)) if bias else b""
        blob = self.blob()
        head = f"{kind} {blob} 1 1 {source} {blob} {parameters} {activation}".rstrip()
        if term == 0:
            return self.add(head, [shape], False, self.pick(tagged, half, table)(weights) + offsets)
        count = outputs if kind != "ConvolutionDepthWise" else group if term % 100 == 1 else 1
        weights = weights.reshape(count, -1)
        scales = (127 / np.abs(weights).max(axis=1)).astype(np.float32)
        if self.pick(True, True, False):
            stored = int8(np.clip(np.rint(weights * scales[:, None]), -127, 127).ravel())
        else:
            scales *= 1 if self.clear_weights(weights, scales) else np.float32(0.99)
            if not self.clear_weights(weights, scales):
                raise Retry
            stored = tagged(weights.ravel())
        if is_int8:
            input_scale = np.float32(self.random.uniform(30, 200))
        else:
            values = self.outputs([source])[1][source]
            input_scale = self.clear_scale(values, max(np.abs(values).max(), 1e-3))
        arrays = stored + offsets + raw(scales) + raw([input_scale])
        if term < 100 or kind == "InnerProduct":
            return self.add(f"{head} 8={term}", [shape], False, arrays)
        twin = self.lines + [f"{head} 8={term - 100}"], self.arrays + [arrays]
        values = self.outputs([blob], *twin)[1][blob]
        if np.abs(values).max() < 1e-3:
            raise Retry
        output_scale = self.clear_scale(values, np.abs(values).max())
        self.add(f"{head} 8={term}", [shape], True, arrays + raw([output_scale]))

    @staticmethod
    def clear_weights(weights, scales):
        scaled = weights.astype(np.float32) * scales[:, None]
        return (np.abs(np.abs(scaled - np.trunc(scaled)) - 0.5) > 1e-4).all()

    def convolution(self, source):
        (channels, height, width), is_int8 = self.open[source]
        kernel = self.pick(1, 1, 2, 3, 3)
        dilation = self.pick(1, 1, 1, 2) if kernel > 1 else 1
        stride = self.pick(1, 1, 2)
        outputs = self.pick(1, 3, 4, 7, 8, 11, 16, 17)
        group = 1
        if self.pick(True, True, False):
            divisors = [g for g in range(2, channels + 1) if channels % g == 0]
            if divisors:
                group = self.pick(*divisors, channels)
                outputs = channels if self.pick(True, False) else group * self.pick(1, 2, 3)
        window = dilation * (kernel - 1) + 1
        pads, border = self.pick(("4=-233", None), ("4=-234", None), ("4=1", 1), ("", 0), ("4=1", 1))
        if border is None:
            # The stride would leave pixels out along one axis only.
            if window < stride:
                raise Retry
            rows, columns = -(-height // stride), -(-width // stride)
        else:
            rows = (height + 2 * border - window) // stride + 1
            columns = (width + 2 * border - window) // stride + 1
            if min(height, width) + 2 * border < window:
                raise Retry
        term = self.pick(1, 2, 101, 101, 102, *(() if is_int8 else (0, 0)))
        if border and term and self.pick(True, False, False, False):
            pads += f" 18={self.pick('1', '-2', '3.7')}"
        size = outputs * (channels // group) * kernel * kernel
        bias = bool(self.pick(0, 1, 1))
        kind = "ConvolutionDepthWise" if group > 1 else "Convolution"
        parameters = f"0={outputs} 1={kernel} 2={dilation} 3={stride} {pads} 5={int(bias)} 6={size}"
        if group > 1:
            parameters += f" 7={group}"
        self.weighted(kind, source, " ".join(parameters.split()), outputs, group, size,
                      (outputs, rows, columns), term, bias, self.pick("", "", *ACTIVATIONS))

    def product(self, source):
        shape, is_int8 = self.open[source]
        inputs, outputs = int(np.prod(shape)), self.pick(1, 5, 8)
        if inputs > 400:
            raise Retry
        term = self.pick(1, 2, 101, 102, *(() if is_int8 else (0,)))
        self.weighted("InnerProduct", source, f"0={outputs} 1=1 2={inputs * outputs}", outputs, 1,
                      inputs * outputs, (outputs,), term, True, self.pick("", *ACTIVATIONS))

    def split(self, source):
        shape, is_int8 = self.take(source)
        count = self.pick(2, 2, 3)
        names = [self.blob() for _ in range(count)]
        self.add(f"Split {names[0]} 1 {count} {source} {' '.join(names)}", [shape] * count, is_int8)

    def concat(self, source):
        shape, is_int8 = self.open[source]
        others = [name for name, (other, kind) in self.open.items()
                  if name != source and kind == is_int8 and other[1:] == shape[1:] and len(other) == 3]
        if not others:
            raise Retry
        names = [source, *others[:2]]
        self.random.shuffle(names)
        channels = sum(self.take(name)[0][0] for name in names)
        blob = self.blob()
        self.add(f"Concat {blob} {len(names)} 1 {' '.join(names)} {blob} 0={self.pick(0, 0, -3)}",
                 [(channels, *shape[1:])], is_int8)

    def slice(self, source):
        shape, is_int8 = self.open[source]
        if shape[0] < 2:
            raise Retry
        first = int(self.random.integers(1, shape[0]))
        self.take(source)
        names = [self.blob(), self.blob()]
        self.add(f"Slice {names[0]} 1 2 {source} {' '.join(names)} -23300=2,{first},-233",
                 [(first, *shape[1:]), (shape[0] - first, *shape[1:])], is_int8)

    def simple(self, source):
        """A layer without weights."""
        shape, is_int8 = self.open[source]
        channels, height, width = shape
        choices = [("ReLU", "", shape), ("Noop", "", shape),
                   ("Padding", "0=1 1=0 2=2 3=1 5=3", (channels, height + 1, width + 3))]
        if not is_int8:
            groups = [g for g in (2, 3, 4) if channels % g == 0]
            choices += [("Swish", "", shape), ("Swish", "", shape), ("HardSwish", "", shape),
                        ("ReLU", "0=0.1", shape)]
            if groups:
                choices += [("ShuffleChannel", f"0={groups[0]}", shape)] * 3
            if min(height, width) >= 2:
                choices += [("Pooling", f"0={self.pick(0, 1)} 1=2 2=2 5=1",
                             (channels, height // 2, width // 2))] * 2
            if max(height, width) <= 4:
                choices += [("Interp", "0=1 1=2.0 2=2.0", (channels, 2 * height, 2 * width))] * 2
        kind, parameters, result = self.pick(*choices)
        self.take(source)
        blob = self.blob()
        self.add(f"{kind} {blob} 1 1 {source} {blob} {parameters}".rstrip(), [result], is_int8)

    def grow(self):
        open_maps = [name for name, (shape, _) in self.open.items() if len(shape) == 3]
        source = self.pick(*open_maps)
        step = self.pick(*[self.convolution] * 5, self.split, *[self.concat] * 2, self.slice,
                         *[self.simple] * 2)
        # Where it fails, the network is as it was.
        before = (list(self.lines), list(self.arrays), dict(self.open), self.count)
        try:
            step(source)
            if sum(int(np.prod(shape)) for shape, _ in self.open.values()) > 700:
                raise Retry
        except Retry:
            self.lines, self.arrays, self.open, self.count = before
            return False
        return True

    def finish(self):
        if self.pick(True, False, False):
            try:
                before = (list(self.lines), list(self.arrays), dict(self.open), self.count)
                self.product(list(self.open)[-1])
            except Retry:
                self.lines, self.arrays, self.open, self.count = before
        param, outputs = self.outputs(list(self.open))
        return {
            "param": param, "bin": text(b"".join(self.arrays)), "shape": list(self.input.shape),
            "input": text(self.input.tobytes()),
            "outputs": {name: blob(array, self.open[name][1]) for name, array in outputs.items()},
        }


def text(data):
    return base64.b64encode(data).decode()


def blob(array, is_int8):
    data = array.astype(np.int8 if is_int8 else np.float32)
    assert (data == array).all()
    return {"shape": list(array.shape), "int8" if is_int8 else "float32": text(data.tobytes())}


def make(seed):
    builder = Builder(seed)
    target = int(builder.random.integers(3, 10))
    while len(builder.lines) <= target:
        builder.grow()
    return builder.finish()


def make_apart(make, seed):
    """The network of a seed, made in a process of its own; None where upstream crashes on it."""
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.close(reader)
        with os.fdopen(writer, "w") as stream:
            stream.write(json.dumps(make(seed)))
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as stream:
        line = stream.read()
    return line if os.wait()[1] == 0 else None


def record_networks(folder, make, count):
    """Writes FOLDER/networks.json with a number of networks that `make` makes of seeds."""
    networks, seed = [], 0
    while len(networks) < count:
        network = make_apart(make, seed)
        networks += [network] if network else []
        seed += 1
    path = pathlib.Path(__file__).resolve().parent / folder / "networks.json"
    path.parent.mkdir(exist_ok=True)
    lines = ",\n".join(networks)
    replace(path, f'{{"networks": [\n{lines}\n]}}\n')
    print(f"{len(networks)} networks of {seed} seeds, {path.stat().st_size} bytes")


if __name__ == "__main__":
    record_networks("RandomInt8", make, COUNT)
