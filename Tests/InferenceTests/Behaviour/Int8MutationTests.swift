// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Int8 networks whose weight files were damaged: they are refused by name, or run in the
/// interpreter and in the engine, with int8 results in range.
@Suite struct Int8MutationTests {
  static let damage: [Float] = [
    .nan, .infinity, -.infinity, 0, -0.0, -1, .leastNonzeroMagnitude, 1e-18, 0x1p-60,
    .leastNormalMagnitude,
    .greatestFiniteMagnitude, 1e30,
  ]

  @Test(arguments: try LayerFixture.kinds().filter { $0.hasPrefix("Int8") })
  func areRefusedOrRun(kind: String) throws {
    var random = SeededGenerator(seed: 18)
    var (refused, run) = (0, 0)
    let rounds = Rounds.few(4, of: 12)
    for fixture in try LayerFixture.all() where fixture.kind == kind {
      let sound = [UInt8](fixture.bin)
      for _ in 0..<rounds {
        let bytes = damaged(sound, &random)
        if try runs(fixture, bytes) { run += 1 } else { refused += 1 }
      }
    }
    #expect(refused > 4 * rounds)
    #expect(run > 4 * rounds)
  }

  /// A few bytes changed, or a word that becomes an odd number.
  private func damaged(_ sound: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = sound
    if Bool.random(using: &random), let number = Self.damage.randomElement(using: &random) {
      let start = random.integer(0...sound.count / 4 - 1) * 4
      withUnsafeBytes(of: number.bitPattern.littleEndian) {
        bytes.replaceSubrange(start..<start + 4, with: $0)
      }
    } else {
      for _ in 0..<random.integer(1...4) {
        bytes[random.integer(0...bytes.count - 1)] = UInt8(random.integer(0...255))
      }
    }
    return bytes
  }

  private func runs(_ fixture: LayerFixture, _ bytes: [UInt8]) throws -> Bool {
    var network = try Network(param: Array(fixture.param.utf8), source: "damaged.param")
    do throws(ModelError) {
      try network.loadWeights(bytes, source: "damaged.bin")
    } catch {
      if case .byte(0...bytes.count) = error.position, error.file == "damaged.bin" { return false }
      Issue.record("\(fixture): \(error)")
      return false
    }
    let inputs = try fixture.tensors()
    let wanted = network.layers.flatMap(\.outputs).sorted()
    let bytesBlobs = try network.int8Blobs()
    let plain = try Interpreter(network).run(inputs, extracting: wanted)
    let fast = try Engine(network).run(inputs, extracting: wanted)
    for blobs in [plain, fast] {
      for name in bytesBlobs {
        let values = try #require(blobs[name]).values
        #expect(values.allSatisfy { abs($0) <= 127 && $0 == $0.rounded() }, "\(fixture): \(name)")
      }
    }
    return true
  }
}
