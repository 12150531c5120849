import Testing

@testable import NCNN

@Suite struct WeightReaderTests {
  static let half = Bytes.word(0x0130_6B47)
  static let int8 = Bytes.word(0x000D_4B38)
  static let kept = Bytes.word(0x0002_C056)

  /// An InnerProduct with `count` weights, and a second one that shows where the first one ends.
  static func param(_ count: Int, _ parameters: String = "") -> [String] {
    [
      "Input i 0 1 a", "InnerProduct p 1 1 a b 0=1 2=\(count) \(parameters)",
      "InnerProduct q 1 1 b c 0=1 2=1",
    ]
  }
  static let end = Bytes.word(0) + .floats(42)

  private func load(
    _ param: [String], _ bytes: Bytes
  ) throws(ModelError) -> [[WeightArray.Storage]] {
    var network = try read(param)
    try network.loadWeights(bytes.bytes, source: "test.bin")
    return network.layers.map { $0.weights.map(\.storage) }
  }

  @Test func float32() throws {
    let weights = try load(Self.param(3), .word(0) + .floats(1, -2, 0.5) + Self.end)
    #expect(weights == [[], [.float32([1, -2, 0.5])], [.float32([42])]])
  }

  @Test func keptFloat32() throws {
    let weights = try load(Self.param(2), Self.kept + .floats(1, -2) + Self.end)
    #expect(weights[1] == [.keptFloat32([1, -2])])
    #expect(weights[2] == [.float32([42])])
  }

  @Test(
    arguments: [
      (1, [0x00, 0x3C, 0, 0]), (2, [0x00, 0x3C, 0x01, 0xC0]),
      (3, [0x00, 0x3C, 0x01, 0xC0, 5, 0, 0, 0]),
    ] as [(Int, [UInt8])])
  func float16(_ count: Int, _ stored: [UInt8]) throws {
    let weights = try load(Self.param(count), Self.half + Bytes(bytes: stored) + Self.end)
    #expect(weights[1] == [.float16(Array([0x3C00, 0xC001, 5].prefix(count)))])
    #expect(weights[2] == [.float32([42])])
  }

  @Test(
    arguments: [
      ([1], [1, 0, 0, 0]), ([1, -1], [1, 0xFF, 0, 0]), ([1, -1, -128], [1, 0xFF, 0x80, 0]),
      ([1, -1, -128, 127], [1, 0xFF, 0x80, 0x7F]),
      ([1, -1, -128, 127, 9], [1, 0xFF, 0x80, 0x7F, 9, 0, 0, 0]),
    ] as [([Int8], [UInt8])])
  func int8(_ values: [Int8], _ stored: [UInt8]) throws {
    let weights = try load(
      Self.param(values.count, "8=2"), Self.int8 + Bytes(bytes: stored) + .floats(10, 20) + Self.end
    )
    #expect(weights[1] == [.int8(values), .untagged([10]), .untagged([20])])
    #expect(weights[2] == [.float32([42])])
  }

  @Test(arguments: [(1, 3), (2, 2), (3, 1), (4, 0), (5, 3)])
  func table(_ count: Int, _ padding: Int) throws {
    var bytes = Bytes.word(0xFF)
    for index in 0..<256 { bytes = bytes + .floats(Float(index) * 0.25) }
    let indices = Array([7, 0, 255, 128, 1].prefix(count)) as [UInt8]
    bytes = bytes + Bytes(bytes: indices + [UInt8](repeating: 0, count: padding)) + Self.end
    let weights = try load(Self.param(count), bytes)
    let values = (0..<256).map { Float($0) * 0.25 }
    #expect(weights[1] == [.table(tag: 0xFF, values: values, indices: indices)])
    #expect(weights[2] == [.float32([42])])
  }

  @Test func biasesAreRaw() throws {
    let weights = try load(
      ["Input i 0 1 a", "Convolution c 1 1 a b 0=3 1=1 5=1 6=3"],
      Self.half + .raw(0, 0x3C, 0, 0x40, 0, 0x42, 0, 0) + .floats(0.5, 0.25, -1))
    #expect(weights[1] == [.float16([0x3C00, 0x4000, 0x4200]), .untagged([0.5, 0.25, -1])])
  }

  @Test func memoryDataWithAndWithoutTag() throws {
    let weights = try load(
      ["MemoryData m 0 1 a 0=2", "MemoryData n 0 1 b 0=1 1=2 21=0"],
      .floats(1, 2) + Self.half + .raw(0, 0x3C, 0, 0x40))
    #expect(weights == [[.untagged([1, 2])], [.float16([0x3C00, 0x4000])]])
  }

  @Test func everyKindOfArrayInItsOrder() throws {
    let weights = try load(
      [
        "Input i 0 1 a", "BatchNorm n 1 1 a b 0=1", "Scale s 1 1 b c 0=2 1=1",
        "GroupNorm g 1 1 c d 0=1 1=1", "PReLU p 1 1 d e 0=1", "Padding q 1 1 e f 6=1",
        "GroupNorm h 1 1 f g 0=1 1=1 3=0",
      ], .floats(1, 2, 3, 4) + .floats(5, 6, 7, 8) + .floats(9, 10) + .floats(11) + .floats(12))
    let stored: [[WeightArray.Storage]] = [
      [], [.untagged([1]), .untagged([2]), .untagged([3]), .untagged([4])],
      [.untagged([5, 6]), .untagged([7, 8])], [.untagged([9]), .untagged([10])],
      [.untagged([11])], [.untagged([12])], [],
    ]
    #expect(weights == stored)
  }

  @Test func everyTruncationSaysWhere() throws {
    let bytes = (Self.half + .raw(0, 0x3C, 1, 0, 2, 0, 0, 0) + Self.end).bytes
    // The offsets of the tag, the weights, the second tag and its weight.
    let starts = [0, 4, 12, 16, 20]
    for length in bytes.indices {
      let error = try #require(
        refusal { try load(Self.param(3), Bytes(bytes: Array(bytes[..<length]))) })
      let start = starts.last { $0 <= length } ?? 0
      #expect(error.position == .byte(start))
      #expect(error.reason == .weights)
      #expect(error.found == "\(length - start) bytes left")
      #expect(error.file == "test.bin")
    }
  }

  @Test func bytesBehindTheWeightsAreKept() throws {
    var network = try read(Self.param(1))
    let bytes = (.word(0) + .floats(1) + Self.end + .raw(7, 8, 9)).bytes
    try network.loadWeights(bytes, source: "test.bin")
    #expect(network.warnings == ["test.bin, byte 16: 3 bytes after the last weights are not read"])
    #expect(network.weightBytes() == bytes)
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
    #expect(
      network.warnings
        == (count == 0
          ? []
          : [
            "test.param:5: the kind Magic is unknown: the weights of the layers behind it are not read"
          ]))
    #expect(network.weightBytes() == bytes)
  }

  @Test func weightsAreUntouchedAfterAFailure() throws {
    var network = try read(Self.param(2))
    let bytes = (.word(0) + .floats(1, 2) + .word(0)).bytes
    refusal { try network.loadWeights(bytes, source: "test.bin") }
    #expect(network.layers.allSatisfy { $0.weights.isEmpty })
  }
}
