"use strict";

// The engine of yoloface, compiled from Swift to WebAssembly; see Web/Engine/Exports.swift.

const NUMBERS_OF_A_FACE = 15;

class Engine {
  /// Starts the compiled engine and opens a model.
  static async start(compressed, param, bin) {
    const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream("gzip"));
    const bytes = await new Response(stream).arrayBuffer();
    const host = { seconds: () => performance.now() / 1000 };
    const { instance } = await WebAssembly.instantiate(bytes, { host });
    const engine = new Engine(instance.exports);
    engine.withCopy(param, (paramAt) =>
      engine.withCopy(bin, (binAt) =>
        engine.require(engine.exports.open(paramAt, param.length, binAt, bin.length))
      )
    );
    return engine;
  }

  constructor(exports) {
    this.exports = exports;
    exports.__wasm_call_ctors();
  }

  /// The faces in a picture, best score first.
  ///
  /// `rgba` has four bytes for each of width × height pixels, of which the last is ignored.
  detect({ rgba, width, height }, { longSide, score, overlap }) {
    const count = this.withCopy(rgba, (at) =>
      this.exports.detect(at, width, height, longSide, score, overlap)
    );
    this.require(count >= 0);
    const target = this.exports.allocate(8 * NUMBERS_OF_A_FACE * count);
    this.exports.faces(target);
    const numbers = new Float64Array(this.exports.memory.buffer, target, NUMBERS_OF_A_FACE * count);
    const faces = Array.from({ length: count }, (_, index) =>
      faceOf(numbers.subarray(NUMBERS_OF_A_FACE * index, NUMBERS_OF_A_FACE * (index + 1)))
    );
    this.exports.release(target);
    return faces;
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
      const sizes = this.exports.allocate(16);
      const axes = this.exports.blobShape(index, sizes);
      const shape = [...new Int32Array(this.exports.memory.buffer, sizes, axes)];
      this.exports.release(sizes);
      const count = shape.reduce((product, size) => product * size, 1);
      const target = this.exports.allocate(4 * count);
      this.exports.copyBlob(index, target);
      const values = new Float32Array(this.exports.memory.buffer, target, count).slice();
      this.exports.release(target);
      return { shape, values };
    });
  }

  /// How a convolution's number comes about, of the blob that was computed first.
  look(layer, { channel, row, column }) {
    const count = this.exports.look(layer, channel, row, column);
    this.require(count >= 0);
    const target = this.exports.allocate(8 * (3 + 5 * count));
    this.exports.copyWindow(target);
    const numbers = new Float64Array(this.exports.memory.buffer, target, 3 + 5 * count).slice();
    this.exports.release(target);
    const [bias, sum, result] = numbers;
    const terms = Array.from({ length: count }, (_, index) => {
      const [channel, row, column, value, weight] = numbers.subarray(3 + 5 * index, 8 + 5 * index);
      return { channel, row, column, value, weight };
    });
    return { bias, sum, result, terms };
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
    const address = this.exports.allocate(length);
    this.exports.copyMessage(address);
    const text = new TextDecoder().decode(
      new Uint8Array(this.exports.memory.buffer, address, length)
    );
    this.exports.release(address);
    return text;
  }
}

function faceOf([score, x, y, width, height, ...points]) {
  const landmarks = [0, 2, 4, 6, 8].map((index) => ({ x: points[index], y: points[index + 1] }));
  return {
    score,
    box: { x, y, width, height },
    landmarks: Number.isNaN(points[0]) ? [] : landmarks,
  };
}
