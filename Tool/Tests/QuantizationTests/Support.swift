// SPDX-License-Identifier: Apache-2.0
import TestSupport
import YOLOFaceNCNN

/// A network from the lines of its layers, with weights that are small whole numbers.
func network(_ lines: String, weights: [[Float]] = []) throws -> Network {
  let text = networkText(lines.split(separator: "\n").map(String.init))
  var network = try Network(param: Array(text.utf8), source: "test.param")
  try network.loadWeights(floatBytes(weights.flatMap { $0 }), source: "test.bin")
  return network
}
