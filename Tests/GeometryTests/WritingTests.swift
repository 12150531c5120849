// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceGeometry

struct WritingTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func read<T: Decodable>(_ type: T.Type, _ json: String) throws -> T {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  @Test func writesTheJSONOfTheTool() throws {
    let box = Box(x: 0.1, y: -2, width: 1.0 / 3, height: 4)
    #expect(
      try json(box) == #"{"height":4,"width":0.3333333333333333,"x":0.1,"y":-2}"#)
    #expect(try json(Point2D(x: 1.5, y: 2)) == "[1.5,2]")
    #expect(try json(Size2D(width: 3, height: 4)) == #"{"height":4,"width":3}"#)
    #expect(try read(Box.self, json(box)) == box)
    #expect(
      try read([Point2D].self, "[[1,2],[3,4.5]]") == [Point2D(x: 1, y: 2), Point2D(x: 3, y: 4.5)])
    #expect(try read(Size2D.self, #"{"width":3,"height":4}"#) == Size2D(width: 3, height: 4))
  }

  @Test(arguments: ["[1]", "[1,2,3]", #"{"x":1,"y":2}"#, #"["1","2"]"#, "[1,null]"])
  func refusesWhatIsNoPoint(json: String) {
    #expect(throws: DecodingError.self) { try read(Point2D.self, json) }
  }

  @Test func describesInThousandths() {
    #expect(
      "\(Box(x: 178.3494, y: -0.0004, width: 94.25, height: 100))"
        == "178.349,0.0 94.25 × 100.0")
    #expect("\(Point2D(x: 1e300, y: .nan))" == "1e+300,nan")
    #expect(
      "\(Point2D(x: .greatestFiniteMagnitude, y: -.infinity))" == "1.7976931348623157e+308,-inf")
  }
}
