// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFace

/// Values that an app keeps between its runs.
struct StoredValuesTests {
  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return try String(decoding: encoder.encode(value), as: UTF8.self)
  }

  private func read<Value: Decodable>(_ json: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(json.utf8))
  }

  private func expect<Value: Codable & Hashable>(_ value: Value, _ text: String? = nil) throws {
    let written = try json(value)
    if let text { #expect(written == text) }
    let again: Value = try read(written)
    #expect(again == value && again.hashValue == value.hashValue)
  }

  @Test func valuesAreReadAsTheyAreWritten() throws {
    try expect(Orientation.right, "6")
    try expect(RGBColor(red: 1, green: 2, blue: 3), #"{"blue":3,"green":2,"red":1}"#)
    try expect(
      try RationalTime(value: -1001, timescale: 30_000), #"{"timescale":30000,"value":-1001}"#)
    try expect(ResizeFilter.automatic, "\"automatic\"")
    try expect(DetectionOptions())
    var options = DetectionOptions()
    options.orientation = .left
    options.letterbox = .exact(width: 640, height: 352)
    options.crowdScoreThreshold = 0.25
    options.maximumFaces = 3
    options.effort = SearchEffort(tiles: nil, rotations: 4, closeLooks: .checked)
    try expect(options)
  }

  @Test func aTrackedFaceKeepsItsIdentity() throws {
    var tracker = FaceTracker()
    let face = Face(score: 0.5, box: Box(x: 1, y: 2, width: 30, height: 40), landmarks: nil)
    let update = try tracker.update([face], at: RationalTime(value: 1, timescale: 30))
    try expect(try #require(update.new.first))
  }

  @Test(arguments: [0, -1, 1 << 31])
  func aTimeOfAnImpossibleTimescaleIsRefused(timescale: Int) {
    #expect(throws: DecodingError.self) {
      let _: RationalTime = try read(#"{"value": 1, "timescale": \#(timescale)}"#)
    }
  }

  @Test func picturesAreHashedByTheirPixels() throws {
    var image = RGBImage(width: 2, height: 1)
    let black = image
    image[1, 0] = .white
    #expect(Set([black, image, black]).count == 2)
  }
}
