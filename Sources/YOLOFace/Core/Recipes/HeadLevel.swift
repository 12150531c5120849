// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceLibC

/// A level of a recipe with all that its family needs: what a head is made from.
struct HeadLevel: Sendable {
  let recipe: FamilyRecipe
  /// Input pixels from one cell to the next.
  let stride: Int
  /// The sizes that a cell's proposals start from.
  let anchors: [Size2D]
  /// Its blobs, in the order of the family's maps.
  let maps: [(key: FamilyRecipe.Level.Key, blob: String, channels: Int)]
  /// Whether faces have landmarks.
  let hasPoints: Bool

  /// - Throws: `ValueError` where the family needs another value.
  init(_ level: FamilyRecipe.Level, of recipe: FamilyRecipe) throws(ValueError) {
    let family = recipe.family
    func missing(_ key: String) -> ValueError {
      ValueError("found no \(key) at stride \(level.stride), expected it for \(family.name)")
    }
    self.recipe = recipe
    stride = level.stride
    switch family.proposals {
    case .one, .counted:
      let side = Double(stride)
      anchors = Array(
        repeating: Size2D(width: side, height: side),
        count: family.proposals == .one ? 1 : level.proposals ?? 2)
    case .anchors:
      guard let pairs = level.anchors else { throw missing("anchors") }
      anchors = pairs.map { Size2D(width: $0[0], height: $0[1]) }
    }
    var maps: [(key: FamilyRecipe.Level.Key, blob: String, channels: Int)] = []
    for map in family.maps(of: level) {
      if let blob = level[map.key] {
        maps.append((map.key, blob, map.channels * anchors.count))
      } else if map.key != .points {
        throw missing(map.key.rawValue)
      }
    }
    self.maps = maps
    hasPoints = family.findsLandmarks(at: level)
  }

  /// The anchor of this number; where the cells divide the input, none is larger than that.
  func anchor(_ number: Int, in grid: CellGrid, dividesInput: Bool) -> Size2D {
    guard dividesInput, let input = grid.inputSize else { return anchors[number] }
    return Size2D(
      width: min(anchors[number].width, Double(input.width)),
      height: min(anchors[number].height, Double(input.height)))
  }

  /// In which form the network gives scores.
  var confidence: ConfidenceForm { ConfidenceForm(isProbability: recipe.hasScores ?? false) }

  /// The five points that a function gives by their number; nil where faces have none.
  func landmarks(_ point: (Int) -> Point2D) -> Landmarks? { hasPoints ? Landmarks(point) : nil }
}

/// How a network gives a confidence: as a probability, or as t with the probability σ(t).
struct ConfidenceForm: Sendable {
  var isProbability: Bool

  func probability(_ value: Double) -> Double { isProbability ? value : sigmoid(value) }

  /// t: infinite for the probabilities 0 and 1, NaN for a number that is not a probability.
  func logit(_ value: Double) -> Double { isProbability ? log(value / (1 - value)) : value }

  /// How a score follows from a value of this name.
  func formula(_ name: String) -> String { isProbability ? name : "σ(\(name))" }

  func decoded(_ name: String, _ value: Double) -> DecodedValue {
    DecodedValue(name: name, formula: formula("t"), raw: Float(value), value: probability(value))
  }
}
