import FaceDecoding

/// A picture's faces as rows of comma-separated values, as RFC 4180 defines them.
extension DetectionReport {
  /// The header row: names with units. Normalised positions, fractions of the picture or view, have
  /// no unit.
  static func columns(in coordinates: CoordinateSystem) -> String {
    let unit = [.pixels, .pixelsFromBottomLeft].contains(coordinates) ? "_px" : ""
    let points = ["right_eye", "left_eye", "nose", "right_mouth", "left_mouth"]
    let positions =
      ["x", "y", "box_width", "box_height"] + points.flatMap { ["\($0)_x", "\($0)_y"] }
    return
      (["image", "width_px", "height_px", "face", "score"] + positions.map { $0 + unit } + [
        "roll_deg", "yaw_deg", "pitch_deg", "upside_down", "crop", "aligned",
      ]).joined(separator: ",")
  }

  /// A row for each face. A picture without faces has one row with only its name and size, to
  /// distinguish it from a picture that has not been searched.
  var rows: [String] {
    if faces.isEmpty {
      let columns = Self.columns(in: .pixels).split(separator: ",").count
      let fields = [quoted(image), "\(width)", "\(height)"]
      return [(fields + Array(repeating: "", count: columns - fields.count)).joined(separator: ",")]
    }
    return faces.enumerated().map { index, face in
      let box = face.box
      let sides = [box.x, box.y, box.width, box.height].map { "\($0)" }
      let points = face.landmarks.map { $0.points.flatMap { ["\($0.x)", "\($0.y)"] } }
      let angles = face.pose.map { ["\($0.roll)", "\($0.yaw)", "\($0.pitch)"] }
      var fields = [quoted(image), "\(width)", "\(height)", "\(index + 1)", "\(face.score)"]
      fields += sides + (points ?? Array(repeating: "", count: 10))
      fields += angles ?? ["", "", ""]
      fields += [face.upsideDown == true ? "true" : ""]
      fields += [quoted(face.crop ?? ""), quoted(face.aligned ?? "")]
      return fields.joined(separator: ",")
    }
  }

  /// The fields of a row, one for each column; nil if `rows` would write the row differently.
  static func fields(of row: ArraySlice<UInt8>) -> [String]? {
    let quote = UInt8(ascii: "\"")
    var fields: [[UInt8]] = [[]]
    var isInsideQuotes = false
    var last: UInt8?
    for byte in row {
      if byte == quote {
        isInsideQuotes.toggle()
        // The second of two quotes that stand for one.
        if isInsideQuotes, last == quote { fields[fields.count - 1].append(quote) }
      } else if byte == UInt8(ascii: ","), !isInsideQuotes {
        fields.append([])
      } else {
        fields[fields.count - 1].append(byte)
      }
      last = byte
    }
    let contents = fields.map { String(decoding: $0, as: UTF8.self) }
    guard contents.map(quoted).joined(separator: ",").utf8.elementsEqual(row),
      contents.count == columns(in: .pixels).split(separator: ",").count
    else { return nil }
    return contents
  }
}

/// A field of comma-separated values, quoted if it contains a quote or a separator of fields or
/// rows.
func quoted(_ field: String) -> String {
  // By bytes: a comma and a combining mark after it are a single `Character`.
  guard field.utf8.contains(where: ",\"\n\r".utf8.contains) else { return field }
  let quote = UInt8(ascii: "\"")
  let inside = field.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
  return "\"\(String(decoding: inside, as: UTF8.self))\""
}
