// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// A row of comma-separated values for each face, below a row with the names of columns: those of `detect --format csv`,
/// or `filename` and the box's corners `xmin`, `ymin`, `xmax`, `ymax`, with a `class`. Other columns are not read.
///
/// A row without a box is that of a picture without faces.
public enum CSVGroundTruth {
  /// The pictures of such a file, in its order; errors name the `source`.
  public static func read(
    _ bytes: [UInt8], source: String, noting faults: GroundTruthFaults = .init(isStrict: true)
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    var rows = Rows(rest: utf8Text(bytes)[...])
    let header = rows.next() ?? []
    var line = 1
    func failure(_ found: String, _ expected: String) -> GroundTruthError {
      GroundTruthError(file: source, position: .line(line), found: found, expected: expected)
    }
    func columns(_ names: [StaticString]) -> [Int]? {
      let found = names.compactMap { name in header.firstIndex { $0 == name } }
      return found.count == names.count ? found : nil
    }
    let corners = columns(["xmin", "ymin", "xmax", "ymax"])
    guard let image = (columns(["image"]) ?? columns(["filename"]))?[0],
      let box = columns(["x_px", "y_px", "box_width_px", "box_height_px"]) ?? corners
    else {
      throw failure(
        "other columns",
        "image, x_px, y_px, box_width_px and box_height_px, or filename, xmin, ymin, xmax and ymax")
    }
    let size = columns(["width_px", "height_px"]) ?? columns(["width", "height"])
    let points = columns([
      "right_eye_x_px", "right_eye_y_px", "left_eye_x_px", "left_eye_y_px", "nose_x_px",
      "nose_y_px", "right_mouth_x_px", "right_mouth_y_px", "left_mouth_x_px", "left_mouth_y_px",
    ])
    let (score, category) = (columns(["score"])?[0], columns(["class"])?[0])
    var result = GroundTruthPictures(noting: faults)
    while let row = rows.next() {
      line += 1
      if row.count == 1, row[0].isEmpty { continue }
      let face = try faults.reading { () throws(GroundTruthError) -> GroundTruthFace? in
        guard row.count == header.count else {
          throw failure("\(row.count) values", "\(header.count), as in the first row")
        }
        func number(_ column: Int) throws(GroundTruthError) -> Double {
          guard let number: Double = row[column].decimal(upTo: GroundTruthLimits.coordinate) else {
            throw failure(
              "\"\(row[column].excerpt(40))\" as \(header[column].excerpt(40))", "a number")
          }
          return number
        }
        var picture = GroundTruthPicture(name: "", faces: [])
        picture.size = try size.map { size throws(GroundTruthError) in
          Size2D(width: try number(size[0]), height: try number(size[1]))
        }
        try result.append(
          picture, at: UntrustedText(unescaped(row[image].bytes)), ofResults: true, failure: failure
        )
        if box.allSatisfy({ row[$0].isEmpty }) { return nil }
        var numbers = try box.map(number)
        if corners == box {
          numbers = [numbers[0], numbers[1], numbers[2] - numbers[0], numbers[3] - numbers[1]]
        }
        guard let box = Box(numbers) else { throw failure("the box \(numbers)", "one") }
        let known = points.flatMap { $0.contains { row[$0].isEmpty } ? nil : $0 }
        return GroundTruthFace(
          box: box, landmarks: Landmarks(try (known ?? []).map(number)[...]),
          score: try score.map(number),
          category: try category.map { column throws(GroundTruthError) in
            GroundTruthCategory(name: try categoryName(row[column], failure: failure))
          })
      }
      if let face = face ?? nil { try result.append(face, failure: failure) }
    }
    return result.pictures
  }

  /// The rows of RFC 4180, each a list of values without their quotes.
  private struct Rows {
    var rest: ArraySlice<UInt8>

    /// The most values of a row, more than any form has.
    private static let most = 256

    mutating func next() -> [UntrustedText]? {
      if rest.isEmpty { return nil }
      var values: [UntrustedText] = []
      while values.count < Self.most {
        values.append(value())
        guard let end = rest.popFirst() else { break }
        if end == UInt8(ascii: ",") { continue }
        if end == UInt8(ascii: "\r"), rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
        break
      }
      return values
    }

    private mutating func value() -> UntrustedText {
      let quote = UInt8(ascii: "\"")
      var value: [UInt8] = []
      var isInside = false
      while let byte = rest.first, isInside || !",\r\n".utf8.contains(byte) {
        rest.removeFirst()
        if byte != quote {
          value.append(byte)
        } else if isInside, rest.first == quote {
          value.append(quote)
          rest.removeFirst()
        } else {
          isInside.toggle()
        }
      }
      return UntrustedText(value)
    }
  }
}
