// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceKernels

/// A place for the results of int8 kernels, in one of their forms, and what they should be.
struct ByteTargets {
  /// Forms that the tests try.
  enum Form: CaseIterable {
    case floats, integers, raisedIntegers, curve
  }

  let form: Form
  let lanes, blocks, pixels: Int
  let target: ByteTarget
  /// Powers of two, so that products are exact.
  private let factors, addends: [Float]
  private let curve = ByteCurve(
    values: (0..<32).map { UInt16(9000 + 1500 * $0) },
    slopes: (0..<32).map { Int16(9000 - 600 * $0) })
  private let memory: UnsafeMutablePointer<UInt8>
  private let pixelBytes, parts: Int

  /// The blocks lie apart, and something that must not be overwritten follows each.
  init(_ form: Form, lanes: Int, blocks: Int, pixels: Int, _ memory: Memory) {
    self.form = form
    self.lanes = lanes
    self.blocks = blocks
    self.pixels = pixels
    // Places on a curve are of 16 bits.
    let unit: Float = form == .curve ? 4 : 1 / 64
    factors = (0..<16 * blocks).map { unit / Float(1 << ($0 % 4)) }
    addends = (0..<16 * blocks).map { Float($0 % 5) / 4 - 0.5 }
    let (factors, addends) = (factors, addends)
    pixelBytes = form == .floats ? 4 * lanes : 16
    parts = form == .floats ? blocks * 16 / lanes : blocks
    self.memory = memory.place([UInt8](repeating: 0xA5, count: parts * (pixels + 1) * pixelBytes))
    let kernelForm: ByteForm =
      switch form {
      case .floats: .floats
      case .integers: .bytes(minimum: -127, zero: 127)
      case .raisedIntegers: .bytes(minimum: 0, zero: 3)
      case .curve: .curve(memory.place(curve.bytes))
      }
    var packed: [Float] = []
    for block in 0..<blocks {
      packed += factors[16 * block..<16 * (block + 1)]
      packed += addends[16 * block..<16 * (block + 1)]
    }
    let partBytes = (pixels + 1) * pixelBytes
    target = ByteTarget(
      form: kernelForm, start: self.memory,
      offsets: memory.place((0..<parts).map { $0 * partBytes }),
      factors: memory.place(packed))
  }

  /// The result of a curve, by its definition.
  private static func result(of curve: ByteCurve, at number: Float) -> UInt8 {
    let place = Int(max(-32768, min(number.rounded(.toNearestOrEven), 32767)))
    let line = (place + 65536) % 65536 / 2048
    let distance = Double((place + 65536) % 2048 * 32 - 32768)
    let rise = (distance * Double(curve.slopes[line]) / 65536).rounded(.down)
    return UInt8(((Double(curve.values[line]) + rise) / 256).rounded(.down))
  }

  /// Compares the results with those of sums.
  func requireResults(_ sum: (_ pixel: Int, _ channel: Int) -> Int32) throws {
    for pixel in 0..<pixels {
      for channel in 0..<16 * blocks {
        let number = Float(sum(pixel, channel)) * factors[channel] + addends[channel]
        if form == .floats {
          let offset =
            channel / lanes * (pixels + 1) * pixelBytes + pixel * pixelBytes + channel % lanes * 4
          let result = UnsafeRawPointer(memory).loadUnaligned(
            fromByteOffset: offset, as: Float.self)
          try #require(result == number, "pixel \(pixel), channel \(channel)")
        } else {
          let integer = Int8(max(-128, min(number.rounded(.toNearestOrEven), 127)))
          let expected: UInt8 =
            switch form {
            case .curve: Self.result(of: curve, at: number)
            case .raisedIntegers: UInt8(max(integer, 0)) + 3
            default: UInt8(Int(max(integer, -127)) + 127)
            }
          let offset = channel / 16 * (pixels + 1) * 16 + pixel * 16 + channel % 16
          try #require(memory[offset] == expected, "pixel \(pixel), channel \(channel)")
        }
      }
    }
    for part in 0..<parts {
      let end = part * (pixels + 1) * pixelBytes + pixels * pixelBytes
      try #require((end..<end + pixelBytes).allSatisfy { memory[$0] == 0xA5 }, "part \(part)")
    }
  }
}
