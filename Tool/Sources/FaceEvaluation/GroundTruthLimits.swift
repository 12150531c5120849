/// Limits beyond which a file of a data set is refused, far above what published data sets need.
public enum GroundTruthLimits {
  /// Bytes of a file about many pictures.
  public static let fileBytes = 64 << 20
  /// Bytes of a file about one picture.
  public static let pictureFileBytes = 4 << 20
  /// Pictures in a data set.
  static let pictures = 1_000_000
  /// Faces in a picture; the fullest of WIDER FACE has about two thousand.
  static let faces = 20_000
  /// The distance from the origin along an axis, in pixels.
  static let coordinate = 1e7
  /// Bytes of a picture's path.
  static let nameBytes = 1024
  /// How deep the values of a JSON file may be nested.
  static let depth = 32
  /// Values of a JSON file: twice what all faces of WIDER FACE take in COCO's form.
  static let values = 1 << 22
}

/// A decimal number within `GroundTruthLimits.coordinate`; nil for any other text.
///
/// `Double(_:)` alone would also accept hexadecimal, and stop at a zero byte.
func decimalNumber(_ text: String) -> Double? {
  let isDecimal = text.utf8.allSatisfy { byte in
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
  guard isDecimal, let number = Double(text), number.magnitude <= GroundTruthLimits.coordinate
  else {
    return nil
  }
  return number
}
