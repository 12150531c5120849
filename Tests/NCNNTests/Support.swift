// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceUntrusted

@testable import YOLOFaceNCNN

/// The folder of the hostile files.
enum Folder {
  static let hostile = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Hostile")
}

/// Reads a network from the text of a `.param` file.
func read(_ text: String) throws(ModelError) -> Network {
  try Network(param: Array(text.utf8), source: "test.param")
}

/// Reads a network of these layers; the first is on line 3.
func read(_ layers: [String]) throws(ModelError) -> Network { try read(networkText(layers)) }

/// Reads one layer, whose inputs come from `Input` layers; the layer is on line 3 + `inputs`.
func readLayer(
  _ kind: String, _ parameters: String = "", inputs: Int = 1, outputs: Int = 1
) throws -> Layer {
  let names = (0..<inputs).map { "in\($0)" }
  let blobs = (names + (0..<outputs).map { "out\($0)" }).joined(separator: " ")
  let layer = "\(kind) layer \(inputs) \(outputs) \(blobs) \(parameters)"
  let network = try read(names.map { "Input \($0) 0 1 \($0)" } + [layer])
  if let refusal = network.layers.last?.operation.refusal { throw refusal }
  return try #require(network.layers.last)
}

/// Reads one layer and returns the parameters of its operation.
func readOperation<Kind: LayerKind & Hashable>(
  _ kind: String, _ parameters: String = "", inputs: Int = 1, outputs: Int = 1
) throws -> Kind {
  let layer = try readLayer(kind, parameters, inputs: inputs, outputs: outputs)
  return try #require(layer.operation.as(Kind.self))
}

/// Reads one `key=value` pair as in a layer line.
func readPair(_ text: String) throws(ModelError) -> ParameterValue {
  try readPair(
    UntrustedText(text), Line(words: [UntrustedText(text)], number: 1, file: "test.param")
  ).value
}

/// The error that reading throws; records a failure where there is none.
@discardableResult
func refusal<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, _ read: () throws -> Value
) -> ModelError? {
  #expect(throws: ModelError.self, sourceLocation: sourceLocation) { _ = try read() }
}

/// The bytes of a `.bin` file, built by hand.
struct Bytes {
  var bytes: [UInt8] = []

  static func + (left: Bytes, right: Bytes) -> Bytes { Bytes(bytes: left.bytes + right.bytes) }

  static func word(_ word: UInt32) -> Bytes {
    Bytes(bytes: withUnsafeBytes(of: word.littleEndian, Array.init))
  }
  static func floats(_ values: Float...) -> Bytes { Bytes(bytes: floatBytes(values)) }
  static func raw(_ bytes: UInt8...) -> Bytes { Bytes(bytes: bytes) }
}
