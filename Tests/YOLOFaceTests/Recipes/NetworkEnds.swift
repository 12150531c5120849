// SPDX-License-Identifier: Apache-2.0
import TestSupport
import YOLOFaceNCNN

/// The text of a network that pools its input to each stride and ends in convolutions there.
struct NetworkEnds {
  private var layers = ["Input image 0 1 image"]
  private var splits: [String] = []

  /// Adds a layer with one output, which is called as the layer is.
  mutating func add(_ kind: String, _ name: String, _ inputs: [String], _ parameters: String = "") {
    layers.append(
      "\(kind) \(name) \(inputs.count) 1 \(inputs.joined(separator: " ")) \(name) \(parameters)")
  }

  /// Adds a convolution of the input pooled to a stride.
  mutating func addMap(_ name: String, stride: Int, channels: Int, activation: String = "") {
    splits.append("\(name)-in")
    add("Pooling", "\(name)-pool", ["\(name)-in"], "0=1 1=\(stride) 2=\(stride)")
    add(
      "Convolution", name, ["\(name)-pool"], "0=\(channels) 1=1 5=1 6=\(3 * channels) \(activation)"
    )
  }

  /// Adds maps at each stride, with the channels that are given for their names, which the stride follows.
  mutating func addMaps(_ maps: KeyValuePairs<String, Int>, strides: [Int] = [8, 16, 32]) {
    for stride in strides {
      for (name, channels) in maps {
        addMap("\(name)\(stride)", stride: stride, channels: channels)
      }
    }
  }

  /// The network; it has no weights.
  func network() throws -> Network {
    let split = "Split split 1 \(splits.count) image \(splits.joined(separator: " "))"
    let text = networkText([layers[0], split] + layers.dropFirst())
    return try Network(param: Array(text.utf8), source: "ends.param")
  }
}
