// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFormatting

@testable import YOLOFaceTool

/// Reports on hostile and odd models: the corpus of FuzzParam and the tests' hostile files,
/// unchanged and mutated. A trap would end the process.
struct InspectReportTests {
  static let folders = ["Fuzzing/Corpus/FuzzParam", "Tests/NCNNTests/Hostile"]

  private static func models(_ folder: String) throws -> [[UInt8]] {
    let url = SharedData.projectRoot.appending(path: folder)
    return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
      .filter { !$0.hasSuffix(".bin") }
      .map { try [UInt8](Data(contentsOf: url.appending(path: $0))) }
  }

  @Test(arguments: folders)
  func isSoundForEveryModel(folder: String) throws {
    let temporary = try TemporaryFolder()
    let path = temporary.url.appending(path: "m\"\\\n.param").path
    var random = SeededGenerator(seed: 5)
    let models = try Self.models(folder)
    var described = 0
    for model in models {
      for round in 0..<20 {
        var bytes = model
        if round > 0, let index = bytes.indices.randomElement(using: &random) {
          let other = try #require(models.randomElement(using: &random))
          bytes[index] = other.randomElement(using: &random) ?? 0
        }
        try Data(bytes).write(to: URL(filePath: path))
        for size in [nil, ImageSize(width: 33, height: 1)] {
          guard let inspection = try? Inspection(param: path, bin: nil, size: size) else {
            continue
          }
          described += 1
          try check(InspectReport(inspection))
          try check(ModelComparison(inspection, inspection))
        }
      }
    }
    #expect(described > 0)
  }

  private func check(_ report: InspectReport) throws {
    let json = try object(report.json)
    #expect((json["layers"] as? [Any])?.count == report.layers.count)
    #expect((json["receptiveFields"] as? [Any])?.count == report.outputs.count)
    #expect(json["model"] as? String == report.model)
    var lines: [String] = []
    report.forEachLine { lines.append($0) }
    #expect(lines.last?.hasPrefix("total: ") == true)
    var edges = 0
    dotGraph(report) { line in
      edges += line.contains(" -> ") ? 1 : 0
      #expect(!line.utf8.contains { $0 < 0x20 })
    }
    let read = report.layers.reduce(0) { $0 + $1.inputs.count }
    #expect(report.layers.count > 50 || edges >= read + report.outputs.count)
    let folded = layerGroups(report).flatMap(\.layers)
    #expect(folded.sorted() == Array(report.layers.indices))
  }

  private func check(_ comparison: ModelComparison) throws {
    let json = try object(comparison.json)
    #expect((json["differing"] as? [Any])?.isEmpty == true)
    comparison.forEachLine { #expect(!$0.isEmpty) }
  }

  private func object(_ json: JSONPieces) throws -> [String: Any] {
    var text = ""
    try json.forEach { text += $0 }
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(object as? [String: Any])
  }
}
