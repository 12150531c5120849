import FaceDecoding

/// A picture's faces as rows of comma-separated values, after RFC 4180.
extension DetectionReport {
  /// The first row: names with units. Normalised positions, in sides of the picture or view, have
  /// none.
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

  /// A row for each face; for a picture without faces one that has its name and size alone, so that it
  /// can be told from a picture that nobody has searched.
  var rows: [String] {
    if faces.isEmpty {
      let columns = Self.columns(in: .pixels).split(separator: ",").count
      let fields = [quoted(image), "\(width)", "\(height)"]
      return [(fields + Array(repeating: "", count: columns - fields.count)).joined(separator: ",")]
    }
    return faces.enumerated().map { index, face in
      let box = face.box
      let sides = [box.x, box.y, box.width, box.height].map { "\($0)" }
      let points = face.landmarks.map { $0.pairs.joined().map { "\($0)" } }
      let angles = face.pose.angles.map { ["\($0.roll)", "\($0.yaw)", "\($0.pitch)"] }
      var fields = [quoted(image), "\(width)", "\(height)", "\(index + 1)", "\(face.score)"]
      fields += sides + (points ?? Array(repeating: "", count: 10))
      fields += angles ?? ["", "", ""]
      fields += [face.upsideDown == true ? "true" : ""]
      fields += [quoted(face.crop ?? ""), quoted(face.aligned ?? "")]
      return fields.joined(separator: ",")
    }
  }
}

extension DetectionReport {
  /// The fields of a row, as many as there are columns; nil where `rows` would write it otherwise.
  static func fields(of row: [UInt8]) -> [String]? {
    let quote = UInt8(ascii: "\"")
    var fields: [String] = []
    var field: [UInt8] = []
    var isInsideQuotes = false
    for byte in row {
      if byte == UInt8(ascii: ","), !isInsideQuotes {
        fields.append(String(decoding: field, as: UTF8.self))
        field = []
      } else {
        field.append(byte)
        if byte == quote { isInsideQuotes.toggle() }
      }
    }
    fields.append(String(decoding: field, as: UTF8.self))
    let contents = fields.map(unquoted)
    guard contents.map(quoted).joined(separator: ",").utf8.elementsEqual(row),
      contents.count == columns(in: .pixels).split(separator: ",").count
    else { return nil }
    return contents
  }
}

/// What a field in quotes says; any other field itself.
private func unquoted(_ field: String) -> String {
  let quote = UInt8(ascii: "\"")
  guard field.utf8.count > 1, field.utf8.first == quote, field.utf8.last == quote else {
    return field
  }
  var bytes: [UInt8] = []
  var isSecond = false
  for byte in field.utf8.dropFirst().dropLast() {
    isSecond = byte == quote && !isSecond
    if !isSecond { bytes.append(byte) }
  }
  return String(decoding: bytes, as: UTF8.self)
}

/// A field of comma-separated values: in quotes where it holds a separator of fields or rows.
func quoted(_ field: String) -> String {
  // Not by characters: a combining one behind a comma makes another character of it.
  guard field.utf8.contains(where: ",\"\n\r".utf8.contains) else { return field }
  let quote = UInt8(ascii: "\"")
  let inside = field.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
  return "\"\(String(decoding: inside, as: UTF8.self))\""
}
