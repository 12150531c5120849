// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace
import YOLOFaceFiles

@testable import YOLOFaceTool

struct GivenPlacesTests {
  private static let line =
    #"{"frame":0,"hidden":[{"height":4,"id":1,"width":3,"x":1,"y":2}],"kept":[]}"#

  private func error(_ text: String) -> String? {
    do throws(FileError) {
      _ = try GivenPlaces(Array(text.utf8), path: "b.jsonl")
      return nil
    } catch {
      return error.description
    }
  }

  /// A person may have written numbers that follow each other in a circle.
  @Test(arguments: [[(2, 1), (1, 2)], [(1, 1)], [(2, 1), (3, 2)]])
  func doubtsEnd(successors: [(id: Int, former: Int)]) {
    var counts = HidingCounts()
    let places = successors.map { number in
      var place = FrameHidingReport.Place(Box(x: 0, y: 0, width: 9, height: 9))
      (place.id, place.former) = (number.id, number.former)
      return place
    }
    counts.add(FrameHidingReport(frame: 0, image: nil, hidden: places, kept: []))
    let last = successors.count == 1 ? 1 : successors[1].id == 3 ? 3 : 2
    #expect(counts.doubts(about: [1, 7]).map { $0.contains("--keep-id \(last) ") } == [true])
  }

  /// An array of all lines would take fifty times the file.
  @Test func readsAFileOfEmptyLines() throws {
    let empty = String(repeating: "\n", count: 1_000_000)
    let time = processorTime {
      #expect(error(empty + Self.line) == nil)
      #expect(error(empty + "x")?.hasPrefix("b.jsonl, line 1000001: found \"x\"") == true)
    }
    #expect(time < generousProcessorTime)
  }

  @Test(arguments: [
    ("[" + String(repeating: " ", count: 1 << 20) + "]", "found 1048578 bytes"),
    (String(repeating: "[", count: 9), "found values nested deeper"),
    (#"{"frame":0,"hidden":["# + String(repeating: "1,", count: 1 << 16), "found more values"),
    (line.replacing("3", with: "-3"), "found a box that is none in a picture"),
    (line.replacing("3", with: "true"), "found a value of another kind at hidden[0].width"),
    ("\(line)\n\(line)", "found frame 0 again in line 2"),
  ])
  func refuses(text: String, found: String) {
    #expect(error(text)?.contains(found) == true, "\(error(text) ?? "")")
  }
}
