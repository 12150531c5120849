// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceUntrusted

/// The text form of WIDER FACE's ground truth (`wider_face_val_bbx_gt.txt`,
/// http://shuoyang1213.me/WIDERFACE): for each picture its path, the count of its faces, and a line
/// `x y w h blur expression illumination invalid occlusion pose` for each of them.
///
/// A picture with 0 faces is followed by a line of zeros, which is optional here. Faces marked `invalid` are ignored.
/// Lines may end behind the box, or behind a score as in WIDER FACE's results.
public enum WIDERGroundTruth {
  /// The pictures of such a file, in its order; errors name the `source`.
  public static func read(
    _ bytes: [UInt8], source: String, noting faults: GroundTruthFaults = .init(isStrict: true)
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    var lines = TextLines(bytes, source: source)
    var result = GroundTruthPictures(noting: faults)
    var line = lines.nextWithText()
    while let path = line {
      try result.append(
        GroundTruthPicture(name: "", boxForm: .cornerAndSize), at: path, failure: lines.failure)
      let count = try count(lines.next(), lines)
      for number in 0..<count {
        guard let text = lines.next() else {
          throw lines.failure("the end after \(number) faces", "\(count)")
        }
        let face = try faults.reading { () throws(GroundTruthError) in try Self.face(text, lines) }
        if let face { try result.append(face, failure: lines.failure) }
      }
      line = lines.nextWithText()
      if count == 0, let text = line, isRowOfZeros(text) { line = lines.nextWithText() }
    }
    return result.pictures
  }

  /// Whether a file is of this form, and not of one with a row of numbers on each line.
  public static func begins(_ bytes: [UInt8]) -> Bool {
    var lines = TextLines(bytes, source: "")
    return lines.nextWithText() != nil && lines.next()?.integer(Int.self) != nil
  }

  private static func count(
    _ text: UntrustedText?, _ lines: TextLines
  ) throws(GroundTruthError) -> Int {
    guard let text, let count = text.integer(Int.self),
      (0...GroundTruthLimits.faces).contains(count)
    else {
      throw lines.failure(
        text.map { "\"\($0.excerpt(300))\"" } ?? "the end",
        "a count of faces, from 0 to \(GroundTruthLimits.faces), as in WIDER FACE's text")
    }
    return count
  }

  private static func face(
    _ text: UntrustedText, _ lines: TextLines
  ) throws(GroundTruthError) -> GroundTruthFace {
    let numbers = try lines.numbers(in: text)
    guard [4, 5, 10].contains(numbers.count) else {
      throw lines.failure(
        "\(numbers.count) numbers",
        "10: x y w h blur expression illumination invalid occlusion pose")
    }
    let box = try lines.box(numbers)
    guard numbers.count == 10 else {
      return GroundTruthFace(box: box, score: numbers.count == 5 ? numbers[4] : nil)
    }
    guard numbers[7] == 0 || numbers[7] == 1 else {
      throw lines.failure("\(numbers[7]) as eighth number, invalid", "0 or 1")
    }
    return GroundTruthFace(box: box, standing: numbers[7] == 1 ? .ignored : .counted)
  }

  private static func isRowOfZeros(_ text: UntrustedText) -> Bool {
    let words = text.split(separator: UInt8(ascii: " "))
    return words.count > 1 && words.allSatisfy { $0 == "0" }
  }
}
