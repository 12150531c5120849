// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceNCNN

@Suite struct WeightReaderTests {
  static let half = Bytes.word(0x0130_6B47)
  static let int8 = Bytes.word(0x000D_4B38)
  static let kept = Bytes.word(0x0002_C056)

  /// An InnerProduct, and a second one that shows where the first one ends.
  static func param(_ parameters: String) -> [String] {
    ["Input i 0 1 a", "InnerProduct p 1 1 a b \(parameters)", "InnerProduct q 1 1 b c 0=1 2=1"]
  }
  static let end = Bytes.word(0) + .floats(42)

  private func load(
    _ param: [String], _ bytes: Bytes
  ) throws(ModelError) -> [[WeightArray.Storage]] {
    var network = try read(param)
    try network.loadWeights(bytes.bytes, source: "test.bin")
    return network.layers.map { $0.weights.map(\.storage) }
  }

  private static let table = (0..<256).map { Float($0) * 0.25 }

  /// Arrays of no multiple of four bytes are padded.
  @Test(
    arguments: [
      ("0=1 2=3", .word(0) + .floats(1, -2, 0.5), [.float32([1, -2, 0.5])]),
      ("0=1 2=2", kept + .floats(1, -2), [.keptFloat32([1, -2])]),
      ("0=1 2=1", half + .raw(0, 0x3C, 0, 0), [.float16([0x3C00])]),
      ("0=1 2=2", half + .raw(0, 0x3C, 1, 0xC0), [.float16([0x3C00, 0xC001])]),
      (
        "0=1 2=3 1=1", half + .raw(0, 0x3C, 1, 0xC0, 5, 0, 0, 0) + .floats(0.5),
        [.float16([0x3C00, 0xC001, 5]), .untagged([0.5])]
      ),
    ] as [(String, Bytes, [WeightArray.Storage])]
      + [[1], [1, -1], [1, -1, -128], [1, -1, -128, 127], [1, -1, -128, 127, 9]].map {
        (values: [Int8]) in
        let stored = padded(values.map { UInt8(bitPattern: $0) })
        return (
          "0=1 2=\(values.count) 8=2", int8 + stored + .floats(10, 20),
          [.int8(values), .untagged([10]), .untagged([20])]
        )
      }
      + (1...5).map { count in
        let indices = Array([7, 0, 255, 128, 1].prefix(count)) as [UInt8]
        return (
          "0=1 2=\(count)", .word(0xFF) + Bytes(bytes: floatBytes(table)) + padded(indices),
          [.table(tag: 0xFF, values: table, indices: indices)]
        )
      })
  func arrays(_ parameters: String, _ bytes: Bytes, _ stored: [WeightArray.Storage]) throws {
    let weights = try load(Self.param(parameters), bytes + Self.end)
    #expect(weights == [[], stored, [.float32([42])]])
  }

  private static func padded(_ bytes: [UInt8]) -> Bytes {
    Bytes(bytes: bytes + [UInt8](repeating: 0, count: -bytes.count & 3))
  }

  @Test func everyTruncationSaysWhere() throws {
    let bytes = (Self.half + .raw(0, 0x3C, 1, 0, 2, 0, 0, 0) + Self.end).bytes
    // The offsets of the tag, the weights, the second tag and its weight.
    let starts = [0, 4, 12, 16, 20]
    for length in bytes.indices {
      let error = try #require(
        refusal { try load(Self.param("0=1 2=3"), Bytes(bytes: Array(bytes[..<length]))) })
      let start = starts.last { $0 <= length } ?? 0
      #expect(error.position == .byte(start) && error.reason == .weights)
      #expect(error.found == "\(length - start) bytes left" && error.file == "test.bin")
    }
  }

  @Test func bytesBehindTheWeightsAreKept() throws {
    var network = try read(Self.param("0=1 2=1"))
    let bytes = (.word(0) + .floats(1) + Self.end + .raw(7, 8, 9)).bytes
    try network.loadWeights(bytes, source: "test.bin")
    #expect(network.warnings == ["test.bin, byte 16: 3 bytes after the last weights are not read"])
    #expect(network.weightBytes() == bytes)
  }

  /// Numbers that are no factors of a sum may be as large as any: those of masks, borders and variances.
  @Test(
    arguments: [
      ("InnerProduct p 1 1 a b 0=1 2=2", .word(0) + .floats(-1e6, 1e6)),
      ("MemoryData m 0 1 b 0=2", .floats(-.infinity, .greatestFiniteMagnitude)),
      ("Padding p 1 1 a b 6=2", .floats(-.infinity, -1e9)),
      ("BatchNorm n 1 1 a b 0=1", .floats(1, 1e9, 1e12, 0)),
      (
        "Gemm g 1 1 a b 5=1 6=1 7=1 8=1 9=1 10=0",
        .word(0) + .floats(2) + .word(0) + .floats(-1e9)
      ),
    ] as [(String, Bytes)])
  func constantsMayBeLarge(layer: String, bytes: Bytes) throws {
    let weights = try load(["Input i 0 1 a", layer], bytes)
    #expect(weights[1].isEmpty == false)
  }

  /// Where the kind in the middle has weights, those behind it cannot be found.
  @Test(arguments: [0, 1, 2])
  func weightsAroundAnUnknownKind(count: Int) throws {
    var network = try read([
      "Input i 0 1 a", "InnerProduct p 1 1 a b 0=1 2=1", "Magic m 1 1 b c",
      "InnerProduct q 1 1 c d 0=1 2=1",
    ])
    let own = (0..<count).reduce(Bytes()) { bytes, _ in bytes + .floats(3) }
    let bytes = (.word(0) + .floats(1) + own + Self.end).bytes
    try network.loadWeights(bytes, source: "test.bin")
    #expect(network.layers.map(\.weights.count) == [0, 1, 0, count == 0 ? 1 : 0])
    let warning = "the kind Magic is unknown: the weights of the layers behind it are not read"
    #expect(network.warnings == (count == 0 ? [] : ["test.param:5: \(warning)"]))
    #expect(network.weightBytes() == bytes)
  }

  @Test func weightsAreUntouchedAfterAFailure() throws {
    var network = try read(Self.param("0=1 2=2"))
    let bytes = (.word(0) + .floats(1, 2) + .word(0)).bytes
    refusal { try network.loadWeights(bytes, source: "test.bin") }
    #expect(network.layers.allSatisfy { $0.weights.isEmpty })
  }
}
