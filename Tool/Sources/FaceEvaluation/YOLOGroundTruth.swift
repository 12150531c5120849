// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceUntrusted

/// The text form of YOLO: a `.txt` for each picture with a line `class x y w h` for each object, the centre and size of
/// its box as fractions of the picture's width and height (https://docs.ultralytics.com/datasets/detect).
///
/// A line may go on as tools of this family write it: with five points in the order of `Landmarks.points`, as `x y`
/// (https://github.com/deepcam-cn/yolov5-face) or as `x y visibility` (https://docs.ultralytics.com/datasets/pose), and
/// with a score at its end, as detections are saved. A face with a negative coordinate of a point, -1 where that is not
/// known, or with a visibility of 0 has no landmarks. One with a score below 0.5 is ignored.
///
/// Unless faults are strict, a line may also be the class and the points of a polygon, three or more
/// (https://docs.ultralytics.com/datasets/segment), which becomes its box; the class may be a name; lines that begin
/// with `#` are skipped; and where no box is in fractions of a picture, all may be in pixels.
public enum YOLOGroundTruth {
  /// The faces of one picture, normalised. Its path without its suffix is its name; a class without a name is called by
  /// its number; errors name the `source`.
  public static func read(
    _ bytes: [UInt8], source: String, name: String, classes: [Int: String] = [:],
    noting faults: GroundTruthFaults = .init(isStrict: true)
  ) throws(GroundTruthError) -> GroundTruthPicture {
    var lines = TextLines(bytes, source: source)
    var rows: [Row] = []
    while let line = lines.nextWithText() {
      if line.first == UInt8(ascii: "#"), !faults.isStrict { continue }
      guard rows.count < GroundTruthLimits.faces else {
        throw lines.failure("too many faces", "at most \(GroundTruthLimits.faces)")
      }
      let row = try faults.reading { () throws(GroundTruthError) in
        try Self.row(line, lines, classes, faults)
      }
      if let row { rows.append(row) }
    }
    var picture = GroundTruthPicture(name: name, boxForm: .centerAndSize)
    picture.isNormalized = faults.isStrict || !rows.allSatisfy(\.isInPixels) || rows.isEmpty
    if !picture.isNormalized { faults.correct(.pixels, count: rows.count) }
    for row in rows {
      if picture.isNormalized, let failure = row.failure {
        try faults.leaveOut(failure)
      } else {
        picture.faces.append(row.face)
      }
    }
    return picture
  }

  private struct Row {
    var face: GroundTruthFace
    /// Why it is no row of fractions; nil if it is.
    var failure: GroundTruthError?

    /// No face is as small as that.
    var isInPixels: Bool { failure != nil && min(face.box.width, face.box.height) >= 2 }
  }

  /// The most numbers of a polygon.
  private static let mostNumbers = 20_000

  private static func row(
    _ line: UntrustedText, _ lines: TextLines, _ classes: [Int: String],
    _ faults: GroundTruthFaults
  ) throws(GroundTruthError) -> Row {
    let word = line.prefix { !isSpace($0) && $0 != UInt8(ascii: ",") }
    let numbers = try lines.numbers(
      in: line[word.endIndex...], most: faults.isStrict ? 20 : mostNumbers)
    let form = RowForm.all.first { $0.fits(numbers, isStrict: faults.isStrict) }
    guard form != nil || numbers.count >= 6 && !faults.isStrict else {
      throw lines.failure(
        "\(numbers.count + 1) numbers",
        "5: class x y w h, 15: these and five points, or 20: the points with their visibility; "
          + "or one more, a score at the end")
    }
    let category = try category(word, lines, classes, faults)
    guard let form else {
      faults.correct(.polygon)
      let box = box(around: points(numbers[...]))
      let score = numbers.count.isMultiple(of: 2) ? nil : numbers.last
      return Row(
        face: GroundTruthFace(box: box, score: score, category: category),
        failure: [box.minX, box.minY, box.maxX, box.maxY].allSatisfy { (-0.1...1.1).contains($0) }
          ? nil : lines.failure("\"\(line.excerpt(300))\"", "points from 0 to 1"))
    }
    let points = numbers[4...].dropLast(form.scores)
    let landmarks =
      form.points != 5
      ? nil : form.numbersOfPoint == 3 ? Landmarks(visible: points) : Landmarks(points)
    guard numbers[2] >= 0, numbers[3] >= 0 else {
      throw lines.failure("\"\(line.excerpt(300))\"", "a centre and a size from 0 to 1")
    }
    let isNormal = numbers[..<4].allSatisfy(isFraction)
    let failure = lines.failure("\"\(line.excerpt(300))\"", "a centre and a size from 0 to 1")
    if faults.isStrict, !isNormal { throw failure }
    return Row(
      face: GroundTruthFace(
        box: Box(
          center: Point2D(x: numbers[0], y: numbers[1]),
          size: Size2D(width: numbers[2], height: numbers[3])),
        landmarks: landmarks?.ifKnown, score: form.scores == 1 ? numbers.last : nil,
        category: category),
      failure: isNormal ? nil : failure)
  }

