import FaceDecoding

/// The text form of YOLO: a `.txt` for each picture with a line `class x y w h` for each object, the
/// middle and extent of its box in the picture's widths and heights
/// (https://docs.ultralytics.com/datasets/detect).
///
/// Every object is taken for a face, whatever its class.
public enum YOLOTruth {
  /// The faces of one picture, normalised.
  ///
  /// - Parameters:
  ///   - bytes: the file's.
  ///   - source: the file's name, for errors.
  ///   - name: the picture's path without its suffix.
  /// - Throws: `TruthError` where it is no text of this form.
  public static func read(
    _ bytes: [UInt8], source: String, name: String
  ) throws(TruthError) -> TruePicture {
    var lines = TextLines(bytes, source: source)
    var faces: [TrueFace] = []
    while let line = lines.nextWithText() {
      guard faces.count < TruthLimits.faces else {
        throw lines.failure("more faces", "at most \(TruthLimits.faces)")
      }
      faces.append(try face(line, lines))
    }
    return TruePicture(name: name, isNormalized: true, faces: faces)
  }

  private static func face(_ line: String, _ lines: TextLines) throws(TruthError) -> TrueFace {
    let numbers = try lines.numbers(in: line)
    guard numbers.count == 5 else {
      throw lines.failure("\(numbers.count) numbers", "5: class x y w h")
    }
    // Tools that write this form round, some to two decimals.
    guard numbers[1...].allSatisfy({ (-0.01...1.01).contains($0) }), numbers[3] >= 0,
      numbers[4] >= 0
    else {
      throw lines.failure("\"\(line)\"", "a middle and an extent from 0 to 1")
    }
    return TrueFace(
      box: Rectangle(
        center: Point(x: numbers[1], y: numbers[2]),
        size: Size(width: numbers[3], height: numbers[4])))
  }
}
