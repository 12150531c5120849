// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// How many looks a search takes at a picture.
///
/// A network sees faces of some 10 to 300 pixels of its input, and upright. Further looks enlarge the
/// picture, part by part, until tiny faces are large enough, shrink it until faces that fill it are small
/// enough, and turn it until faces on their side are upright; close looks at single faces improve what is
/// known of them. All but `once` also look at a picture made of dots, as dithered and printed ones are, smoothed.
public struct SearchEffort: Codable, Hashable, Sendable {
  /// What is looked at again of each face that was found. Measured with YOLO5Face's models; faces of other
  /// known families stay as they are.
  public enum CloseLooks: String, Codable, Sendable {
    /// Nothing.
    case none
    /// Which way up it is, so that `Face.isMarkedUpsideDown` tells, and the landmarks of large faces.
    case checked
    /// Landmarks, score and which way up it is, see `FaceDetector.refining(_:in:options:)`.
    case refined
  }

  /// How many times as large as in the first look the picture is in the last one, in tiles where that is
  /// too large for one input. Each look before it is half as large as the next. A picture is never
  /// enlarged more than 3.2 times. nil chooses by the picture's size: up to its own pixels, or somewhat
  /// enlarged where it is small.
  public var tiles: Int?
  /// In how many directions the picture is searched, 1 or 4: upright alone, or by quarter turns too.
  public var rotations: Int
  /// Whether the picture is also looked at with a long side of 224, in which faces are found that fill it, or
  /// are blurred. Only where the network takes this size, and the first look is larger.
  public var looksSmall: Bool
  /// What is looked at again.
  public var closeLooks: CloseLooks

  /// One look at the whole picture, or at windows along one that is longer than 3 : 1.
  public static let once = SearchEffort()
  /// One look, and a second one by which faces that are upside down are marked, and large ones get better
  /// landmarks. It takes about twice as long.
  public static let checked = SearchEffort(closeLooks: .checked)
  /// One look, and six at each face, for better landmarks and scores.
  public static let refined = SearchEffort(closeLooks: .refined)
  /// As many tiles as the picture's size asks for, a small look, and all four quarter turns.
  public static let thorough = SearchEffort(tiles: nil, rotations: 4, looksSmall: true)

  private static let named: [(name: String, effort: SearchEffort)] = [
    ("once", .once), ("checked", .checked), ("refined", .refined), ("thorough", .thorough),
  ]

  /// The names of `once`, `checked`, `refined` and `thorough`, as the tool's `--effort`, the server and the library in C
  /// take them.
  public static let names = named.map { $0.name }

  /// The effort of one of `names`; nil for another name.
  public init?(name: String) {
    guard let known = Self.named.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
      return nil
    }
    self = known.effort
  }

  /// The numbers of tiles that can be asked for.
  @_spi(Tool) public static let tileCounts = 1...64

  /// An effort from its parts; a number of tiles is clamped to `tileCounts`, and any number of
  /// rotations but 4 is 1.
  public init(
    tiles: Int? = 1, rotations: Int = 1, looksSmall: Bool = false, closeLooks: CloseLooks = .none
  ) {
    self.tiles = tiles.map { min(max($0, Self.tileCounts.lowerBound), Self.tileCounts.upperBound) }
    self.rotations = rotations == 4 ? 4 : 1
    (self.looksSmall, self.closeLooks) = (looksSmall, closeLooks)
  }

  /// Whether one pass over the picture finds the faces.
  @_spi(Tool) public var isOnePass: Bool { tiles == 1 && rotations == 1 && !looksSmall }
}

extension SearchEffort {
  /// The largest IoU of two faces that several looks find, unless the options set a lower one.
  @_spi(Tool) public static let largestOverlap = 0.4

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
