// SPDX-License-Identifier: Apache-2.0
import Foundation
import YOLOFaceNCNN

/// The text of a network of these layers: a `.param` file, whose second line counts the layers and their blobs.
package func networkText(_ layers: [String]) -> String {
  let blobs = layers.reduce(0) { $0 + (Int($1.split(separator: " ", maxSplits: 4)[3]) ?? 0) }
  return "7767517\n\(layers.count) \(blobs)\n" + layers.joined(separator: "\n") + "\n"
}

extension Network {
  /// A network of these layers, with the bytes of a `.bin` file if they are given.
  package init(_ lines: [String], weights: [UInt8]? = nil) throws {
    try self.init(param: Array(networkText(lines).utf8), source: "test.param")
    if let weights { try loadWeights(weights, source: "test.bin") }
  }

  /// A network of an input `data` and these layers.
  package init(layers: [String], weights: [UInt8]? = nil) throws {
    try self.init(["Input data 0 1 data"] + layers, weights: weights)
  }
}

/// The bytes of numbers as a `.bin` file has them.
package func floatBytes(_ numbers: [Float]) -> [UInt8] { numbers.withUnsafeBytes { [UInt8]($0) } }

/// Writes a network of these layers, and its weights, to `m.param` and `m.bin` or files of another name.
@discardableResult package func writeModel(
  _ layers: [String], weights: [Float] = [], named name: String = "m", in folder: URL
) throws -> (param: String, bin: String) {
  let (param, bin) = (
    folder.appending(path: "\(name).param"), folder.appending(path: "\(name).bin")
  )
  try writeText(networkText(layers), to: param)
  try Data(floatBytes(weights)).write(to: bin)
  return (param.path, bin.path)
}
