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
/// `Scripts/refresh --check` compares what they print with the documentation.
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
      #expect(lines.count == 3)
      #expect(lines.first?.hasPrefix("score 0.9") == true)
      let drawn = try Data(contentsOf: target)
      #expect(drawn.starts(with: [0x89] + Array("PNG".utf8)))
    }
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

  private func numbers(in line: String) -> [Double] {
    line.split { !$0.isNumber && $0 != "." && $0 != "-" }.compactMap { Double($0) }
  }

  @Test func runsAnotherModel() throws {
    let lines = try run("RunAnotherModel")
    #expect(
      lines.map { $0.prefix { $0 != "," } } == [
        "out_8: 3 × 64 × 16", "out_16: 3 × 16 × 16", "out_32: 3 × 4 × 16",
      ])
  }

  /// The mapping that the article CoordinateSpaces computes, for the face that the model finds.
  @Test func mapsToAView() throws {
    let lines = try run("MapToView", picture)
    try #require(lines.count == 4)
    let (found, seen, fractions) = (
      numbers(in: lines[0]), numbers(in: lines[1]), numbers(in: lines[2])
    )
    try #require(found.count >= 4 && seen.count >= 4 && fractions.count >= 4)
    let scale = 844.0 / 512
    let x = (512 - found[0] - found[2]) * scale - 227
    let y = found[1] * scale
    #expect(abs(seen[0] - x) < 0.01 && abs(seen[1] - y) < 0.01)
    #expect(abs(fractions[0] - x / 390) < 0.001)
    #expect(abs(fractions[1] - (844 - y - found[3] * scale) / 844) < 0.001)
    // The middle of the view is the middle of the picture.
    #expect(lines[3] == "256.0,256.0")
  }

  @Test func writesFacesAsJSON() throws {
    let lines = try run("FacesAsJSON", picture)
    #expect(lines.first == "[" && lines.last == "]")
    #expect(lines.count { $0.contains(#""score" : 0.9"#) } == 1)
    #expect(lines.count { $0.contains(#""rightEye" : ["#) } == 1)
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
    #expect(lines.contains("[\(row), \(row), \(row)]"))
    #expect(lines.contains("with a stride of 2: [[0.0, 4.0], [0.0, 4.0]]"))
    #expect(lines.contains("brighter everywhere: [\(row), \(row), \(row)]"))
    #expect(lines.contains { $0.hasPrefix("mean [1, 1, 2] [2.666") })
    #expect(lines.contains("parameters: 19"))
    #expect(
      lines.contains { $0.hasSuffix("= 25200") } && lines.contains { $0.hasSuffix("= 15120") })
    #expect(lines.contains("t = 0: middle 272.0, side 231.0"))
    #expect(lines.contains("t = −ln 3: middle 256.0, side 231.0"))
    #expect(lines.contains("t = 100: middle 304.0, side 924.0"))
    #expect(lines.contains("0.45 keeps [0, 2, 3]") && lines.contains("0.3 keeps [0, 3]"))
    let learning = lines.filter { $0.hasSuffix(" learns") }.map { $0.prefix { $0 != ":" } }
    #expect(learning == ["8 × 10", "13 × 16", "23 × 29", "43 × 55"])
  }

  /// As worked out in the article "Writing a head": σ(3), and a cell's reach around (48, 16).
  @Test func findsFacesWithAHeadOfItsOwn() throws {
    let lines = try run("OwnHead")
    #expect(lines == ["0.9526 16.0,-16.0 64.0 × 64.0"])
  }
}
