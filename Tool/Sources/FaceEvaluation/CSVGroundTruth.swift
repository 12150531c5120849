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
    var rows = CommaSeparatedRows(utf8Text(bytes)[...])
    let header = rows.next() ?? []
    func failure(_ found: String, _ expected: String) -> GroundTruthError {
      GroundTruthError(file: source, position: .line(rows.line), found: found, expected: expected)
    }
    func requireCount(_ row: [UntrustedText]) throws(GroundTruthError) {
      guard row.count <= CommaSeparatedRows.most else {
        throw failure("more values", "at most \(CommaSeparatedRows.most)")
      }
      guard row.count == header.count else {
        throw failure("\(row.count) values", "\(header.count), as in the first row")
      }
    }
    try requireCount(header)
    guard let columns = Columns(header) else {
      throw failure(
        "other columns",
        "image, x_px, y_px, box_width_px and box_height_px, or filename, xmin, ymin, xmax and ymax")
    }
    var result = GroundTruthPictures(noting: faults)
    while let row = rows.next() {
      if row.count == 1, row[0].isEmpty { continue }
      let face = try faults.reading { () throws(GroundTruthError) -> GroundTruthFace? in
        try requireCount(row)
        func number(_ column: Int) throws(GroundTruthError) -> Double {
          guard let number: Double = row[column].decimal(upTo: GroundTruthLimits.coordinate) else {
            throw failure(
              "\"\(row[column].excerpt(40))\" as \(header[column].excerpt(40))", "a number")
          }
          return number
        }
        var picture = GroundTruthPicture(name: "", faces: [])
        picture.size = try columns.size.map { size throws(GroundTruthError) in
          Size2D(width: try number(size[0]), height: try number(size[1]))
        }
        let name = UntrustedText(unescaped(row[columns.image].bytes))
        try result.append(picture, at: name, ofResults: true, failure: failure)
        return try columns.face(in: row, number, failure)
      }
      if let face = face ?? nil { try result.append(face, failure: failure) }
    }
    return result.pictures
  }

  /// Which columns of a row hold what.
  private struct Columns {
    let image: Int
    /// Corner and size, or two corners.
    let box: [Int]
    let isTwoCorners: Bool
    let size, points: [Int]?
    let score, category: Int?

    init?(_ header: [UntrustedText]) {
      func columns(_ names: [StaticString]) -> [Int]? {
        let found = names.compactMap { name in header.firstIndex { $0 == name } }
        return found.count == names.count ? found : nil
      }
      let cornerAndSize = columns(["x_px", "y_px", "box_width_px", "box_height_px"])
      guard let image = (columns(["image"]) ?? columns(["filename"]))?[0],
        let box = cornerAndSize ?? columns(["xmin", "ymin", "xmax", "ymax"])
      else { return nil }
      (self.image, self.box, isTwoCorners) = (image, box, cornerAndSize == nil)
      size = columns(["width_px", "height_px"]) ?? columns(["width", "height"])
      points = columns([
        "right_eye_x_px", "right_eye_y_px", "left_eye_x_px", "left_eye_y_px", "nose_x_px",
        "nose_y_px", "right_mouth_x_px", "right_mouth_y_px", "left_mouth_x_px", "left_mouth_y_px",
      ])
      (score, category) = (columns(["score"])?[0], columns(["class"])?[0])
    }

    /// The face of a row, whose `number` is that of a column; nil without a box.
    func face(
      in row: [UntrustedText], _ number: (Int) throws(GroundTruthError) -> Double,
      _ failure: (_ found: String, _ expected: String) -> GroundTruthError
    ) throws(GroundTruthError) -> GroundTruthFace? {
      if box.allSatisfy({ row[$0].isEmpty }) { return nil }
      var numbers = try box.map(number)
      if isTwoCorners {
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
  }
}