  /// Tools that write this form round the numbers, some to two decimals.
  private static func isFraction(_ number: Double) -> Bool { (-0.01...1.01).contains(number) }

  private static func category(
    _ word: UntrustedText, _ lines: TextLines, _ classes: [Int: String],
    _ faults: GroundTruthFaults
  ) throws(GroundTruthError) -> GroundTruthCategory {
    guard let number = word.decimal() as Double? else {
      guard !faults.isStrict else {
        throw lines.failure("\"\(word.excerpt(40))\"", "the number of a class")
      }
      return GroundTruthCategory(name: try categoryName(word, failure: lines.failure))
    }
    guard let number = Int(exactly: number) else {
      throw lines.failure("the class \(number)", "a whole number")
    }
    return GroundTruthCategory(name: classes[number] ?? "\(number)", number: number)
  }

  /// What the numbers behind the class are, where they begin with a box: it, some points, and perhaps a score.
  private struct RowForm {
    var points: Int
    /// Two, or three with the visibility.
    var numbersOfPoint: Int
    var scores: Int

    /// Without points and with five, and with as many as annotators use of a person, or of a face in 68, 98 or 106.
    static let all = [0, 5, 17, 68, 98, 106].flatMap { points in
      [2, 3].flatMap { numbersOfPoint in
        [0, 1].map { RowForm(points: points, numbersOfPoint: numbersOfPoint, scores: $0) }
      }
    }

    /// Whether a row has this form, and is not a polygon; a strict reading knows none, nor other points than five.
    func fits(_ numbers: [Double], isStrict: Bool) -> Bool {
      guard numbers.count == 4 + points * numbersOfPoint + scores else { return false }
      return points == 0 || (isStrict ? points == 5 : hasPointsOfFace(numbers))
    }

    /// Whether the points behind a box are those of a face, and the row is not a polygon.
    ///
    /// They lie in the box or near it. The numbers of a face, taken for a polygon's points, cross, or the second point,
    /// the box's size, lies elsewhere.
    private func hasPointsOfFace(_ numbers: [Double]) -> Bool {
      let known = stride(from: 4, to: 4 + points * numbersOfPoint, by: numbersOfPoint)
        .filter { numbersOfPoint == 2 || numbers[$0 + 2] > 0 }
        .map { Point2D(x: numbers[$0], y: numbers[$0 + 1]) }.filter { $0.x >= 0 && $0.y >= 0 }
      let box = Box(
        center: Point2D(x: numbers[0], y: numbers[1]),
        size: Size2D(width: numbers[2], height: numbers[3]))
      guard known.allSatisfy(widened(box).contains) else { return false }
      if known.isEmpty { return true }
      let polygon = YOLOGroundTruth.points(numbers[...])
      return !isSimple(polygon)
        || !widened(YOLOGroundTruth.box(around: [polygon[0]] + polygon[2...])).contains(polygon[1])
    }
  }

  /// Whether no two sides of a polygon cross.
  private static func isSimple(_ polygon: [Point2D]) -> Bool {
    let count = polygon.count
    func side(_ point: Int, of line: Int) -> Bool {
      let (start, end, point) = (polygon[line], polygon[(line + 1) % count], polygon[point % count])
      return (end.x - start.x) * (point.y - start.y) > (end.y - start.y) * (point.x - start.x)
    }
    func areApart(_ line: Int, _ other: Int) -> Bool {
      side(line, of: other) == side(line + 1, of: other)
        || side(other, of: line) == side(other + 1, of: line)
    }
    return (0..<count).allSatisfy { line in
      (0..<count).allSatisfy { other in
        [0, 1, count - 1].contains((other - line + count) % count) || areApart(line, other)
      }
    }
  }

  private static func widened(_ box: Box) -> Box {
    Box(center: box.center, size: Size2D(width: 2 * box.width, height: 2 * box.height))
  }

  private static func points(_ numbers: ArraySlice<Double>) -> [Point2D] {
    stride(from: 0, to: numbers.count - 1, by: 2).map {
      Point2D(x: numbers[$0], y: numbers[$0 + 1])
    }
  }

  private static func box(around points: [Point2D]) -> Box {
    let (x, y) = (points.map(\.x), points.map(\.y))
    return Box(
      corner: Point2D(x: x.min() ?? 0, y: y.min() ?? 0),
      opposite: Point2D(x: x.max() ?? 0, y: y.max() ?? 0))
  }
}
