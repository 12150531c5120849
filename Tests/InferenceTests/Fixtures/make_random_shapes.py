#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes RandomShapes/networks.json: random networks of blobs with one to four axes whose sizes are
partly expressions of other blobs' sizes, with upstream's outputs.

  pip install ncnn numpy
  python make_random_shapes.py [COUNT]

Layers are added one at a time, and upstream is asked for the shape of each result; what it refuses is
taken back. A blob that an expression refers to is split off another one.
"""
import sys

import numpy as np

from make_fixtures import layer_outputs, raw, run
from make_random_int8 import Retry, blob, record_networks, text

COUNT = 300
AXES = {1: "w", 2: "hw", 3: "chw", 4: "cdhw"}


class Builder:
    """A network that grows; `open` has the shape of every blob that nothing reads yet."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        shape = tuple(self.pick(1, 2, 2, 3, 4, 5) for _ in range(self.pick(1, 2, 3, 3, 4, 4)))
        self.input = self.random.integers(-64, 65, shape).astype(np.int8)
        self.lines = ["Input data 0 1 data"]
        self.arrays = [b""]
        self.open = {"data": shape}
        self.count = 0

    def pick(self, *values):
        return values[self.random.integers(len(values))]

    def blob(self):
        self.count += 1
        return f"b{self.count}"

    def outputs(self, names):
        blobs = {blob for line in self.lines for blob in layer_outputs(line)}
        param = "\n".join(["7767517", f"{len(self.lines)} {len(blobs)}", *self.lines, ""])
        data = self.input.astype(np.float32) / 32
        try:
            return param, run(param, b"".join(self.arrays), {"data": data}, names, packs=False)
        except AssertionError:
            raise Retry

    def add(self, kind, sources, parameters="", count=1, array=b""):
        """Adds a layer; its results' shapes are what upstream makes."""
        for source in sources:
            self.open.pop(source)
        names = [self.blob() for _ in range(count)]
        words = [kind, f"l{self.count}", str(len(sources)), str(count), *sources, *names, parameters]
        self.lines.append(" ".join(words).rstrip())
        self.arrays.append(array)
        for name, array in self.outputs(names)[1].items():
            if array.size == 0 or array.size > 150:
                raise Retry
            self.open[name] = array.shape
        return names

    def copy(self, source):
        """Splits a blob; gives both copies."""
        return self.add("Split", [source], count=2)

    def references(self, source):
        """What a layer reads: a blob, and perhaps others for their sizes alone."""
        sources = [source]
        for _ in range(self.pick(0, 1, 1, 2)):
            other = self.pick(*self.open)
            if other in sources:
                sources[sources.index(other)], extra = self.copy(other)
            else:
                _, extra = self.copy(other)
            sources.append(extra)
        return sources

    def expression(self, number, sources, used):
        """Words whose value is a number."""
        sizes = [(f"{index}{axis}", size) for index, source in enumerate(sources)
                 for axis, size in zip(AXES[len(self.open[source])], self.open[source])]
        # Upstream refuses inputs that no expression refers to.
        sizes = [size for size in sizes if size[0][0] not in used] or sizes
        word, size = self.pick(*sizes)
        used.add(word[0])
        forms = [f"+({word},{number - size})", f"-({number + size},{word})",
                 f"//(*({word},{number}),{size})", f"trunc(/({number * size},{word}))",
                 f"max({number},min({word},{number}))", f"neg(-({word},{number + size}))",
                 f"round(*({word},{number / size:.6f}))", f"floor(+({number}.4,*(0,{word})))",
                 f"ceil(-({number},/({word},{size + 1})))", f"abs(-(-({word},{size}),{number}))",
                 f"sqrt(square(+({number},-({word},{size}))))", f"{number}.25",
                 f"+(*({word},0),and({number},255))", f"or({number},xor({word},{size}))",
                 f"rshift(lshift({number},and({word},3)),and({word},3))", f"fmod(+({number},*({word},512)),512)",
                 f"//(pow(*({number}.01,{word}),2),*({number},*({word},{word})))",
                 f"round(exp(log(+({number},-({word},{size})))))", f"+({number},*(0,atan2({word},{number})))",
                 f"round(*({number},cosh(-({word},{size}))))", f"remainder(-({number},{512 * size}),*(512,{word}))",
                 f"ceil(*({number},tanh(*({word},10))))", f"-(+({word},{number}),{size})"]
        return word if size == number and self.pick(0, 1) else self.pick(*forms)

    def expressions(self, numbers, sources):
        used = set()
        text = ",".join(self.expression(number, sources, used) for number in numbers)
        if len(text) > 255 or len(used) < len(sources):
            raise Retry
        return text

    def reshape(self, source):
        total = int(np.prod(self.open[source]))
        shape = []
        for _ in range(self.pick(1, 2, 3, 4, 4) - 1):
            left = total // int(np.prod(shape, dtype=int))
            shape.append(self.pick(*[size for size in range(1, left + 1) if left % size == 0]))
        shape.append(total // int(np.prod(shape, dtype=int)))
        self.random.shuffle(shape)
        if self.pick(0, 1):
            sources = self.references(source)
            return self.add("Reshape", sources, f'6="{self.expressions(shape[::-1], sources)}"')
        if self.pick(0, 1):
            shape[self.random.integers(len(shape))] = -1
        keys = {"w": 0, "h": 1, "c": 2, "d": 11}
        self.add("Reshape", [source], " ".join(
            f"{keys[axis]}={size}" for axis, size in zip(AXES[len(shape)], shape)))

    def crop(self, source):
        shape = self.open[source]
        axes = sorted(self.random.permutation(len(shape))[:self.pick(1, 2)].tolist())
        starts = [int(self.random.integers(shape[axis])) for axis in axes]
        ends = [int(self.random.integers(start + 1, shape[axis] + 1)) for start, axis in zip(starts, axes)]
        axes = [self.pick(axis, axis - len(shape)) for axis in axes]
        if self.pick(0, 1):
            lists = [f"-233{key:02}={len(axes)},{','.join(map(str, numbers))}"
                     for key, numbers in ((9, starts), (10, ends), (11, axes))]
            return self.add("Crop", [source], " ".join(lists))
        sources = self.references(source)
        self.add("Crop", sources, f'19="{",".join(map(str, starts))}" '
                 f'20="{self.expressions(ends, sources)}" 21="{",".join(map(str, axes))}"')

    def crop_like(self, source):
        shape = self.open[source]
        others = [name for name, other in self.open.items() if name != source and len(other) == len(shape)
                  and all(size <= most for size, most in zip(other, shape))]
        if not others:
            raise Retry
        self.add("Crop", [source, self.pick(*others)])

    def interp(self, source):
        if len(self.open[source]) != 3:
            raise Retry
        sources = self.references(source)
        sizes = [int(self.random.integers(1, 9)) for _ in range(2)]
        self.add("Interp", sources, f'0={self.pick(1, 2, 3)} 9="{self.expressions(sizes, sources)}"')

    def permute(self, source):
        orders = {1: 1, 2: 2, 3: 6, 4: 24}[len(self.open[source])]
        self.add("Permute", [source], f"0={self.random.integers(orders)}")

    def concat(self, source):
        axis = int(self.random.integers(len(self.open[source])))
        def rest(name):
            shape = self.open[name]
            return len(shape), shape[:axis] + shape[axis + 1:]
        others = [name for name in self.open if name != source and rest(name) == rest(source)]
        sources = [source, *others[:2]] if others else self.copy(source)
        axis -= self.pick(0, len(self.open[sources[0]]))
        self.add("Concat", sources, f"0={axis}")

    def slice(self, source):
        shape = self.open[source]
        axis = int(self.random.integers(len(shape)))
        if shape[axis] < 2:
            raise Retry
        first = self.random.integers(1, shape[axis])
        self.add("Slice", [source], f"-23300=2,{first},-233 1={self.pick(axis, axis - len(shape))}", count=2)

    def arithmetic(self, source):
        operation = self.pick(0, 1, 2, 4, 5, 7)
        if self.pick(0, 0, 1):
            return self.add("BinaryOp", [source], f"0={operation} 1=1 2=0.75")
        others = [name for name in self.open if name != source]
        sources = [source, self.pick(*others)] if others else self.copy(source)
        shapes = [self.open[name] for name in sources]
        longest = max(shapes, key=len)
        for shape in shapes:
            if len(shape) > 1 or shape[0] == longest[0]:
                shape += (1,) * (len(longest) - len(shape))
            else:
                shape = (1,) * (len(longest) - len(shape)) + shape
            if any(size not in (1, most) for size, most in zip(shape, longest)):
                raise Retry
        self.add("BinaryOp", sources, f"0={operation}")

    def padding(self, source):
        shape = self.open[source]
        kind = self.pick(0, 1, 2)
        most = [min(size - 1, 2) if kind == 2 else 2 for size in (shape[-2] if len(shape) > 1 else 1, shape[-1])]
        sides = [self.random.integers(most[0] + 1) for _ in range(2)]
        sides += [self.random.integers(most[1] + 1) for _ in range(2)]
        depth = "7=1 8=2" if kind == 0 and len(shape) == 4 else ""
        names = " ".join(f"{key}={value}" for key, value in enumerate(sides))
        self.add("Padding", [source], f"{names} 4={kind} 5=0.5 {depth}")

    def reduction(self, source):
        axes = self.random.permutation(len(self.open[source]))[:self.pick(1, 1, 2)]
        listed = f"-23303={len(axes)},{','.join(str(axis) for axis in sorted(axes))}"
        self.add("Reduction", [source], f"0={self.pick(0, 3, 4, 5)} 1=0 {listed} 4={self.pick(0, 1)} 5=1")

    def squeeze(self, source):
        axes = [axis for axis, size in enumerate(self.open[source]) if size == 1 or self.pick(0, 0, 1)]
        if not axes:
            raise Retry
        if self.pick(0, 1):
            return self.add("Squeeze", [source], " ".join(f"{key}=1" for key in (0, 1, 2, 11) if self.pick(0, 1)))
        self.add("Squeeze", [source], f"-23303={len(axes)},{','.join(map(str, axes))}")

    def expand(self, source):
        count = len(self.open[source]) + 1
        if count > 4:
            raise Retry
        self.add("ExpandDims", [source], f"-23303=1,{self.random.integers(-count, count)}")

    def tile(self, source):
        count = self.pick(1, 2, 3, 4)
        self.add("Tile", [source], f"-23302={count},{','.join(str(self.pick(1, 1, 2)) for _ in range(count))}")

    def flip(self, source):
        count = len(self.open[source])
        axes = self.random.permutation(count)[:self.pick(1, 2, 3)]
        axes = [self.pick(axis, axis - count) for axis in sorted(axes)]
        self.add("Flip", [source], f"-23300={len(axes)},{','.join(map(str, axes))}")

    def along(self, source):
        axis = self.random.integers(-len(self.open[source]), len(self.open[source]))
        self.add("GLU" if self.open[source][axis] % 2 == 0 else "CumulativeSum", [source], f"0={axis}")

    def normalise(self, source):
        shape = self.open[source]
        size = int(np.prod(shape[-self.pick(1, 2, 3) if len(shape) == 4 else -1:]))
        channels = shape[0] if len(shape) > 2 else 1
        kind, parameters, count = self.pick(
            ("LayerNorm", f"0={size} 1=0.1", 2 * size), ("RMSNorm", f"0={size} 1=0.1", size),
            ("MVN", f"0=0 1={self.pick(0, 1)}", 0),
            ("Normalize", f"0={self.pick(0, 1)} 1=0 2=0.1 3={channels} 4=1", channels))
        self.add(kind, [source], parameters, array=raw(self.random.uniform(-1, 1, count)))

    def copy_to(self, source):
        shape = self.open[source]
        others = [name for name, other in self.open.items() if name != source and len(other) == len(shape)
                  and all(size <= most for size, most in zip(other, shape))]
        if not others:
            raise Retry
        other = self.pick(*others)
        starts = [int(self.random.integers(most - size + 1)) for size, most in zip(self.open[other], shape)]
        if self.pick(0, 1):
            return self.add("CopyTo", [source, other], f"-23309={len(starts)},{','.join(map(str, starts))}")
        keys = {"w": 0, "h": 1, "d": 13, "c": 2}
        self.add("CopyTo", [source, other], " ".join(
            f"{keys[axis]}={start}" for axis, start in zip(AXES[len(shape)], starts)))

    def product(self, source):
        """Of a blob by its transpose or by another blob that fits."""
        shape = self.open[source]
        def fits(other):
            outer = zip(shape[-3::-1], other[-3::-1])
            return other[-1] == shape[-1] and all(a == b or 1 in (a, b) for a, b in outer)
        others = [name for name, other in self.open.items() if name != source and len(other) > 1 and fits(other)]
        if len(shape) < 2:
            raise Retry
        self.add("MatMul", [source, self.pick(*others)] if others else self.copy(source), "0=1")

    def memory(self, _):
        shape = tuple(self.pick(1, 2, 3) for _ in range(4))
        data = self.random.uniform(-1, 1, shape)
        self.add("MemoryData", [], f"0={shape[3]} 1={shape[2]} 11={shape[1]} 2={shape[0]}", array=raw(data))

    def simple(self, source):
        axis = self.random.integers(len(self.open[source]))
        self.add(*self.pick(
            ("Sigmoid", [source]), ("Swish", [source]), ("ReLU", [source], "0=0.1"), ("Noop", [source]),
            ("UnaryOp", [source], f"0={self.pick(0, 1, 4)}"), ("Flatten", [source]),
            ("Softmax", [source], f"0={axis} 1=1"), ("HardSwish", [source])))

    def grow(self):
        before = (list(self.lines), list(self.arrays), dict(self.open), self.count)
        step = self.pick(*[self.reshape] * 4, self.crop, self.crop, self.crop_like, self.interp, self.interp,
                         self.permute, self.permute, self.concat, self.slice, self.arithmetic, self.arithmetic,
                         self.padding, self.reduction, self.memory, self.simple, self.simple,
                         self.squeeze, self.expand, self.tile, self.flip, self.along, self.normalise,
                         self.copy_to, self.product)
        try:
            step(self.pick(*self.open))
            if sum(int(np.prod(shape)) for shape in self.open.values()) > 250:
                raise Retry
        except Retry:
            self.lines, self.arrays, self.open, self.count = before


def make(seed):
    builder = Builder(seed)
    for _ in range(200):
        builder.grow()
        if len(builder.lines) > 3 + seed % 12:
            break
    param, outputs = builder.outputs(list(builder.open))
    return {
        "param": param, "bin": text(b"".join(builder.arrays)), "shape": list(builder.input.shape),
        "input": text(builder.input.tobytes()),
        "outputs": {name: blob(array, False) for name, array in outputs.items()},
    }


if __name__ == "__main__":
    record_networks("RandomShapes", make, int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
