// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceNCNN

/// Truncates and changes a valid model everywhere; reading the result must never trap.
@Suite struct MutilationTests {
  static let param = Array(
    """
    7767517
    6 7
    Input data 0 1 data 0=8 1=8 2=4
    ConvolutionDepthWise c 1 1 data c 0=4 1=3 4=1 5=1 6=36 7=4 9=2 -23310=1,0.1
    Slice s 1 2 c a b -23300=2,-233,-233 1=0
    Crop x 1 1 a x -23309=1,1 -23310=1,-233 5="p q"
    Concat k 2 1 x b k 0=0 -23330=4,3,8,8,4
    Swish o 1 1 k o

    """.utf8)
  static let bin: [UInt8] =
    [0x47, 0x6B, 0x30, 0x01] + [UInt8](repeating: 0x3C, count: 72)
    + [UInt8](repeating: 0, count: 16)

  /// Whether the bytes are read without a warning, or properly refused; what is read must give the same
  /// layers when written and read again.
  private func isRead(_ param: [UInt8], _ bin: [UInt8]) throws -> Bool {
    let network: Network
    do throws(ModelError) {
      var read = try Network(param: param, source: "param")
      try read.loadWeights(bin, source: "bin")
      network = read
    } catch {
      return false
    }
    let again = try Network(param: Array(network.paramText().utf8), source: "again")
    try #require(again.layers.written == network.layers.written)
    try #require(again.paramText() == network.paramText())
    return network.warnings.isEmpty && network.unknownLayers.isEmpty
  }

  @Test func everyTruncation() throws {
    for length in Self.param.indices {
      // Only the final newline may be missing, or whole layers, of which there is a warning.
      let part = Array(Self.param[..<length])
      guard try isRead(part, Self.bin), length < Self.param.count - 1 else { continue }
      #expect(try !Network(param: part, source: "part").warnings.isEmpty, "length \(length)")
    }
    for length in Self.bin.indices {
      #expect(try !isRead(Self.param, Array(Self.bin[..<length])))
    }
  }

  @Test func everyByteChanged() throws {
    var random = SeededGenerator(seed: 1)
    var (readCount, trialCount) = (0, 0)
    for index in Self.param.indices {
      let syntax = "0123456789-=,. \"\n\r\te".utf8
      var values = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
      values += (0..<8).map { _ in syntax.randomElement(using: &random) ?? 0 }
      for value in values {
        var param = Self.param
        param[index] = value
        if try isRead(param, Self.bin) { readCount += 1 }
        trialCount += 1
      }
    }
    // Some changes, such as to names or padding, are harmless, but not all.
    #expect(readCount > trialCount / 100 && readCount < trialCount / 2)
  }

  @Test func manyBytesChanged() throws {
    var random = SeededGenerator(seed: 2)
    var readCount = 0
    for _ in 0..<2000 {
      var param = Self.param
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: param.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: param[index] = UInt8.random(in: 0...255, using: &random)
        case 1: param.remove(at: index)
        default: param.insert(contentsOf: param[index...].prefix(9), at: index)
        }
      }
      if try isRead(param, Self.bin) { readCount += 1 }
    }
    #expect(readCount > 0 && readCount < 2000)
  }

  /// Valid parameters of each kind.
  static let kinds = [
    ("Input", "0=8 1=8 2=4"), ("MemoryData", "0=4"), ("Convolution", "0=4 1=3 4=1 5=1 6=36"),
    ("ConvolutionDepthWise", "0=4 1=3 4=1 5=1 6=36 7=4"), ("InnerProduct", "0=4 1=1 2=16"),
    ("Pooling", "0=0 1=2 2=2"), ("Interp", "0=1 1=2.0 2=2.0"), ("Concat", "0=0"),
    ("Slice", "-23300=1,-233 1=0"), ("ShuffleChannel", "0=2"), ("Reshape", "0=2 1=-1"),
    ("Permute", "0=1"), ("Padding", "0=1 1=1 2=1 3=1"), ("Crop", "-23309=1,1 -23310=1,-233"),
    ("BatchNorm", "0=4"), ("Scale", "0=4 1=1"), ("GroupNorm", "0=2 1=4"), ("ReLU", "0=0.1"),
    ("PReLU", "0=4"), ("HardSwish", "0=0.2 1=0.5"), ("Softmax", "0=0 1=1"),
    ("BinaryOp", "0=0 1=1 2=1.0"), ("Eltwise", "0=1"),
  ]

  @Test(arguments: kinds)
  func everyKindWithExtremeParameters(_ kind: String, sound: String) throws {
    let numbers = [
      "-2147483648", "-233", "-234", "-1", "0", "1", "2", "3", "4", "1048576", "268435456",
      "2147483647", "1.0", "-0.0", "1e38", "1e-45", "word", "\"\"", "1,2", "-1,-1,-1",
    ]
    var random = SeededGenerator(seed: 5)
    var readCount = 0
    for _ in 0..<600 {
      // The valid parameters with up to three extreme ones, or the extreme ones alone.
      let isSound = Int.random(in: 0...3, using: &random) > 0
      let keys = Array(0...21).shuffled(using: &random).prefix(
        Int.random(in: 0...(isSound ? 3 : 8), using: &random))
      let kept = sound.split(separator: " ").filter { word in
        isSound && !keys.contains { word.hasPrefix("\($0)=") || word.hasPrefix("\(-23300 - $0)=") }
      }
      let parameters =
        kept.map(String.init)
        + keys.map { "\($0)=\(numbers.randomElement(using: &random) ?? "0")" }
      let inputs =
        ["Input": 0, "MemoryData": 0][kind] ?? Int.random(in: 1...2, using: &random)
      do {
        let layer = try readLayer(kind, parameters.joined(separator: " "), inputs: inputs)
        #expect(layer.weightRequests.allSatisfy { $0.count > 0 })
        readCount += 1
      } catch is ModelError {}
    }
    #expect(readCount > 30 && readCount < 600, "\(readCount): some values are beyond every limit")
  }

  @Test func everyTagByteChanged() throws {
    for index in 0..<4 {
      for value in UInt8.min...UInt8.max {
        var bin = Self.bin
        bin[index] = value
        // Every other tag requires another number of bytes.
        #expect(try isRead(Self.param, bin) == (value == Self.bin[index]))
      }
    }
  }
}

extension [Layer] {
  /// Those that are known as a `.param` file describes them, without their lines and weights.
  fileprivate var written: [Layer] {
    filter { $0.operation.isKnown }.map { layer in
      var layer = layer
      layer.line = 0
      layer.weights = []
      return layer
    }
  }
}
