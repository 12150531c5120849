// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import NIOEmbedded
import Testing
import YOLOFace

@testable import YOLOFaceServer

@Suite struct DetectionRequestTests {
  private func options(
    _ query: [(Substring, Substring)], allowsThorough: Bool = false
  ) throws -> DetectionOptions {
    try DetectionOptions(
      query: query.map { ($0.0, $0.1) }, maximumLongSide: 1024, allowsThorough: allowsThorough)
  }

  /// However low the score, a request costs no more than its picture's size and so many faces.
  @Test func costlySearchesMustBeAllowed() throws {
    #expect(try options([("effort", "thorough")], allowsThorough: true).effort == .thorough)
    #expect(throws: Refusal.self) { try options([("effort", "thorough")]) }
    let query: [(Substring, Substring)] = [("score", "0"), ("effort", "refined")]
    #expect(try options(query).maximumFaces == 32)
    #expect(try options(query, allowsThorough: true).maximumFaces == 5_000)
  }

  @Test func aQueryChangesOnlyWhatItNames() throws {
    var expected = DetectionOptions()
    expected.maximumFaces = 5_000
    #expect(try options([]) == expected)
    expected.scoreThreshold = 0.25
    expected.overlapThreshold = 1
    expected.letterbox = .longSide(1024)
    expected.effort = .checked
    #expect(
      try options([("score", "0.25"), ("long-side", "1024"), ("iou", "1"), ("effort", "checked")])
        == expected)
  }

  @Test(arguments: [(2048, 640), (640, 640), (639, 608), (320, 320), (33, 32)])
  func theStandardSizeIsWithinTheLimit(limit: Int, side: Int) {
    #expect(Letterbox.Style.yolov5.standardMode(upTo: limit) == .longSide(side))
  }

  @Test(arguments: [
    ("score", ""), ("score", "-0.1"), ("score", "1.1"), ("score", "inf"), ("score", "half"),
    ("iou", "NaN"), ("iou", "1e300"), ("long-side", "0"), ("long-side", "-32"),
    ("long-side", "1056"), ("long-side", "100"), ("long-side", "99999999999999999999"),
    ("long-side", "640.0"), ("size", "640"), ("Score", "0.5"), ("", ""), ("effort", "twice"),
    ("effort", ""),
  ])
  func refusesInvalidQueries(name: Substring, value: Substring) {
    let refusal = #expect(throws: Refusal.self) { try options([(name, value)]) }
    #expect(refusal?.status == .badRequest)
    #expect(refusal?.message.hasPrefix(name) == true && refusal!.message.contains(": give "))
  }

  /// Its "100 Continue" is never sent, and the time for its body runs anyway.
  @Test func aClientThatReadsNothingTimesOut() async throws {
    let channel = await NIOAsyncTestingChannel(handler: Wire())
    let alarm = Task {
      try await Task.sleep(for: .seconds(20))
      try await channel.close()
    }
    let (body, source) = RequestBody.makeStream()
    let request = Request(
      head: HTTPRequest(
        method: .post, scheme: nil, authority: nil, path: "/detect",
        headerFields: [.expect: "100-continue"]),
      body: body)
    await #expect {
      try await YOLOFaceServer.body(
        of: request, upTo: 10, within: .milliseconds(10), channel: channel)
    } throws: { error in
      (error as? Refusal)?.status == .requestTimeout
    }
    source.finish()
    alarm.cancel()
    await #expect(throws: CancellationError.self) { try await alarm.value }
  }

  @Test func aStatedLengthIsLimited() throws {
    try requireBody([:], upTo: 10)
    try requireBody([.contentLength: "10"], upTo: 10)
    for length in ["11", "99999999999999999999999"] {
      #expect { try requireBody([.contentLength: length], upTo: 10) } throws: { error in
        (error as? Refusal)?.status == .contentTooLarge
      }
    }
  }
}
