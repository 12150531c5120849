// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceRaster

/// How faces are drawn.
///
/// Lines, dots and letters scale with the picture, and become finer on small faces, so that the
/// drawing does not hide the face. Dots too small to see and labels without room are left out; at
/// most 1,000 labels are tried.
public struct DrawingStyle: Sendable, Hashable {
  /// The finest and the boldest line, in pixels.
  @_spi(Tool) public static let lineWidths = 0.5...100.0
  /// Whether scores or IDs are written beside the boxes.
  public var drawsLabels: Bool
  /// Whether there is a dot for each landmark.
  public var drawsLandmarks: Bool
  /// The width of the boxes' lines, in pixels; nil to scale it with picture and face. A width
  /// outside `lineWidths` is clamped to it, and NaN counts as the finest.
  public var lineWidth: Double?

  /// A style from its parts; by default everything is drawn.
  public init(drawsLabels: Bool = true, drawsLandmarks: Bool = true, lineWidth: Double? = nil) {
    (self.drawsLabels, self.drawsLandmarks) = (drawsLabels, drawsLandmarks)
    self.lineWidth = lineWidth
  }
}

extension DrawingStyle {
  /// The width of the lines of a face's box, in pixels.
  ///
  /// - Parameter usual: the width on a face that is large enough for it.
  func lineWidth(of box: Box, usual: Double) -> Double {
    if let lineWidth {
      // The order of the arguments makes NaN count as the lower bound.
      return min(max(Self.lineWidths.lowerBound, lineWidth), Self.lineWidths.upperBound)
    }
    return min(usual, max(1, box.shorterSide / 16))
  }
}

extension Box {
  /// The radius of the dots on landmarks; nil where they would be too small to see.
  ///
  /// - Parameter unit: the picture's `drawingUnit`.
  func dotRadius(unit: Double) -> Double? {
    let radius = max(shorterSide / 40, min(unit, shorterSide / 24))
    return radius >= 0.75 ? radius : nil
  }
}

struct FaceMark {
  var box: Box
  var landmarks: [Point2D]
  var label: String
  /// The colour of the box and of the label's background.
  var color: RGBColor
  /// A colour for each landmark, in the same order.
  var landmarkColors: [RGBColor]
}

extension RGBImage {
  /// The unit of line widths and letters, in pixels.
  var drawingUnit: Double { max(1, Double(min(width, height)) / 400) }

  /// Draws labels, dots and boxes, each kind over the ones before, so that no face loses its box to
  /// another's label.
  ///
  /// - Parameters:
  ///   - marks: most important first: where two labels compete for room, the first is written.
  ///   - lineWidth: the line width of a large face's box, in units.
  ///   - labelScale: the scale of the letters beside a large face, in units.
  mutating func draw(
    _ marks: [FaceMark], style: DrawingStyle, lineWidth: Double, labelScale: Double
  ) {
    let unit = drawingUnit
    let widths = marks.map { style.lineWidth(of: $0.box, usual: lineWidth * unit) }
    if style.drawsLabels {
      var room = LabelRoom(width: width, height: height, boxes: marks.map(\.box))
      for (index, mark) in marks.enumerated() {
        let place = room.place(
          mark.label, beside: index, lineWidth: widths[index],
          largestScale: Int((labelScale * unit).rounded()))
        if let (area, scale) = place { draw(mark.label, in: area, scale: scale, on: mark.color) }
      }
    }
    if style.drawsLandmarks {
      for mark in marks {
        guard let radius = mark.box.dotRadius(unit: unit) else { continue }
        for (point, color) in zip(mark.landmarks, mark.landmarkColors) {
          fillDisc(center: point, radius: radius, color: color)
        }
      }
    }
    for (mark, lineWidth) in zip(marks, widths) {
      strokeRectangle(mark.box, lineWidth: lineWidth, color: mark.color)
    }
  }

  /// Writes a label with a margin of one letter's square around the text.
  private mutating func draw(_ text: String, in area: Box, scale: Int, on ground: RGBColor) {
    fillRectangle(area, color: ground)
    let start = Point2D(x: area.x + Double(scale), y: area.y + Double(scale))
    drawText(text, at: start, scale: scale, color: .black)
  }
}

/// The room that boxes leave for labels.
private struct LabelRoom {
  /// The most labels tried, since each is compared with all boxes.
  private static let mostTries = 1000

  private let width, height: Double
  private let boxes: [Box]
  private var labels: [Box] = []
  private var tries = 0

  init(width: Int, height: Int, boxes: [Box]) {
    (self.width, self.height, self.boxes) = (Double(width), Double(height), boxes)
  }

  /// Finds and reserves a place for a box's label: above it, otherwise below, otherwise inside at
  /// the top. The label must be in the picture, overlap no other box or label, and be at most a
  /// quarter wider than its box and half as high; nil where no place qualifies.
  mutating func place(
    _ text: String, beside index: Int, lineWidth: Double, largestScale: Int
  ) -> (area: Box, scale: Int)? {
    let box = boxes[index]
    let scales = stride(from: largestScale, through: 1, by: -1)
    let sizes = scales.lazy.map { (scale: $0, size: Self.labelSize(text, $0)) }
    let fitting = sizes.first { $1.width <= 1.25 * box.width && $1.height <= box.height / 2 }
    guard let (scale, size) = fitting, tries < Self.mostTries else { return nil }
    tries += 1
    let line = max(0, lineWidth / 2 - Double(scale))
    var tops = [box.y - line - size.height, box.maxY + line]
    if 5 * size.height <= box.height { tops.append(max(0, box.y + line)) }
    for top in tops {
      let left = min(max(0, box.x), width - size.width)
      let area = Box(x: left, y: top, width: size.width, height: size.height)
      if isFree(area, except: index) {
        labels.append(area)
        return (area, scale)
      }
    }
    return nil
  }

  private static func labelSize(_ text: String, _ scale: Int) -> Size2D {
    let (width, height) = RGBImage.textSize(text, scale: scale)
    return Size2D(width: Double(width + 2 * scale), height: Double(height + 2 * scale))
  }

  private func isFree(_ area: Box, except index: Int) -> Bool {
    area.x >= 0 && area.y >= 0 && area.maxX <= width && area.maxY <= height
      && !labels.contains(where: area.overlaps)
      && !boxes.indices.contains { $0 != index && area.overlaps(boxes[$0]) }
  }
}

extension Box {
  fileprivate func overlaps(_ other: Box) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }
}
