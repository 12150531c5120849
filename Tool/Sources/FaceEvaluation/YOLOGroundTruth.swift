import FaceDecoding

/// The text form of YOLO: a `.txt` for each picture with a line `class x y w h` for each object,
/// the centre and size of its box as fractions of the picture's width and height
/// (https://docs.ultralytics.com/datasets/detect).
///
/// A line may go on as tools of this family write it: with a score, as detections are saved; or with five
/// points in the order of `Landmarks.points`, as `x y` (https://github.com/deepcam-cn/yolov5-face) or as
/// `x y visibility` (https://docs.ultralytics.com/datasets/pose). A face with a negative coordinate of a point, -1
/// where that is not known, or with a visibility of 0 has no landmarks.
///
/// Every object counts as a face, whatever its class, unless its score is below 0.5: then it is ignored.
public enum YOLOGroundTruth {
  /// The faces of one picture, normalised.
  ///
  /// - Parameters:
  ///   - bytes: the file's.
  ///   - source: the file's name, for errors.
  ///   - name: the picture's path without its suffix.
  /// - Throws: `GroundTruthError` where the text does not have this form.
  public static func read(
    _ bytes: [UInt8], source: String, name: String
  ) throws(GroundTruthError) -> GroundTruthPicture {
    var lines = TextLines(bytes, source: source)
    var faces: [GroundTruthFace] = []
    while let line = lines.nextWithText() {
      guard faces.count < GroundTruthLimits.faces else {
        throw lines.failure("too many faces", "at most \(GroundTruthLimits.faces)")
      }
      faces.append(try face(line, lines))
    }
    return GroundTruthPicture(name: name, isNormalized: true, faces: faces)
  }

  private static func face(_ line: String, _ lines: TextLines) throws(GroundTruthError)
    -> GroundTruthFace
  {
    let numbers = try lines.numbers(in: line)
    guard [5, 6, 15, 20].contains(numbers.count) else {
      throw lines.failure(
        "\(numbers.count) numbers",
        "5: class x y w h, 6: these and a score, 15: class x y w h and five points, or 20: the points with "
          + "their visibility")
    }
    // Tools that write this form round the numbers, some to two decimals.
    guard numbers[1...4].allSatisfy({ (-0.01...1.01).contains($0) }), numbers[3] >= 0,
      numbers[4] >= 0
    else {
      throw lines.failure("\"\(line)\"", "a centre and a size from 0 to 1")
    }
    let hasVisibility = numbers.count == 20
    let isVisible = !hasVisibility || stride(from: 7, to: 20, by: 3).allSatisfy { numbers[$0] > 0 }
    let landmarks = Landmarks(numbers[5...], numbersOfPoint: hasVisibility ? 3 : 2)
    return GroundTruthFace(
      box: Rectangle(
        center: Point(x: numbers[1], y: numbers[2]),
        size: Size(width: numbers[3], height: numbers[4])),
      landmarks: isVisible ? landmarks?.ifKnown : nil,
      standing: GroundTruthFace.standing(ofConfidence: numbers.count == 6 ? numbers[5] : 1))
  }
}
