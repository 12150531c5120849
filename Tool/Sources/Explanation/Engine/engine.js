// SPDX-License-Identifier: Apache-2.0
"use strict";

// The engine of yoloface, compiled from Swift to WebAssembly; see Tool/Web/Engine.

/// This file, for a thread that runs it again.
const ENGINE_SOURCE = globalThis.document?.currentScript?.textContent;
/// The most pixels of a picture; a browser may refuse larger ones.
const MAXIMUM_PIXELS = 1e8;
const NUMBERS_OF_A_FACE = 15;
const NUMBERS_OF_A_CANDIDATE = 4 + NUMBERS_OF_A_FACE;
const NUMBERS_OF_A_TERM = 5;
/// What `suppress` gives in place of a suppressor.
const KEPT = -1, BELOW = -2;

/// The page's engine, once it has started.
let engine = null;

function bytesOf(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const characters = atob(base64);
  const bytes = new Uint8Array(characters.length);
  for (let place = 0; place < bytes.length; place++) bytes[place] = characters.charCodeAt(place);
  return bytes;
}

class Engine {
  /// Starts the compiled engine, gzip in base64.
  static async start(code) {
    const stream = new Blob([bytesOf(code)]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    const host = { seconds: () => performance.now() / 1000 };
    const { instance } = await WebAssembly.instantiate(bytes, { host });
    return new Engine(instance.exports);
  }

  constructor(exports) {
    this.exports = exports;
    exports.__wasm_call_ctors();
  }

  /// Opens a model, two files in base64; see ModelReport in LiveReport.swift.
  open({ param, bin }) {
    const [paramBytes, binBytes] = [bytesOf(param), bytesOf(bin)];
    this.withCopy(paramBytes, (paramAt) =>
      this.withCopy(binBytes, (binAt) =>
        this.require(this.exports.open(paramAt, paramBytes.length, binAt, binBytes.length))
      )
    );
  }

  /// Suppresses candidates that overlap a better one. Returns those kept, best first, how many reach the score,
  /// and for each candidate its suppressor, `KEPT` or `BELOW`.
  suppress(candidates, { score, overlap }) {
    const { length } = candidates;
    let count = 0;
    const numbers = this.withCopy(numbersOf(candidates), (at) =>
      this.read(Int32Array, 2 * length, (target) => {
        count = this.exports.suppress(at, length, score, overlap, target);
      })
    );
    const suppressor = numbers.subarray(0, length);
    const admitted = suppressor.reduce((sum, by) => (by === BELOW ? sum : sum + 1), 0);
    return { kept: [...numbers.subarray(length, length + count)], admitted, suppressor };
  }

  /// For each face the number of the one among others that overlaps it most, or -1, the area of their
  /// intersection, that of their union, and their IoU.
  overlaps(faces, others) {
    const numbers = this.withCopy(numbersOf(faces), (at) =>
      this.withCopy(numbersOf(others), (othersAt) =>
        this.read(Float64Array, 4 * faces.length, (target) =>
          this.exports.findOverlaps(at, faces.length, othersAt, others.length, target)
        )
      )
    );
    return rowsOf(numbers, 4).map(([other, intersection, union, iou]) => ({ other, intersection, union, iou }));
  }

  /// How a picture is fitted into the network's input; see LetterboxReport.
  letterbox(fit) {
    const [
      scale, horizontalScale, verticalScale, scaledWidth, scaledHeight, inputWidth, inputHeight,
      padLeft, padTop,
    ] = this.withCopy(fitNumbers(fit), (at) =>
      this.read(Float64Array, 9, (target) => this.require(this.exports.copyLetterbox(at, target)))
    );
    return {
      scale, horizontalScale, verticalScale, scaledWidth, scaledHeight, inputWidth, inputHeight,
      padLeft, padTop,
    };
  }

  /// Faces of the picture in the network's input.
  mapToInput(faces, fit) {
    return this.withCopy(fitNumbers(fit), (fitAt) =>
      this.mapped(faces, (at) => this.exports.mapByLetterbox(fitAt, false, at, faces.length))
    );
  }

  /// Faces of the network's input in the picture.
  mapToPicture(faces, fit) {
    return this.withCopy(fitNumbers(fit), (fitAt) =>
      this.mapped(faces, (at) => this.exports.mapByLetterbox(fitAt, true, at, faces.length))
    );
  }

  /// A space in which a picture is seen: the transform to it, its canvas, and whether it is a mirror image.
  viewSpace(picture, choice) {
    const [xx, xy, x0, yx, yy, y0, width, height, swaps] = this.withCopy(
      viewNumbers(picture, choice),
      (at) => this.read(Float64Array, 9, (target) => this.require(this.exports.copyViewSpace(at, target)))
    );
    return {
      transform: { xx, xy, x0, yx, yy, y0 }, canvas: { width, height }, swapsSides: swaps === 1,
    };
  }

  /// Faces of a picture in such a space.
  mapToView(faces, picture, choice) {
    return this.withCopy(viewNumbers(picture, choice), (viewAt) =>
      this.mapped(faces, (at) => this.exports.mapToViewSpace(viewAt, at, faces.length))
    );
  }

  /// Faces after a function has replaced their numbers.
  mapped(faces, map) {
    const numbers = numbersOf(faces);
    return this.withCopy(numbers, (at) => {
      this.require(map(at));
      const found = new Float64Array(this.exports.memory.buffer, at, numbers.length).slice();
      return rowsOf(found, NUMBERS_OF_A_FACE).map(faceOf);
    });
  }

  /// The faces in a picture, best score first.
  ///
  /// `rgba` has four bytes for each of width × height pixels, of which the last is ignored.
  detect({ rgba, width, height }, { longSide, score, overlap }) {
    const count = this.withCopy(rgba, (at) =>
      this.exports.detect(at, width, height, longSide, score, overlap)
    );
    this.require(count >= 0);
    const numbers = this.read(Float64Array, NUMBERS_OF_A_FACE * count, (at) => this.exports.faces(at));
    return rowsOf(numbers, NUMBERS_OF_A_FACE).map(faceOf);
  }

  /// The network's input, which has this size, four bytes a pixel.
  input(width, height) {
    const colours = this.read(Uint8Array, 3 * width * height, (at) =>
      this.require(this.exports.copyInput(width, height, at)));
    const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
    for (let pixel = 0; pixel < width * height; pixel++) {
      rgba.set(colours.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel);
    }
    return { rgba, width, height };
  }

  /// The network's input for a picture, whose letterbox is known. In one step, since other questions change the input.
  inputOf(pixels, longSide, { inputWidth, inputHeight }) {
    this.detect(pixels, { longSide, score: 1, overlap: 1 });
    return this.input(inputWidth, inputHeight);
  }

  /// Takes the network's input, letterboxed already.
  take({ rgba, width, height }) {
    this.require(this.withCopy(rgba, (at) => this.exports.take(at, width, height)));
  }

  /// What the heads say of the input: of each its grid and its quantities, by anchor, row and column;
  /// and the candidates with at least a score, in pixels of the input.
  explain(heads, lowestScore) {
    const count = this.exports.explain(lowestScore);
    this.require(count >= 0);
    const readings = heads.map(({ anchors, quantities }, head) => {
      const grid = this.read(Float64Array, 4, (at) => this.exports.copyGrid(head, at));
      const [rows, columns, cellWidth, cellHeight] = grid;
      const size = anchors.length * rows * columns;
      const values = quantities.map(({ name }, index) => [
        name,
        this.read(Float32Array, size, (at) => this.exports.copyQuantity(head, index, at)),
      ]);
      return { rows, columns, cellWidth, cellHeight, values: Object.fromEntries(values) };
    });
    const numbers = this.read(Float64Array, NUMBERS_OF_A_CANDIDATE * count, (at) =>
      this.exports.copyCandidates(lowestScore, at)
    );
    const candidates = rowsOf(numbers, NUMBERS_OF_A_CANDIDATE).map((row) => {
      const [head, anchor, gridRow, column] = row;
      return { ...faceOf(row.subarray(4)), cell: { head, anchor, row: gridRow, column } };
    });
    return { readings, candidates };
  }

  /// What each of the network's numbers for a proposal decodes to; none where its head does not say.
  decoding({ head, anchor, row, column }) {
    const count = this.exports.decode(head, anchor, row, column);
    this.require(count >= 0);
    const lines = this.message().split("\n");
    const numbers = this.read(Float64Array, 2 * count, (at) => this.exports.copyDecoding(at));
    return rowsOf(numbers, 2).map(([raw, value], index) => {
      const [name, formula] = lines[index].split("\t");
      return { name, formula, raw, value };
    });
  }

  /// The network's layers, in the order of its file.
  layers() {
    this.exports.describeLayers();
    return this.message().split("\n").map((line) => {
      const [kind, name, inputs, outputs, parameters] = line.split("\t");
      return { kind, name, inputs: inputs.split(" "), outputs: outputs.split(" "), parameters };
    });
  }

  /// Blobs of the last picture: the shape and the numbers of each.
  compute(names) {
    const bytes = new TextEncoder().encode(names.join("\n"));
    this.withCopy(bytes, (at) => this.require(this.exports.computeOfPicture(at, bytes.length)));
    return names.map((_, index) => {
      let axes = 0;
      const sizes = this.read(Int32Array, 4, (at) => (axes = this.exports.blobShape(index, at)));
      const shape = [...sizes.subarray(0, axes)];
      const count = shape.reduce((product, size) => product * size, 1);
      const values = this.read(Float32Array, count, (at) => this.exports.copyBlob(index, at));
      return { shape, values };
    });
  }

  /// How a convolution's number comes about, of the blob that was computed first.
  look(layer, { channel, row, column }) {
    const count = this.exports.look(layer, channel, row, column);
    this.require(count >= 0);
    const numbers = this.read(Float64Array, 6 + NUMBERS_OF_A_TERM * count, (at) =>
      this.exports.copyWindow(at)
    );
    const [bias, sum, result, inputScale, weightScale, outputScale] = numbers;
    const terms = rowsOf(numbers.subarray(6), NUMBERS_OF_A_TERM).map(
      ([channel, row, column, value, weight]) => ({ channel, row, column, value, weight })
    );
    return { bias, sum, result, inputScale, weightScale, outputScale, terms };
  }

  /// The same of a layer that reads a blob, with that blob.
  window(layer, place, blob) {
    const [input] = this.compute([blob]);
    return { input, found: this.look(layer, place) };
  }

  /// Of each blob of maps the channel whose numbers vary most.
  liveliest(names) {
    return this.compute(names).map(({ shape: [channels, height, width], values }) => {
      const size = height * width;
      const variances = Array.from({ length: channels }, (_, channel) => {
        let [sum, squares] = [0, 0];
        for (let place = channel * size; place < (channel + 1) * size; place++) {
          sum += values[place];
          squares += values[place] ** 2;
        }
        return squares / size - (sum / size) ** 2 || 0;
      });
      const channel = variances.indexOf(Math.max(...variances));
      return { channels, height, width, channel, values: values.slice(channel * size, (channel + 1) * size) };
    });
  }

  /// The places of a channel's largest numbers in each of some pictures, apart from each other, with the input that
  /// the network sees. The present input stays as it was.
  excite(pictures, blob, channel, count, present) {
    try {
      return pictures.map(({ input, pixels, fit }) => {
        if (input) this.take(input);
        const seen = input ?? this.inputOf(pixels, fit.mode === 0 ? fit.width : 0, this.letterbox(fit));
        const [{ shape: [, rows, columns], values }] = this.compute([blob]);
        const map = values.subarray(channel * rows * columns, (channel + 1) * rows * columns);
        const places = [];
        for (const cell of [...map.keys()].sort((a, b) => map[b] - map[a])) {
          const place = { row: Math.floor(cell / columns), column: cell % columns, value: map[cell] };
          const isNear = (other) => Math.hypot(other.row - place.row, other.column - place.column) < 4;
          if (!places.some(isNear) && places.push(place) === count) break;
        }
        return { input: seen, rows, columns, places };
      });
    } finally {
      this.take(present);
    }
  }

  /// The score of a proposal where a square of the input is grey. The input stays as it was.
  scoreCovered(input, square, fill, heads, { head, anchor, row, column }) {
    const covered = { ...input, rgba: input.rgba.slice() };
    cover(covered, square, fill);
    try {
      this.take(covered);
      const { rows, columns, values } = this.explain(heads, Infinity).readings[head];
      return values.score[(anchor * rows + row) * columns + column];
    } finally {
      this.take(input);
    }
  }

  /// One of a layer's arrays of weights.
  weights(layer, array) {
    const count = this.exports.weightCount(layer, array);
    return this.read(Float32Array, count, (at) => this.exports.copyWeights(layer, array, at));
  }

  /// Replaces one of a layer's arrays of weights by as many others.
  replaceWeights(layer, array, values) {
    this.require(this.withCopy(values, (at) => this.exports.replaceWeights(layer, array, at)));
  }

  /// What a function writes: an array of numbers of a type.
  read(Numbers, count, write) {
    const address = this.exports.allocate(count * Numbers.BYTES_PER_ELEMENT);
    try {
      write(address);
      return new Numbers(this.exports.memory.buffer, address, count).slice();
    } finally {
      this.exports.release(address);
    }
  }

  /// Calls a function with the address of a copy of a typed array.
  withCopy(array, use) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const address = this.exports.allocate(bytes.length);
    new Uint8Array(this.exports.memory.buffer, address, bytes.length).set(bytes);
    try {
      return use(address);
    } finally {
      this.exports.release(address);
    }
  }

