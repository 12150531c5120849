// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// A picture's faces as rows of comma-separated values, as RFC 4180 defines them, safe to print and to open in a
/// spreadsheet.
extension DetectionReport {
  /// The header row: names with units, which normalised positions do not have, and with what else tells positions
  /// from those in the picture's pixels.
  static func columns(in space: ReportSpace) -> String {
    let unit = space.columnSuffix
    let points = ["right_eye", "left_eye", "nose", "right_mouth", "left_mouth"]
    let positions =
      ["x", "y", "box_width", "box_height"] + points.flatMap { ["\($0)_x", "\($0)_y"] }
    return
      (["image", "width_px", "height_px", "face", "score"] + positions.map { $0 + unit } + [
        "roll_deg", "yaw_deg", "pitch_deg", "upside_down", "crop", "aligned",
      ]).joined(separator: ",")
  }

  private static let columnCount = columns(in: ReportSpace()).utf8
    .split(separator: UInt8(ascii: ",")).count

  /// A row for each face. A picture without faces has one row with only its name and size, to
  /// distinguish it from a picture that has not been searched.
  var rows: [String] {
    let picture = [nameField(image), "\(width)", "\(height)"]
    func empty(_ count: Int) -> [String] { Array(repeating: "", count: count) }
    if faces.isEmpty {
      return [(picture + empty(Self.columnCount - picture.count)).joined(separator: ",")]
    }
    return faces.enumerated().map { index, face in
      let box = face.box
      var fields = picture + ["\(index + 1)", "\(face.score)"]
      fields += [box.x, box.y, box.width, box.height].map { "\($0)" }
      fields += face.landmarks?.points.flatMap { ["\($0.x)", "\($0.y)"] } ?? empty(10)
      fields += face.pose.map { ["\($0.roll)", "\($0.yaw)", "\($0.pitch)"] } ?? empty(3)
      fields += [face.upsideDown == true ? "true" : ""]
      fields += [nameField(face.crop ?? ""), nameField(face.aligned ?? "")]
      return fields.joined(separator: ",")
    }
  }

  /// The fields of a row, one for each column, names as `nameField` has them; nil if `rows` would quote them
  /// differently.
  static func fields(of row: ArraySlice<UInt8>) -> [UntrustedText]? {
    var rest = CommaSeparatedRows(row)
    guard let fields = rest.next(), fields.count == columnCount,
      fields.map({ quoted(Array($0)) }).joined(separator: [UInt8(ascii: ",")]).elementsEqual(row),
      String(validating: row, as: UTF8.self) != nil
    else { return nil }
    return fields
  }
}

/// Where the positions of a report are.
package struct ReportSpace: Sendable {
  private let coordinates: CoordinateSystem
  private let isView: Bool

  /// The picture's pixels, or else the coordinates of a picture or of a view of it.
  package init(_ coordinates: CoordinateSystem = .pixels, isView: Bool = false) {
    (self.coordinates, self.isView) = (coordinates, isView)
  }

  fileprivate var columnSuffix: String {
    let (unit, corner) =
      switch coordinates {
      case .pixels: ("_px", "")
      case .pixelsFromBottomLeft: ("_px", "_from_bottom_left")
      case .normalized: ("", "")
      case .normalizedFromBottomLeft: ("", "_from_bottom_left")
      }
    return (isView ? "_view" : "") + unit + corner
  }
}

/// A name as a field: as `printable` shows it, and the first of several characters is escaped, too, where a
/// spreadsheet would take it for that of a formula. `unescaped` gives the name again.
func nameField(_ name: String) -> String {
  let text = printable(name)
  guard let first = text.unicodeScalars.first, text.utf8.count > 1,
    "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
  else { return quoted(text) }
  return quoted(escaped(first) + String(text.unicodeScalars.dropFirst()))
}

private func quoted(_ field: String) -> String {
  String(decoding: quoted(Array(field.utf8)), as: UTF8.self)
}

/// A field of comma-separated values, quoted if it contains a quote or a separator of fields or rows.
private func quoted(_ field: [UInt8]) -> [UInt8] {
  guard field.contains(where: ",\"\n\r".utf8.contains) else { return field }
  let quote = UInt8(ascii: "\"")
  return [quote] + field.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
}
