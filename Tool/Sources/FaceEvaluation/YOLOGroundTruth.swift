import FaceDecoding
import Untrusted

/// The text form of YOLO: a `.txt` for each picture with a line `class x y w h` for each object, the centre and size of
/// its box as fractions of the picture's width and height (https://docs.ultralytics.com/datasets/detect).
///
/// A line may go on as tools of this family write it: with five points in the order of `Landmarks.points`, as `x y`
/// (https://github.com/deepcam-cn/yolov5-face) or as `x y visibility` (https://docs.ultralytics.com/datasets/pose), and
/// with a score at its end, as detections are saved. A face with a negative coordinate of a point, -1 where that is not
/// known, or with a visibility of 0 has no landmarks. One with a score below 0.5 is ignored.
public enum YOLOGroundTruth {
  /// The faces of one picture, normalised. Its path without its suffix is its name; a class without a name is called by
  /// its number; errors name the `source`.
  public static func read(
    _ bytes: [UInt8], source: String, name: String, classes: [Int: String] = [:]
  ) throws(GroundTruthError) -> GroundTruthPicture {
    var lines = TextLines(bytes, source: source)
    var faces: [GroundTruthFace] = []
    while let line = lines.nextWithText() {
      guard faces.count < GroundTruthLimits.faces else {
        throw lines.failure("too many faces", "at most \(GroundTruthLimits.faces)")
      }
      faces.append(try face(line, lines, classes))
    }
    return GroundTruthPicture(name: name, isNormalized: true, faces: faces)
  }

  private static func face(
    _ line: UntrustedText, _ lines: TextLines, _ classes: [Int: String]
  ) throws(GroundTruthError) -> GroundTruthFace {
    let numbers = try lines.numbers(in: line)
    guard [5, 6, 15, 16, 20, 21].contains(numbers.count) else {
      throw lines.failure(
        "\(numbers.count) numbers",
        "5: class x y w h, 15: these and five points, or 20: the points with their visibility; "
          + "or one more, a score at the end")
    }
    guard let number = Int(exactly: numbers[0]) else {
      throw lines.failure("the class \(numbers[0])", "a whole number")
    }
    let (numbersOfPoint, scores) = (numbers.count - 5).quotientAndRemainder(dividingBy: 5)
    let points = numbers[5...].dropLast(scores)
    let landmarks = numbersOfPoint == 3 ? Landmarks(visible: points) : Landmarks(points)
    // Tools that write this form round the numbers, some to two decimals.
    guard numbers[1...4].allSatisfy({ (-0.01...1.01).contains($0) }), numbers[3] >= 0,
      numbers[4] >= 0
    else {
      throw lines.failure("\"\(line.excerpt(300))\"", "a centre and a size from 0 to 1")
    }
    return GroundTruthFace(
      box: Rectangle(
        center: Point(x: numbers[1], y: numbers[2]),
        size: Size(width: numbers[3], height: numbers[4])),
      landmarks: landmarks?.ifKnown,
      standing: GroundTruthFace.standing(
        ofConfidence: scores == 1 ? numbers[numbers.count - 1] : 1),
      category: GroundTruthCategory(name: classes[number] ?? "\(number)", number: number))
  }
}
