// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import YOLOFaceNCNN

/// The page "Which layers run" against the reader and the recorded values.
@Suite struct LayerKindTableTests {
  /// The first cells of the page's three tables, kind by kind.
  private func kinds() throws -> (known: [String], unknown: [String], ours: [String]) {
    let page = try String(
      contentsOf: SharedData.projectRoot.appending(path: "Sources/NCNN/NCNN.docc/LayerKinds.md"),
      encoding: .utf8)
    let tables = page.split(separator: /These are not known:|These upstream lacks:/).map { part in
      part.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().flatMap { row in
        row.split(separator: "|")[0].split(separator: ",").map {
          $0.trimmingCharacters(in: .whitespaces)
        }
      }
    }
    return (tables[0], tables[1], tables[2])
  }

  @Test func listsWhatIsRead() throws {
    let (known, unknown, ours) = try kinds()
    #expect(Set(known + unknown).count == 110 && known.count + unknown.count == 110)
    #expect(LayerOperation.kinds.sorted() == (known + ours).sorted())
  }

  /// Each kind that upstream has is compared with its values; files that begin with Int8 are of several kinds.
  @Test func listsWhatIsCompared() throws {
    let fixtures = SharedData.projectRoot.appending(path: "Tests/InferenceTests/Fixtures")
    let files = try FileManager.default.contentsOfDirectory(atPath: fixtures.path)
    let compared = files.filter { $0.hasSuffix(".json") && !$0.hasPrefix("Int8") }
      .map { String($0.dropLast(5)) }
    #expect(try kinds().known.sorted() == compared.sorted())
  }
}
