// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceUntrusted

/// The text form of RetinaFace's labels of WIDER FACE (`label.txt`,
/// https://github.com/deepinsight/insightface/tree/master/detection/retinaface): for each picture a line
/// `# path`, and for each of its faces a line `x y w h`, in its longer form followed by `x y visibility` of
/// five points, in the order of `Landmarks.points`, and a blur.
///
/// A face with a negative coordinate of a point, -1 where that is not known, has no landmarks.
public enum RetinaFaceGroundTruth {
  /// Whether a file begins as this form does.
  public static func begins(_ bytes: [UInt8]) -> Bool {
    var lines = TextLines(bytes, source: "")
    return lines.nextWithText()?.starts(with: "#") == true
  }

  /// The pictures of such a file, in its order; errors name the `source`.
  public static func read(
    _ bytes: [UInt8], source: String, noting faults: GroundTruthFaults = .init(isStrict: true)
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    var lines = TextLines(bytes, source: source)
    var result = GroundTruthPictures(noting: faults)
    while let line = lines.nextWithText() {
      if let path = line.dropping("#") {
        try result.append(
          GroundTruthPicture(name: "", boxForm: .cornerAndSize),
          at: path.drop { $0 == UInt8(ascii: " ") },
          failure: lines.failure)
        continue
      }
      guard !result.pictures.isEmpty else { throw lines.failure("a face", "# and a path") }
      let face = try faults.reading { () throws(GroundTruthError) in try Self.face(line, lines) }
      if let face { try result.append(face, failure: lines.failure) }
    }
    return result.pictures
  }

  private static func face(
    _ line: UntrustedText, _ lines: TextLines
  ) throws(GroundTruthError) -> GroundTruthFace {
    let numbers = try lines.numbers(in: line)
    guard [4, 20].contains(numbers.count) else {
      throw lines.failure(
        "\(numbers.count) numbers",
        "4: x y w h, or 20: these, x y visibility of five points, and blur")
    }
    return GroundTruthFace(
      box: try lines.box(numbers),
      landmarks: Landmarks(numbers[4...].dropLast(), numbersOfPoint: 3)?.ifKnown)
  }
}
