import FaceDecoding

/// The text form of YOLO: a `.txt` for each picture with a line `class x y w h` for each object,
/// the centre and size of its box as fractions of the picture's width and height
/// (https://docs.ultralytics.com/datasets/detect).
///
/// Every object counts as a face, whatever its class.
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
    guard numbers.count == 5 else {
      throw lines.failure("\(numbers.count) numbers", "5: class x y w h")
    }
    // Tools that write this form round the numbers, some to two decimals.
    guard numbers[1...].allSatisfy({ (-0.01...1.01).contains($0) }), numbers[3] >= 0,
      numbers[4] >= 0
    else {
      throw lines.failure("\"\(line)\"", "a centre and a size from 0 to 1")
    }
    return GroundTruthFace(
      box: Rectangle(
        center: Point(x: numbers[1], y: numbers[2]),
        size: Size(width: numbers[3], height: numbers[4])))
  }
}
