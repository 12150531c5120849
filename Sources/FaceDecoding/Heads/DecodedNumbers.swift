// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceLibC

/// Some of a proposal's numbers t in words: what they decode to, where they are, and a formula, in which C is the
/// cell's column or, for every other number, its row, S a cell's side, A the anchor's, and ∓ is − for the first half.
package struct DecodedNumbers: Sendable {
  var names: [String]
  var map: Int
  var channels: [Int]
  var formula: String
  /// How many numbers give a distribution whose mean is t; 0 where the number is t.
  var bins: Int

  package init(
    _ names: [String], _ formula: String, in map: Int = 0, from first: Int = 0,
    order: [Int]? = nil, bins: Int = 0
  ) {
    (self.names, self.formula, self.map, self.bins) = (names, formula, map, bins)
    channels = (order ?? Array(names.indices)).map { first + $0 }
  }

  package var areOfPoints: Bool { names == .points }

  /// What the numbers decode to; values are those of the face or, by the formulas t and σ(t), follow from the number.
  package func decoded(
    _ cell: (column: Int, row: Int), size: Size2D, anchor: Size2D, face: Face?,
    _ number: (_ map: Int, _ channel: Int) -> Float
  ) -> [DecodedValue] {
    names.indices.flatMap { index in
      let isX = index % 2 == 0
      let formula = self.formula.map { letter in
        switch letter {
        case "C": "\(isX ? cell.column : cell.row)"
        case "S": brief(isX ? size.width : size.height)
        case "A": brief(isX ? anchor.width : anchor.height)
        case "∓": index < names.count / 2 ? "−" : "+"
        default: "\(letter)"
        }
      }.joined()
      let parts = (0..<bins).map { Double(number(map, bins * channels[index] + $0)) }
      let largest = parts.reduce(-.infinity, max)
      let sum = parts.reduce(0) { $0 + exp($1 - largest) }
      let shares = parts.map { exp($0 - largest) / sum }
      let mean = shares.enumerated().reduce(0) { $0 + Double($1.offset) * $1.element }
      let t = bins > 0 ? Float(mean) : number(map, channels[index])
      let value =
        formula == "σ(t)" ? sigmoid(Double(t)) : formula == "t" ? Double(t) : face?[names[index]]
      return zip(parts, shares).enumerated().map { bin, part in
        DecodedValue(
          name: "\(names[index]) bin \(bin)", formula: "softmax", raw: Float(part.0), value: part.1)
      } + [DecodedValue(name: names[index], formula: formula, raw: t, value: value ?? .nan)]
    }
  }
}

extension [String] {
  package static let sides = ["left", "top", "right", "bottom"]
  package static let center = ["centre x", "centre y"]
  package static let size = ["width", "height"]
  package static let points = Landmarks.names.flatMap { [$0 + " x", $0 + " y"] }
}

/// A number for people: a whole one without its decimals.
package func brief(_ number: Double) -> String {
  Int(exactly: number).map { "\($0)" } ?? "\(number)"
}

extension Face {
  /// The number that decodes to this name.
  fileprivate subscript(name: String) -> Double? {
    let values =
      [box.minX, box.minY, box.maxX, box.maxY, box.center.x, box.center.y, box.width, box.height]
      + (landmarks?.points.flatMap { [$0.x, $0.y] } ?? [])
    return zip([String].sides + .center + .size + .points, values).first { $0.0 == name }?.1
  }
}
