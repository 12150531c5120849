// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// The faces of a data set that count, picture by picture: WIDER FACE's easy, medium and hard lists.
///
/// As text, a picture is two lines: its path, and the numbers of its faces that count, from 1 in the order of the ground
/// truth, separated by spaces. Where none counts, the second line is empty, or the picture is not listed.
///
///     0--Parade/0_Parade_marchingband_1_465.jpg
///     1 2 5
public struct WIDERSubset: Hashable, Sendable {
  /// The list's name, such as `easy`.
  public let name: String
  private let entries: [UntrustedText: Entry]
  private let source: String

  private struct Entry: Hashable {
    var line: Int
    /// The indices, from 0, of the faces that count.
    var indices: Set<Int>
  }

  /// Reads a list; errors name the `source`.
  public init(_ bytes: [UInt8], name: String, source: String) throws(GroundTruthError) {
    self.name = name
    self.source = source
    var lines = TextLines(bytes, source: source)
    var entries: [UntrustedText: Entry] = [:]
    while let path = lines.nextWithText() {
      guard let picture = pictureName(path) else {
        throw lines.failure(
          "the name \"\(path.excerpt(300))\"", "a file's path below the pictures' directory")
      }
      let line = lines.number
      let entry = Entry(line: line, indices: try Self.numbers(lines.next(), lines))
      guard entries.updateValue(entry, forKey: UntrustedText(picture)) == nil else {
        throw lines.failure("\(picture) a second time", "each picture once")
      }
    }
    self.entries = entries
  }

  private static func numbers(
    _ line: UntrustedText?, _ lines: TextLines
  ) throws(GroundTruthError) -> Set<Int> {
    var result: Set<Int> = []
    for word in line?.split(separator: UInt8(ascii: " ")) ?? [] {
      guard let number = word.integer(Int.self), (1...GroundTruthLimits.faces).contains(number)
      else {
        throw lines.failure(
          "\"\(word.excerpt(40))\"", "the numbers of faces, from 1, or an empty line")
      }
      guard result.insert(number - 1).inserted else {
        throw lines.failure("the face \(number) a second time", "each face once")
      }
    }
    return result
  }

  /// Requires every picture and face of the list to be in the ground truth: the list may belong to other pictures.
  public func check(against pictures: [GroundTruthPicture]) throws(GroundTruthError) {
    let counts = Dictionary(
      pictures.map { (UntrustedText($0.name), $0.faces.count) },
      uniquingKeysWith: { first, _ in first })
    func failure(_ line: Int, _ found: String, _ expected: String) -> GroundTruthError {
      GroundTruthError(file: source, position: .line(line), found: found, expected: expected)
    }
    for (picture, entry) in entries.sorted(by: { $0.value.line < $1.value.line }) {
      guard let count = counts[picture] else {
        throw failure(entry.line, "the picture \(picture)", "pictures of the ground truth only")
      }
      if let last = entry.indices.max(), last >= count {
        throw failure(
          entry.line + 1, "the face \(last + 1) of \(picture)",
          "at most \(count), as in the ground truth")
      }
    }
  }

  func contains(_ index: Int, of picture: String) -> Bool {
    entries[UntrustedText(picture)]?.indices.contains(index) ?? false
  }
}
