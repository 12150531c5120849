// Runs any network in ncnn's format, face detector or not, and summarises its outputs: `swift run
// RunAnotherModel model.param model.bin input.npy`. Inputs without an array are filled with 0.5.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import YOLOFace
import YOLOFaceInference
import YOLOFaceNCNN

let paths = Array(CommandLine.arguments.dropFirst())
let network =
  paths.count >= 2
  ? try Network(param: paths[0], bin: paths[1])
  : try Network.embedded()

var inputs: [String: Tensor] = [:]
for layer in network.layers {
  guard let declared = layer.input else { continue }
  // A model may leave rows and columns open, to take pictures of any size.
  let shape = declared.sizes.isEmpty ? [declared.channels ?? 3, 64, 64] : declared.sizes
  let values = [Float](repeating: 0.5, count: shape.reduce(1, *))
  inputs[layer.outputs[0]] = try Tensor(shape: shape, values: values)
}
if paths.count >= 3, let first = network.inputs.first {
  inputs[first] = try NPY.read(path: paths[2])
}

let engine = try Engine(network, threads: 2)
let outputs = try engine.run(inputs, extracting: network.outputs)
for name in network.outputs {
  guard let output = outputs[name] else { continue }
  let shape = output.shape.map(String.init).joined(separator: " × ")
  let mean = output.values.reduce(0, +) / Float(output.values.count)
  print("\(name): \(shape), mean \(mean)")
}
