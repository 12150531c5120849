import Foundation
@testable import NCNN
import TestSupport
import Testing

/// A blob of upstream ncnn, in a recording that a script in `Fixtures` made.
struct RecordedBlob: Decodable, Sendable {
  var shape: [Int]
  /// Its elements as bytes, if it is int8.
  var int8: Data?
  /// Otherwise, as little-endian numbers.
  var float32: Data?

  /// Requires the same integers, or floats that differ by less than a tolerance: relative above 1,
  /// absolute below.
  func requireEqual(_ blob: Tensor?, within tolerance: Float, _ place: Comment) throws {
    let blob = try #require(blob, place)
    try #require(blob.shape == shape, place)
    if let int8 {
      #expect(blob.values == int8.map { Float(Int8(bitPattern: $0)) }, place)
    } else {
      let floats = try #require(float32).floats
      try #require(blob.values.count == floats.count, place)
      #expect(largestDifference(of: blob.values, from: floats) < tolerance, place)
    }
  }
}

extension Data {
  /// Little-endian numbers.
  fileprivate var floats: [Float] {
    let bytes = [UInt8](self)
    return stride(from: 0, to: bytes.count - 3, by: 4).map { start in
      Float(
        bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << (8 * UInt32($1)) })
    }
  }
}
