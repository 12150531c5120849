import FaceDecoding
import Geometry

/// How many looks a search takes at a picture.
///
/// A network sees faces of some 10 to 300 pixels of its input, and upright. Further looks enlarge the
/// picture, part by part, until tiny faces are large enough, and turn it until faces on their side are upright.
public struct SearchEffort: Sendable, Hashable {
  /// How many times as large as in the first look the picture is in the last one, in tiles where that is
  /// too large for one input. Each look before it is half as large as the next. A picture is never
  /// enlarged more than 3.2 times. nil chooses by the picture's size: up to its own pixels, or somewhat
  /// enlarged where it is small.
  public var tiles: Int?
  /// In how many directions the picture is searched, 1 or 4: upright alone, or by quarter turns too.
  public var rotations: Int

  /// One look at the whole picture, upright.
  public static let once = SearchEffort(tiles: 1, rotations: 1)
  /// As many tiles as the picture's size asks for, and all four quarter turns.
  public static let thorough = SearchEffort(tiles: nil, rotations: 4)

  /// The numbers of tiles that can be asked for.
  public static let tileCounts = 1...64

  /// An effort from its parts; a number of tiles is clamped to `tileCounts`, and any number of
  /// rotations but 4 is 1.
  public init(tiles: Int?, rotations: Int) {
    self.tiles = tiles.map { min(max($0, Self.tileCounts.lowerBound), Self.tileCounts.upperBound) }
    self.rotations = rotations == 4 ? 4 : 1
  }
}

extension SearchEffort {
  /// The largest IoU of two faces that several looks find, unless the options set a lower one.
  public static let largestOverlap = 0.4

  /// A picture with fewer pixels than this on its longer side is enlarged up to it, at most by
  /// `mostEnlarged`.
  private static let sideEnlargedTo = 2560.0
  private static let mostEnlarged = 3.2
  /// A smaller magnification shows little that the look before did not.
  private static let leastMagnification = 1.25

  /// By how much the last look enlarges the picture, compared with the first.
  ///
  /// - Parameters:
  ///   - side: the longer side of the picture.
  ///   - input: the side of the network's input that it is scaled to in the first look.
  func magnification(side: Double, input: Double) -> Double {
    let usual = max(side, min(Self.mostEnlarged * side, Self.sideEnlargedTo)) / input
    let wanted = tiles.map { min(Double($0), Self.mostEnlarged * side / input) } ?? usual
    return min(max(1, wanted), Double(Self.tileCounts.upperBound))
  }

  /// By how much each look enlarges the picture, compared with the first, in their order: 1, then each
  /// half as much as the next.
  func magnifications(side: Double, input: Double) -> [Double] {
    var result: [Double] = []
    var next = magnification(side: side, input: input)
    while next > Self.leastMagnification {
      result.append(next)
      next /= 2
    }
    return [1] + result.reversed()
  }
}
