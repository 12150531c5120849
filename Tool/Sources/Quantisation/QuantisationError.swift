/// Why a network cannot be quantised.
public enum QuantisationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No layer can be int8, or all that can be are.
  case noLayers(model: String)
  /// A blob holds a number that no scale can represent.
  case notFinite(blob: String)
  /// A blob has another number of channels than in an earlier run.
  case channels(blob: String, found: Int, expected: Int)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .noLayers(let model):
      "\(model): found no convolution or inner product in floating point, expected some"
    case .notFinite(let blob):
      "found NaN or infinity in the blob \(blob), expected finite numbers"
    case .channels(let blob, let found, let expected):
      "found \(found) channels of the blob \(blob), expected \(expected) as in earlier runs"
    }
  }
}
