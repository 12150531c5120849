// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceNCNN

/// A known family of detectors: how its networks are recognised, fed and read. The maps that a network's outputs come
/// from show its family; see `FamilyRecipe.recognizing`.
///
/// A family is a file in `Families` and a name in `allCases`.
public struct FaceFamily: RawRepresentable, Sendable, Hashable, Codable, CaseIterable,
  CustomStringConvertible
{
  /// All families, in the order in which they are tried.
  public static let allCases: [FaceFamily] = [
    .yolo5Face, .yolo5, .yolo7Face, .yolo8Face, .yolo26Face, .scrfd, .retinaFace, .ultraFace,
    .yuNet, .yuNet2021, .centerFace, .dbFace, .blazeFace, .paddleBlazeFace, .ssd, .yolo3,
  ]

  /// Its name in recipes.
  public let rawValue: String
  /// Its name, for people to read.
  public let name: String
  let proposals: Proposals
  /// Lists of maps, in the order in which the head reads them, points last; a level has the maps of one list.
  let maps: [[Map]]
  /// The levels of each form of its networks, without the names of blobs.
  let forms: [[FamilyRecipe.Level]]
  /// What the maps do not show, for people to read.
  let note: String
  /// Says how a network is fed, where that is not as RGB / 255 of any size.
  let feed: @Sendable (_ recipe: inout FamilyRecipe, [MapLevel]) -> Void
  /// Whether a network that has the maps is of the family. It may change which blobs and anchors the levels have.
  let accepts: @Sendable (_ recipe: inout FamilyRecipe, [MapLevel], Network) -> Bool
  /// The recipe of a network that has no maps.
  let recognize: @Sendable (Network) -> FamilyRecipe?
  let head: @Sendable (HeadLevel) -> FaceHead

  /// What each of a cell's proposals starts from, which is also how many there are.
  enum Proposals {
    /// One proposal starts from the cell.
    case one
    /// Several start from the cell; the recipe says how many.
    case counted
    /// One starts from each of the recipe's anchors.
    case anchors
  }

  /// A blob of channels × rows × columns. Where that of points is missing, faces have no landmarks.
  struct Map {
    let key: FamilyRecipe.Level.Key
    /// For each of a cell's proposals.
    let channels: Int
    let holdsPoints: Bool

    init(_ key: FamilyRecipe.Level.Key, _ channels: Int, holdsPoints: Bool? = nil) {
      (self.key, self.channels) = (key, channels)
      self.holdsPoints = holdsPoints ?? (key == .points)
    }

    func channels(in level: FamilyRecipe.Level) -> Int {
      channels * (level.anchors?.count ?? level.proposals ?? 1)
    }
  }

  init(
    _ rawValue: String, name: String, proposals: Proposals = .one, maps: [Map],
    otherMaps: [[Map]] = [], forms: [[FamilyRecipe.Level]], note: String = "",
    feed: @escaping @Sendable (_ recipe: inout FamilyRecipe, [MapLevel]) -> Void = { _, _ in },
    accepts: @escaping @Sendable (_ recipe: inout FamilyRecipe, [MapLevel], Network) -> Bool = {
      _, _, _ in true
    },
    recognize: @escaping @Sendable (Network) -> FamilyRecipe? = { _ in nil },
    head: @escaping @Sendable (HeadLevel) -> FaceHead
  ) {
    (self.rawValue, self.name, self.proposals) = (rawValue, name, proposals)
    self.maps = [maps] + otherMaps
    (self.forms, self.note, self.feed) = (forms, note, feed)
    (self.accepts, self.recognize, self.head) = (accepts, recognize, head)
  }

  /// The family of this name in recipes; nil where there is none.
  public init?(rawValue: String) {
    // A recipe's name may be a text that takes long to compare.
    let named = Self.allCases.first { $0.rawValue.utf8.elementsEqual(rawValue.utf8) }
    guard let named else { return nil }
    self = named
  }

  /// Its name in recipes.
  public var description: String { rawValue }
}

extension FaceFamily {
  static func levels(_ strides: Int..., proposals: Int? = nil) -> [FamilyRecipe.Level] {
    strides.map { FamilyRecipe.Level(stride: $0, proposals: proposals) }
  }

  /// Levels whose anchors are squares.
  static func levels(squares: [(stride: Int, sides: [Double])]) -> [FamilyRecipe.Level] {
    squares.map { level in
      FamilyRecipe.Level(stride: level.stride, anchors: level.sides.map { [$0, $0] })
    }
  }

  /// The list of maps that a level of a recipe has.
  func maps(of level: FamilyRecipe.Level) -> [Map] {
    maps.first { $0.allSatisfy { level[$0.key] != nil || $0.key == .points } } ?? maps[0]
  }

  /// Whether the faces of a recipe's level have landmarks.
  func findsLandmarks(at level: FamilyRecipe.Level) -> Bool {
    maps(of: level).contains { $0.holdsPoints && level[$0.key] != nil }
  }
}
