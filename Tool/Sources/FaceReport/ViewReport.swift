import FaceDecoding
import Formatting

/// The view in which positions are printed.
public struct ViewReport: Codable, Sendable {
  private enum CodingKeys: CodingKey {
    case width, height, coordinates
  }

  /// The size of what the view shows, in its pixels.
  public var width, height: Int
  /// The name of the coordinate system.
  public var coordinates: String
  /// The number of decimals of a position in text.
  var decimals: Int {
    let system = CoordinateSystem.allCases.first { $0.name == coordinates }
    return (system ?? .pixels).decimals.inText
  }

  /// The view of a space.
  public init(_ space: ViewSpace) {
    width = Int(space.canvasSize.width)
    height = Int(space.canvasSize.height)
    coordinates = space.coordinateSystem.name
  }

  /// The view in words.
  public var text: String { "view \(width) × \(height), coordinates \(coordinates)" }
}

extension CoordinateSystem {
  /// Its name as an option's value and in results.
  package var name: String { self == .normalizedFromBottomLeft ? "vision" : hyphenated(self) }

  /// The number of decimals of a position: a thousandth of a pixel, or a millionth of a side, is
  /// far finer than the network's accuracy.
  package var decimals: (inText: Int, inJSON: Int) {
    switch self {
    case .pixels, .pixelsFromBottomLeft: (1, 3)
    case .normalized, .normalizedFromBottomLeft: (4, 6)
    }
  }
}
