import Foundation
import TestSupport
import Testing

/// Runs the programs in `Snippets` on the picture in `Examples`, whose one face is at 176.4, 54.2.
struct SnippetTests {
  private func run(_ name: String, _ arguments: String...) throws -> [String] {
    let run = try launch(buildDirectory.appending(path: name), arguments)
    #expect(run.status == 0, "\(run.output)")
    return run.output.split(separator: "\n").map(String.init)
  }

  private let picture = "Examples/astronaut.png"

  @Test func detects() throws {
    try withTemporaryFolder { folder in
      let target = folder.appending(path: "faces.png")
      let lines = try run("Detect", picture, target.path)
      #expect(lines.count == 3)
      #expect(lines.first?.hasPrefix("score 0.9472") == true)
      let drawn = try Data(contentsOf: target)
      #expect(drawn.starts(with: [0x89] + Array("PNG".utf8)))
    }
  }

  @Test func decodesByHand() throws {
    let lines = try run("DecodeByHand", picture)
    #expect(lines.last?.hasPrefix("13 candidates") == true)
    // As the article Decoding calculates it.
    let line = "out_32, anchor 1, column 8, row 4: score 0.9473, box 176.38,54.15 95.75x125.75"
    #expect(lines.contains { $0.hasPrefix(line) && $0.hasSuffix("nose 224.28,128.59") })
  }

  @Test func runsAnotherModel() throws {
    let lines = try run("RunAnotherModel")
    #expect(
      lines.map { $0.prefix { $0 != "," } } == [
        "out_8: 3 × 64 × 16", "out_16: 3 × 16 × 16", "out_32: 3 × 4 × 16",
      ])
  }

  @Test func mapsToAView() throws {
    let lines = try run("MapToView", picture)
    #expect(lines.count == 4)
    // As the article CoordinateSpaces calculates it.
    #expect(lines[1].contains("x: 168.4") && lines[1].contains("y: 89.2"))
    #expect(lines[2].contains("x: 0.4318") && lines[2].contains("y: 0.6486"))
    // The middle of the view is the middle of the picture.
    #expect(lines[3] == "Point(x: 256.0, y: 256.0)")
  }

  @Test func detectsInMany() throws {
    let lines = try run("DetectMany", picture, "missing.png", picture)
    #expect(lines.count == 3)
    #expect(lines[0].hasPrefix("\(picture): [0.9472"))
    #expect(lines[1].hasPrefix("missing.png: "))
    #expect(lines[2] == lines[0])
  }

  @Test func buildsADetector() throws {
    let tutorial = try Article(path: "Sources/YOLOFace/YOLOFace.docc/BuildingADetector.md")
    let shown = tutorial.blocks(of: "text").flatMap(\.lines)
    let lines = try run("BuildADetector")
    #expect(Array(lines.dropLast()) == Array(shown.dropLast()))
    #expect(lines.last?.prefix(35) == shown.last?.prefix(35))
  }
}
