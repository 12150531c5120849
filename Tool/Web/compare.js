// node Tool/Web/compare.js WASM PARAM BIN INPUT BLOB=NPY...: computes blobs by the engine in WebAssembly and compares
// them with arrays that the tool wrote; prints each blob's largest difference and ends with 1 if one differs.

"use strict";

const fs = require("fs");

const [wasm, param, bin, input, ...blobs] = process.argv.slice(2);

/// A NumPy array of float32, as the tool writes it.
function array(path) {
  const bytes = fs.readFileSync(path);
  const length = bytes.readUInt16LE(8);
  const header = bytes.toString("latin1", 10, 10 + length);
  const shape = header.match(/'shape': \(([^)]*)\)/)[1].split(",").map(Number).filter(Boolean);
  return { shape, values: new Float32Array(Uint8Array.from(bytes.subarray(10 + length)).buffer) };
}

async function main() {
  const host = { seconds: () => performance.now() / 1000 };
  const { instance } = await WebAssembly.instantiate(fs.readFileSync(wasm), { host });
  const engine = instance.exports;
  engine.__wasm_call_ctors();
  const copied = (bytes) => {
    const address = engine.allocate(bytes.length);
    new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
    return address;
  };
  const files = [param, bin].map((path) => fs.readFileSync(path));
  const opened = engine.open(copied(files[0]), files[0].length, copied(files[1]), files[1].length);
  const { shape, values } = array(input);
  const names = Buffer.from(blobs.map((blob) => blob.split("=")[0]).join("\n"));
  const at = copied(new Uint8Array(values.buffer));
  if (!opened || !engine.compute(at, ...shape.slice(-3), copied(names), names.length)) {
    throw new Error("the engine refused the model or the input");
  }
  blobs.forEach((blob, index) => compare(engine, index, ...blob.split("=")));
}

function compare(engine, index, name, path) {
  const expected = array(path).values;
  const target = engine.allocate(4 * expected.length);
  const axes = engine.allocate(16);
  const sizes = new Int32Array(engine.memory.buffer, axes, engine.blobShape(index, axes));
  const count = sizes.reduce((product, size) => product * size, 1);
  if (count !== expected.length) throw new Error(`${name} has ${count} values, not ${expected.length}`);
  engine.copyBlob(index, target);
  const found = new Float32Array(engine.memory.buffer, target, count);
  let difference = 0;
  found.forEach((value, place) => {
    if (!Object.is(value, expected[place])) {
      difference = Math.max(difference, Math.abs(value - expected[place]) || Number.MIN_VALUE);
    }
  });
  console.log(`${name}: ${count} values, ${difference === 0 ? "the same bits" : `differ by ${difference}`}`);
  if (difference > 0) process.exitCode = 1;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