  /// Throws the engine's own words where it refused something.
  require(isDone) {
    if (!isDone) throw new Error(this.message());
  }

  /// What the engine says in words.
  message() {
    const length = this.exports.messageBytes();
    return new TextDecoder().decode(
      this.read(Uint8Array, length, (at) => this.exports.copyMessage(at))
    );
  }
}

/// Paints a grey square, given by its middle and its side, over a part of an input.
function cover({ width, height, rgba }, { x, y, side }, fill) {
  const [left, top] = [Math.round(x - side / 2), Math.round(y - side / 2)];
  for (let row = Math.max(0, top); row < Math.min(height, top + side); row++) {
    const start = row * width + Math.max(0, left);
    const end = row * width + Math.min(width, left + side);
    if (end > start) rgba.fill(fill, 4 * start, 4 * end);
  }
}

/// A file's picture, turned upright as its Exif says.
async function bitmapOf(file) {
  const bitmap = await createImageBitmap(file);
  if (bitmap.width * bitmap.height > MAXIMUM_PIXELS) {
    throw new Error(
      `The picture has ${bitmap.width} × ${bitmap.height} pixels; give one of at most 100 million.`
    );
  }
  return bitmap;
}

/// Numbers in rows of some length each.
function rowsOf(numbers, length) {
  return Array.from({ length: numbers.length / length }, (_, index) =>
    numbers.subarray(length * index, length * (index + 1))
  );
}

