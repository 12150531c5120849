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

  /// Requires the same integers, or floats that differ by no more than a tolerance.
  func requireEqual(_ blob: Tensor?, within tolerance: Float, _ place: Comment) throws {
    let integers = int8?.map { Float(Int8(bitPattern: $0)) }
    try #require(blob, place).require(
      shape, try integers ?? #require(float32).floats, within: integers == nil ? tolerance : 0,
      place)
  }
}

extension Data {
  /// Little-endian numbers.
  fileprivate var floats: [Float] {
    [UInt8](self).withUnsafeBytes { bytes in
      stride(from: 0, to: count, by: 4).map {
        Float(
          bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self))
        )
      }
    }
  }
}
