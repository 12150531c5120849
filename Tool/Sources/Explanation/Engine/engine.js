"use strict";

// The engine of yoloface, compiled from Swift to WebAssembly; see Tool/Web/Engine.

/// The most pixels of a picture; a browser may refuse larger ones.
const MAXIMUM_PIXELS = 1e8;
const NUMBERS_OF_A_FACE = 15;
const NUMBERS_OF_A_CANDIDATE = 4 + NUMBERS_OF_A_FACE;
const NUMBERS_OF_A_TERM = 5;

class Engine {
  /// Starts the compiled engine and opens a model; see EngineReport in LiveReport.swift.
  static async start({ code, param, bin }) {
    const stream = new Blob([bytesOf(code)]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    const host = { seconds: () => performance.now() / 1000 };
    const { instance } = await WebAssembly.instantiate(bytes, { host });
    const engine = new Engine(instance.exports);
    engine.open(bytesOf(param), bytesOf(bin));
    return engine;
  }

  constructor(exports) {
    this.exports = exports;
    exports.__wasm_call_ctors();
  }

  open(param, bin) {
    this.withCopy(param, (paramAt) =>
      this.withCopy(bin, (binAt) =>
        this.require(this.exports.open(paramAt, param.length, binAt, bin.length))
      )
    );
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

  /// How the last picture was fitted into the network's input.
  letterbox() {
    const [
      scale, horizontalScale, verticalScale, scaledWidth, scaledHeight, inputWidth, inputHeight,
      padLeft, padTop,
    ] = this.read(Float64Array, 9, (at) => this.exports.copyLetterbox(at));
    return {
      scale, horizontalScale, verticalScale, scaledWidth, scaledHeight, inputWidth, inputHeight,
      padLeft, padTop,
    };
  }

  /// The network's input of this size, four bytes a pixel.
  input(width, height) {
    const colours = this.read(Uint8Array, 3 * width * height, (at) => this.exports.copyInput(at));
    const rgba = new Uint8ClampedArray(4 * width * height).fill(255);
    for (let pixel = 0; pixel < width * height; pixel++) {
      rgba.set(colours.subarray(3 * pixel, 3 * pixel + 3), 4 * pixel);
    }
    return { rgba, width, height };
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
    const numbers = this.read(Float64Array, 3 + NUMBERS_OF_A_TERM * count, (at) =>
      this.exports.copyWindow(at)
    );
    const [bias, sum, result] = numbers;
    const terms = rowsOf(numbers.subarray(3), NUMBERS_OF_A_TERM).map(
      ([channel, row, column, value, weight]) => ({ channel, row, column, value, weight })
    );
    return { bias, sum, result, terms };
  }

  /// One of a layer's arrays of weights.
  weights(layer, array) {
    const count = this.exports.weightCount(layer, array);
    return this.read(Float32Array, count, (at) => this.exports.copyWeights(layer, array, at));
  }

  /// Replaces one of a layer's arrays of weights by as many others.
  replaceWeights(layer, array, values) {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.require(this.withCopy(bytes, (at) => this.exports.replaceWeights(layer, array, at)));
  }

  /// What a function writes: an array of numbers of a type.
  read(Numbers, count, write) {
    const address = this.exports.allocate(count * Numbers.BYTES_PER_ELEMENT);
    write(address);
    const numbers = new Numbers(this.exports.memory.buffer, address, count).slice();
    this.exports.release(address);
    return numbers;
  }

  /// Calls a function with the address of a copy of some bytes.
  withCopy(bytes, use) {
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

function faceOf([score, x, y, width, height, ...points]) {
  const landmarks = [0, 2, 4, 6, 8].map((index) => ({ x: points[index], y: points[index + 1] }));
  return {
    score,
    box: { x, y, width, height },
    landmarks: Number.isNaN(points[0]) ? [] : landmarks,
  };
}
