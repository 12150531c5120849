// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace

extension Anonymise {
  /// Whether the input is chosen by the size of a picture, which is not so small that there is nothing to choose.
  func choosesInput(for size: Size2D) -> Bool {
    search.looks.longSide == nil && search.looks.scoreThreshold == nil
      && search.closely.search().tiles == 1
      && max(size.width, size.height) > Double(HidingSearch.longSides.lowerBound)
  }
}

/// At which sizes pictures are searched, and which faces that covers.
struct HidingCoverage {
  private var longSides: ClosedRange<Int>?
  private var smallest: ClosedRange<Int>?

  /// - Parameters:
  ///   - size: a picture's.
  ///   - scale: pixels of the network's input for each of the picture.
  mutating func add(_ size: Size2D, scale: Double) {
    let side = Int((scale * max(size.width, size.height)).rounded())
    let face = Int(HidingSearch.smallestCovered(atScale: scale).rounded())
    longSides = min(longSides?.lowerBound ?? side, side)...max(longSides?.upperBound ?? side, side)
    smallest = min(smallest?.lowerBound ?? face, face)...max(smallest?.upperBound ?? face, face)
  }

  /// nil where no picture was searched.
  var text: String? {
    guard let longSides, let smallest else { return nil }
    func words(_ range: ClosedRange<Int>) -> String {
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
    return "searched at a long side of \(words(longSides)), for faces from about "
      + "\(words(smallest)) pixels on"
  }
}