/// Faces as the engine reads them; of landmarks that are missing, the numbers are NaN.
function numbersOf(faces) {
  const numbers = new Float64Array(NUMBERS_OF_A_FACE * faces.length).fill(NaN);
  faces.forEach(({ score = 0, box, landmarks = [] }, index) => {
    const points = landmarks.flatMap(({ x, y }) => [x, y]);
    numbers.set([score, box.x, box.y, box.width, box.height, ...points], NUMBERS_OF_A_FACE * index);
  });
  return numbers;
}

/// A letterbox as the engine reads it.
function fitNumbers(fit) {
  return Int32Array.of(
    fit.imageWidth, fit.imageHeight, fit.mode, fit.width, fit.height, fit.fill, fit.granularity,
    fit.fixedWidth, fit.fixedHeight, Number(fit.isStretched)
  );
}

/// A view space as the engine reads it: what a choice does not name leaves the picture as it is.
function viewNumbers(picture, { orientation = 1, isMirrored = false, placement = 0, view = picture, system = 0 }) {
  return Float64Array.of(
    picture.width, picture.height, orientation, Number(isMirrored), placement, view.width, view.height, system
  );
}

function faceOf([score, x, y, width, height, ...points]) {
  const landmarks = [0, 2, 4, 6, 8].map((index) => ({ x: points[index], y: points[index + 1] }));
  return {
    score,
    box: { x, y, width, height },
    landmarks: Number.isNaN(points[0]) ? [] : landmarks,
  };
}
