// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

private enum Snippets {
  /// Scripts/check-packages names it.
  static let directory =
    ProcessInfo.processInfo.environment["TEST_SNIPPETS"].map { URL(filePath: $0) }
    ?? Programs.buildDirectory
  static let areBuilt = FileManager.default.isExecutableFile(
    atPath: directory.appending(path: "Detect").path)
}

/// Runs the programs in `Snippets` on the picture in `Examples`, which has one face.
/// `Scripts/refresh --check` compares what others print with the documentation, and
/// `Scripts/check-dependency` runs some in another package.
@Suite(.enabled(if: Snippets.areBuilt, "SwiftPM builds Snippets with the engine's package alone"))
struct SnippetTests {
  private func run(_ name: String, _ arguments: String...) throws -> [String] {
    let run = try Programs.run(Snippets.directory.appending(path: name), arguments)
    #expect(run.status == 0, "\(run.output)")
    return run.output.split(separator: "\n").map(String.init)
  }

  private let picture = "Examples/astronaut.png"

  @Test func detects() throws {
    try withTemporaryFolder { folder in
      let target = folder.appending(path: "faces.png")
      let lines = try run("Detect", picture, target.path)
      #expect(lines.count == 3 && lines[0].hasPrefix("score 0.9"))
      #expect(try Data(contentsOf: target).starts(with: [0x89] + Array("PNG".utf8)))
    }
  }

  private func numbers(in line: String) -> [Double] {
    line.split { !$0.isNumber && $0 != "." && $0 != "-" }.compactMap { Double($0) }
  }

  /// The mapping that the article CoordinateSpaces computes, for the face that the model finds.
  @Test func mapsToAView() throws {
    let lines = try run("MapToView", picture)
    try #require(lines.count == 4)
    let numbers = lines.prefix(3).map(numbers(in:))
    try #require(numbers.allSatisfy { $0.count >= 4 })
    let (found, seen, fractions) = (numbers[0], numbers[1], numbers[2])
    let scale = 844.0 / 512
    let x = (512 - found[0] - found[2]) * scale - 227
    let y = found[1] * scale
    #expect(abs(seen[0] - x) < 0.01 && abs(seen[1] - y) < 0.01)
    #expect(abs(fractions[0] - x / 390) < 0.001)
    #expect(abs(fractions[1] - (844 - y - found[3] * scale) / 844) < 0.001)
    // The middle of the view is the middle of the picture.
    #expect(lines[3] == "256.0,256.0")
  }

  /// The snippet's arithmetic and the library's give the same box.
  @Test func decodesByHand() throws {
    let byHand = try #require(try run("DecodeByHand", picture).last)
    let built = try #require(try run("BuildADetector").last)
    let (numbers, expected) = (numbers(in: byHand).suffix(4), numbers(in: built).suffix(4))
    #expect(numbers.count == 4 && expected.count == 4)
    for (number, expected) in zip(numbers, expected) {
      #expect(abs(number - expected) < 0.06, "rounded to hundredths and to tenths")
    }
  }

  /// The one face moves by 8 pixels from frame to frame.
  @Test func tracksFrames() throws {
    let lines = try run("TrackFrames", picture)
    try #require(lines.count == 5)
    #expect(lines[0].hasPrefix("frame 0: face 1 comes, score 0.889"))
    let left = lines.dropFirst().compactMap { numbers(in: $0).dropFirst(2).first }
    try #require(left.count == 4)
    for (number, x) in left.enumerated() {
      #expect(lines[number + 1].hasPrefix("frame \(number + 1): face 1 at "))
      #expect(abs(x - left[0] - 8 * Double(number)) < 8, "a coarse input moves the box too")
    }
  }

  @Test func detectsInManyPictures() throws {
    let lines = try run("DetectMany", picture, "missing.png", picture)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("\(picture): [0.9"))
    #expect(lines[1].hasPrefix("missing.png: "))
    #expect(lines[2] == lines[0])
  }

  /// The answers in the article "From zero".
  @Test func answersTheExercises() throws {
    let lines = try run("FromZero")
    let row = "[0.0, 4.0, 4.0, 0.0]"
    for line in [
      "[\(row), \(row), \(row)]", "with a stride of 2: [[0.0, 4.0], [0.0, 4.0]]",
      "brighter everywhere: [\(row), \(row), \(row)]", "parameters: 19",
      "t = 0: middle 272.0, side 231.0", "t = −ln 3: middle 256.0, side 231.0",
      "t = 100: middle 304.0, side 924.0", "nose: 279.1", "0.45 keeps [0, 2, 3]",
      "0.3 keeps [0, 3]",
    ] {
      #expect(lines.contains(line))
    }
    #expect(lines.contains { $0.hasPrefix("mean [1, 1, 2] [2.666") })
    for end in ["= 25200", "= 15120"] { #expect(lines.contains { $0.hasSuffix(end) }) }
    let learning = lines.filter { $0.hasSuffix(" learns") }.map { $0.prefix { $0 != ":" } }
    #expect(learning == ["8 × 10", "13 × 16", "23 × 29", "43 × 55"])
  }
}
