/// Parameters of Eltwise: blobs of equal shape combined element by element.
public struct Eltwise: Hashable, Sendable {
  /// How the elements are combined.
  public enum Combination: Hashable, Sendable {
    /// Their product.
    case product
    /// Their sum, each multiplied by its coefficient; without coefficients, all are 1.
    case sum(coefficients: [Float])
    /// The largest.
    case maximum
  }

  /// How the elements are combined.
  public var combination: Combination

  init(_ reader: ParameterReader) throws(ModelError) {
    let coefficients = try reader.reals(1, "coeffs")
    combination =
      switch try reader.integer(0, "op_type", default: 0, in: 0...2) {
      case 0: .product
      case 1: .sum(coefficients: coefficients)
      default: .maximum
      }
  }
}
