// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// How the bytes of a picture become the numbers that a network takes:
/// `(byte − mean) / divisor` by each colour's mean and divisor, in a plane for each colour.
public struct Normalization: Hashable, Sendable {
  /// The order of the planes.
  public enum Order: Hashable, Sendable {
    /// Red, green, blue.
    case rgb
    /// Blue, green, red.
    case bgr

    /// The index of a plane's byte in a pixel of red, green and blue.
    func byte(ofPlane plane: Int) -> Int {
      switch self {
      case .rgb: plane
      case .bgr: 2 - plane
      }
    }
  }

  /// What is subtracted from red, green and blue, whatever the order of the planes.
  public let mean: SIMD3<Float>
  /// What the differences of red, green and blue are divided by.
  public let divisors: SIMD3<Float>
  /// The order of the planes.
  public let order: Order

  /// The bytes themselves: red, green and blue from 0 to 255.
  public static let bytes = Normalization()

  /// Makes a normalisation that divides all colours by one number.
  ///
  /// - Precondition: all numbers are finite, `divisor` is not 0.
  public init(mean: SIMD3<Float> = .zero, divisor: Float = 1, order: Order = .rgb) {
    self.init(mean: mean, divisors: SIMD3(repeating: divisor), order: order)
  }

  /// Makes a normalisation from its parts.
  ///
  /// - Precondition: all numbers are finite, no divisor is 0.
  public init(mean: SIMD3<Float> = .zero, divisors: SIMD3<Float>, order: Order = .rgb) {
    precondition((0..<3).allSatisfy { mean[$0].isFinite }, "a mean must be finite, not \(mean)")
    precondition(
      (0..<3).allSatisfy { divisors[$0].isFinite && divisors[$0] != 0 },
      "a picture cannot be divided by \(divisors)")
    self.mean = mean
    self.divisors = divisors
    self.order = order
  }

  /// The planes of a picture's pixels, of three bytes each, plane by plane.
  func planes(of bytes: UnsafePointer<UInt8>, pixels: Int) -> [Float] {
    (0..<3 * pixels).map { index in
      let (plane, pixel) = index.quotientAndRemainder(dividingBy: pixels)
      let byte = order.byte(ofPlane: plane)
      return (Float(bytes[3 * pixel + byte]) - mean[byte]) / divisors[byte]
    }
  }
}

extension Tensor {
  /// A picture of 8-bit RGB, rows × columns × 3, as a network takes it, 3 × rows × columns.
  ///
  /// - Throws: `InferenceError` unless rows and columns are positive and match the picture's bytes.
  public init(
    picture: [UInt8], rows: Int, columns: Int, _ normalization: Normalization = .bytes
  ) throws(InferenceError) {
    try requirePicture(picture, rows: rows, columns: columns)
    let values = picture.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { normalization.planes(of: $0, pixels: rows * columns) } ?? []
    }
    try self.init(shape: [3, rows, columns], values: values)
  }
}

/// Refuses a picture that does not have rows × columns × 3 bytes. It divides, since a product could
/// overflow and an array of factors would allocate in every run.
func requirePicture(_ picture: [UInt8], rows: Int, columns: Int) throws(InferenceError) {
  let pixels = picture.count / 3
  guard rows > 0, columns > 0, picture.count.isMultiple(of: 3),
    pixels.quotientAndRemainder(dividingBy: rows) == (columns, 0)
  else {
    throw InferenceError(
      .input, found: "\(picture.count) bytes", expected: "\(rows) × \(columns) × 3")
  }
}
