import FaceDecoding
import Formatting

/// The view in which positions are printed.
public struct ViewReport: Codable, Sendable {
  private enum CodingKeys: CodingKey {
    case width, height, coordinates
  }

  /// Of what the view shows, in its pixels.
  public var width, height: Int
  /// The name of the coordinate system.
  public var coordinates: String
  /// How many of them a position has in text.
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

  /// Its words in text.
  public var text: String { "view \(width) × \(height), coordinates \(coordinates)" }
}

extension CoordinateSystem {
  /// Its name as a flag and in results.
  package var name: String { self == .normalizedFromBottomLeft ? "vision" : hyphenated(self) }

  /// How finely positions are printed: a thousandth of a pixel, and a millionth of a side, are far
  /// below what the network can tell.
  package var decimals: (inText: Int, inJSON: Int) {
    switch self {
    case .pixels, .pixelsFromBottomLeft: (1, 3)
    case .normalized, .normalizedFromBottomLeft: (4, 6)
    }
  }
}
