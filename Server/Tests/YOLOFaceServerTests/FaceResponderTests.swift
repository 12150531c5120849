// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing
import YOLOFace

@testable import YOLOFaceServer

/// A report as a client decodes it.
private struct Report: Decodable {
  var image: String
  var width, height: Int
  var faces: [Face]
}

@Suite struct FaceResponderTests {
  private let picture = ServerProcess.picture

  /// Reports are rounded: pixels to three decimals, scores to five.
  @Test(arguments: [
    ("/detect", 640, 0.5, 1), ("/detect?long-side=320&score=0.3&iou=0.6", 320, 0.3, 1),
    ("/detect?score=1", 640, 1, 0),
  ])
  func theAnswerHasTheLibrarysFaces(
    target: String, longSide: Int, score: Float, count: Int
  ) throws {
    let answer = try Connection(try ServerProcess()).answer(toPicture: picture, at: target)
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "application/json")
    #expect(answer.headers["x-content-type-options"] == "nosniff")
    let report = try JSONDecoder().decode(Report.self, from: Data(answer.body))
    #expect(report.image == "-")
    #expect((report.width, report.height) == (512, 512))

    var options = DetectionOptions()
    options.letterbox = .longSide(longSide)
    options.scoreThreshold = score
    let faces = try FaceDetector().detect(
      in: try Picture.read(path: ServerProcess.astronaut.path), options: options)
    #expect((report.faces.count, faces.count) == (count, count))
    for (found, face) in zip(report.faces, faces) {
      #expect(abs(found.score - face.score) < 0.00001)
      #expect(zip(numbers(found), numbers(face)).allSatisfy { abs($0 - $1) < 0.001 })
    }
  }

  private func numbers(_ face: Face) -> [Double] {
    [face.box.x, face.box.y, face.box.width, face.box.height]
      + face.landmarks!.points.flatMap { [$0.x, $0.y] }
  }

  @Test func consecutiveAndConcurrentRequestsGetTheSameAnswer() throws {
    let server = try ServerProcess("--concurrency", "2")
    let texts = Texts()
    inParallel(4) { _ in
      do {
        let connection = try Connection(server)
        for _ in 0..<5 {
          let answer = try connection.answer(toPicture: ServerProcess.picture)
          texts.add("\(answer.status) \(answer.text)")
        }
      } catch {
        texts.add("\(error)")
      }
    }
    #expect(texts.all.count == 20)
    #expect(Set(texts.all).count == 1)
    #expect(texts.all[0].hasPrefix("200 {\"faces\":[{\"box\":{"))
  }

  /// A request, with the status of its answer and a part of the message.
  struct Refused: Sendable, CustomTestStringConvertible {
    var method = "POST"
    var target = "/detect"
    var headers = ["Content-Type: image/png"]
    var body: [UInt8]? = []
    var status: Int
    var message: String

    var testDescription: String { "\(method) \(target) \(status) \(message)" }
  }

  /// The beginning of a PNG of 30,000 × 30,000 grey pixels.
  private static let bomb: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
    + [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 0, 0, 0, 0, 0x43, 0x4C, 0xA7, 0x66]
    + [0, 0, 0, 99] + Array("IDAT".utf8)

  @Test(arguments: [
    Refused(target: "/nothing", status: 404, message: "no such path"),
    Refused(target: "/detect/", status: 404, message: "no such path"),
    Refused(method: "GET", status: 405, message: "takes POST only"),
    Refused(method: "DELETE", target: "/health", status: 405, message: "takes GET, HEAD only"),
    Refused(headers: [], status: 415, message: "Content-Type is missing"),
    Refused(
      headers: ["Content-Type: application/x-www-form-urlencoded"], status: 415,
      message: "give image/png"),
    Refused(
      headers: ["Content-Type: image/png", "Content-Encoding: gzip"], status: 415,
      message: "Content-Encoding gzip: send the picture as it is"),
    Refused(
      headers: ["Content-Type: multipart/form-data; boundary=b"],
      body: Array("--b\r\nfilename\r\n\r\nGIF89a\r\n--b\r\nfilename\r\n\r\nx\r\n--b--".utf8),
      status: 422, message: "file 1: not a PNG"),
    Refused(target: "/detect?score=0.5%00junk", status: 400, message: "score 0.5\0junk: give"),
    Refused(target: "/detect?score=0.1&score=0.2", status: 400, message: "score: give it once"),
    Refused(
      target: "/detect?long-side=16384", body: ServerProcess.picture, status: 422,
      message: "found shape [3, 16384, 16384]"),
    Refused(status: 422, message: "this looks like an empty file"),
    Refused(body: Array("GIF89a".utf8), status: 422, message: "this looks like GIF"),
    Refused(body: bomb, status: 422, message: "30000 × 30000"),
    Refused(
      body: Array(ServerProcess.picture.prefix(100_000)), status: 422,
      message: "the data ends before the picture does"),
    Refused(
      body: [UInt8](repeating: 7, count: 600_001), status: 413, message: "more than 600000 bytes"),
  ])
  func refusals(expected: Refused) throws {
    let server = try ServerProcess("--max-body", "600000", "--max-long-side", "16384")
    let connection = try Connection(server)
    // A request refused before its body may have its connection closed while the body is sent.
    try? connection.send(expected.method, expected.target, expected.headers, body: expected.body)
    let answer = try connection.answer()
    #expect(answer.status == expected.status)
    #expect(answer.headers["content-type"] == "application/json")
    #expect(try #require(answer.error).contains(expected.message))
    #expect((answer.headers["allow"] != nil) == (expected.status == 405))
  }

  @Test(arguments: [
    ("GET /health HTTP/1.1\r\n", 400), ("GET /health HTTP/1.1\r\nHost: a\r\nhost: a\r\n", 400),
    ("GET /health HTTP/1.0\r\nHost: a\r\nHost: b\r\n", 400),
    ("GET /health HTTP/1.1\r\nHost: a, b\r\n", 400), ("GET /health HTTP/1.1\r\nHost: a/b\r\n", 400),
    ("GET /health HTTP/1.1\r\nHost: [::1]:8080\r\n", 200),
    ("GET /health HTTP/1.1\r\nHost:\r\n", 200), ("GET /health HTTP/1.0\r\n", 200),
  ])
  func aRequestNamesOneHost(head: String, status: Int) throws {
    let connection = try Connection(try ServerProcess())
    try connection.send(head + "\r\n")
    let answer = try connection.answer()
    #expect(answer.status == status)
    #expect((answer.error?.hasPrefix("Host: give ") ?? false) == (status == 400))
  }

  @Test(arguments: [
    "HTTP/1.0\r\n", "HTTP/1.0\r\nConnection: keep-alive\r\n",
    "HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n",
    "HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n",
  ])
  func aRequestForASingleAnswerGetsOne(head: String) throws {
    let connection = try Connection(try ServerProcess())
    try connection.send("GET /health \(head)\r\n")
    let answer = try connection.answer()
    #expect(answer.status == 200)
    #expect(answer.headers["connection"] == "close")
    #expect(try connection.isClosed())
  }

  /// RFC 9110 (15.2) forbids an interim answer to a client of HTTP/1.0, which would take it for the answer.
  @Test func anOldRequestGetsNoInterimAnswer() throws {
    let connection = try Connection(try ServerProcess())
    try connection.send(
      "POST /detect HTTP/1.0\r\nExpect: 100-continue\r\nContent-Type: image/png\r\n"
        + "Content-Length: \(picture.count)\r\n\r\n")
    try connection.send(picture)
    #expect(try connection.answer().status == 200)
  }

  @Test func pixelsAreLimited() throws {
    let least = try Connection(try ServerProcess("--max-pixels", "262144"))
    #expect(try least.answer(toPicture: picture).status == 200)
    let tooFew = try Connection(try ServerProcess("--max-pixels", "262143"))
    let answer = try tooFew.answer(toPicture: picture)
    #expect(answer.status == 422)
    #expect(answer.error == "the picture is 512 × 512, the limit is 262143 pixels")
  }

  @Test func theLimitOfBodiesIsExact() throws {
    let connection = try Connection(try ServerProcess("--max-body", "\(picture.count)"))
    #expect(try connection.answer(toPicture: picture).status == 200)
    try connection.sendHead(length: nil, ["Transfer-Encoding: chunked"])
    try connection.send("\(String(picture.count, radix: 16))\r\n")
    try connection.send(picture)
    try connection.send("\r\n0\r\n\r\n")
    #expect(try connection.answer().status == 200)
    try? connection.sendPicture(picture + [0])
    #expect(try connection.answer().status == 413)
  }

  @Test func whenAllPlacesAreTakenClientsAreToldToRetry() throws {
    let server = try ServerProcess("--concurrency", "1", "--queue", "0")
    let first = try Connection(server)
    try first.sendHead(length: picture.count, ["Expect: 100-continue"])
    // After "100 Continue", it has its place.
    #expect(try first.answer().status == 100)
    let answer = try Connection(server).answer(toPicture: [])
    #expect(answer.status == 503)
    #expect(answer.headers["retry-after"] == "1")
    let third = try Connection(server)
    #expect(try third.answer(to: "/health").status == 200)

    try first.send(picture)
    #expect(try first.answer().status == 200)
    #expect(try third.answer(toPicture: picture).status == 200)
  }

  @Test func aSearchThatTakesTooLongTimesOut() throws {
    let connection = try Connection(try ServerProcess("--timeout", "0.001"))
    // 503 if even the thread took that long to start.
    #expect([503, 504].contains(try connection.answer(toPicture: picture).status))
  }

  @Test func noFurtherPictureIsSearchedInVain() throws {
    let picture = picture[...]
    func find(_ pictures: [ArraySlice<UInt8>]) throws -> Int {
      try YOLOFaceServer.find(
        in: pictures, with: try FaceDetector(), DetectionOptions(), maximumPixels: 1_000_000,
        until: .now
      ).faces
    }
    #expect(try find([picture]) == 1)
    let error = #expect(throws: Refusal.self) { try find([picture, picture]) }
    #expect(error?.status == .gatewayTimeout)
  }

  @Test func healthReportsTheWeightsAndTheUptime() throws {
    let connection = try Connection(try ServerProcess())
    let answer = try connection.answer(to: "/health?deep=1")
    let health = /\{"ok":true,"uptime":[1-5]?\d(\.\d+)?,"weights":"yoloface-n-0.5"\}\n?/
    #expect(answer.status == 200 && answer.text.wholeMatch(of: health) != nil)
    try connection.send("HEAD", "/health")
    let head = try connection.answer(hasBody: false)
    #expect(head.status == 200)
    #expect(try #require(head.headers["content-length"].flatMap { Int($0) }) > 0)
    let int8 = try Connection(try ServerProcess("--precision", "int8"))
    #expect(try int8.answer(to: "/health").text.contains("\"yoloface-n-0.5-int8\""))
  }

  @Test func anotherModelIsServed() throws {
    let files = ["param", "bin"].flatMap {
      ["--\($0)", ServerProcess.root.appending(path: "Models/yoloface-n-0.5.\($0)").path]
    }
    let recipe = URL(fileURLWithPath: NSTemporaryDirectory())
      .appending(path: "recipe-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: recipe) }
    // Inputs of one size.
    try Data(
      """
      {"family": "yolo5Face", "input": "data", "planes": "rgb", "mean": [0, 0, 0], "divisor": 255,
       "fill": 114, "size": {"width": 320, "height": 320},
       "levels": [{"stride": 16, "cells": "out_16", "anchors": [[23, 29], [43, 55], [73, 105]]}]}
      """.utf8
    ).write(to: recipe)
    let connection = try Connection(try ServerProcess(files + ["--recipe", recipe.path]))
    #expect(try connection.answer(to: "/health").text.contains("\"yoloface-n-0.5.param\""))
    let answer = try connection.answer(toPicture: picture)
    #expect(answer.status == 200 && answer.text.contains("\"score\":0."))
    let refused = try connection.answer(toPicture: picture, at: "/detect?long-side=640")
    #expect(refused.status == 400 && refused.text.contains("320 × 320 only"))
  }

  @Test func metricsCountTheWork() throws {
    let connection = try Connection(try ServerProcess())
    for body in [picture, []] { _ = try connection.answer(toPicture: body) }
    _ = try connection.answer(to: "/favicon.ico")
    let answer = try connection.answer(to: "/metrics")
    #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    for line in [
      "requests_total{path=\"/detect\",status=\"200\"} 1",
      "requests_total{path=\"/detect\",status=\"422\"} 1",
      "requests_total{path=\"other\",status=\"404\"} 1", "requests_in_flight 1",
      "detect_seconds_count 1", "detect_seconds_bucket{le=\"+Inf\"} 1",
      "received_bytes_total \(picture.count)", "pixels_total 262144", "faces_total 1",
    ] { #expect(answer.text.contains("\nyoloface_\(line)\n")) }
  }

  @Test func theLogContainsNothingAboutPictures() throws {
    let server = try ServerProcess()
    let connection = try Connection(server)
    let picture = Array("a picture that is none".utf8)
    #expect(try connection.answer(toPicture: picture, at: "/detect?score=0.1234").status == 422)
    #expect(try connection.answer(to: "/secret").status == 404)
    server.send(SIGTERM)
    #expect(server.wait() == 0)
    #expect(server.log.contains("listening"))
    for word in ["none", "0.1234", "secret"] { #expect(!server.log.contains(word)) }
  }
}

/// Texts to which several threads add.
final class Texts: Sendable {
  private let texts = Mutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  var all: [String] { texts.withLock { $0 } }
}
