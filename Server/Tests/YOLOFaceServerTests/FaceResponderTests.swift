import Foundation
import Synchronization
import Testing
import YOLOFace

@testable import YOLOFaceServer

/// A report as a client decodes it.
private struct Report: Decodable {
  struct Face: Decodable {
    var score: Double
    var box: [String: Double]
    var landmarks: [String: [Double]]
  }

  var image: String
  var width, height: Int
  var faces: [Face]
}

@Suite struct FaceResponderTests {
  private func picture() throws -> [UInt8] { Array(try Data(contentsOf: ServerProcess.astronaut)) }

  @Test(arguments: [
    ("/detect", 640, 0.5), ("/detect?long-side=320&score=0.3&iou=0.6", 320, 0.3),
    ("/detect?score=1", 640, 1),
  ])
  func theAnswerHasTheLibrarysFaces(
    target: String, longSide: Int, score: Float
  ) throws {
    let server = try ServerProcess()
    let connection = try Connection(server)
    try connection.sendPicture(try picture(), to: target)
    let answer = try connection.answer()
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
    #expect(report.faces.count == faces.count)
    #expect(faces.count == (score < 1 ? 1 : 0))
    // Reports are rounded: pixels to three decimals, scores to five.
    for (found, face) in zip(report.faces, faces) {
      #expect(abs(found.score - Double(face.score)) < 0.00001)
      let box = [face.box.x, face.box.y, face.box.width, face.box.height]
      for (name, number) in zip(["x", "y", "width", "height"], box) {
        #expect(abs(try #require(found.box[name]) - number) < 0.001)
      }
      let nose = try #require(found.landmarks["nose"])
      let expected = try #require(face.landmarks).nose
      #expect(abs(nose[0] - expected.x) < 0.001)
      #expect(abs(nose[1] - expected.y) < 0.001)
    }
  }

  @Test func consecutiveAndConcurrentRequestsGetTheSameAnswer() throws {
    let server = try ServerProcess("--concurrency", "2")
    let picture = try picture()
    let texts = Texts()
    inParallel(4) { _ in
      guard let connection = try? Connection(server) else { return texts.add("no connection") }
      for _ in 0..<5 {
        do {
          try connection.sendPicture(picture)
          let answer = try connection.answer()
          texts.add("\(answer.status) \(answer.text)")
        } catch {
          texts.add("\(error)")
        }
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
    Refused(headers: ["Content-Type: image/jpeg"], status: 415, message: "image/jpeg"),
    Refused(
      headers: ["Content-Type: application/x-www-form-urlencoded"], status: 415,
      message: "give image/png"),
    Refused(
      headers: ["Content-Type: image/png", "Content-Encoding: gzip"], status: 415,
      message: "Content-Encoding gzip: send the picture as it is"),
    Refused(
      headers: ["Content-Type: multipart/form-data"], status: 400, message: "give a boundary"),
    Refused(
      headers: ["Content-Type: multipart/form-data; boundary=b"], body: Array("--b".utf8),
      status: 400,
      message: "the form lacks its boundary"),
    Refused(
      headers: ["Content-Type: multipart/form-data; boundary=b"],
      body: Array("--b\r\nfilename\r\n\r\nGIF89a\r\n--b\r\nfilename\r\n\r\nx\r\n--b--".utf8),
      status: 422, message: "file 1: not a PNG"),
    Refused(method: "OPTIONS", status: 405, message: "takes POST only"),
    Refused(target: "/detect?score=2", status: 400, message: "score 2: give a number from 0 to 1"),
    Refused(target: "/detect?score=0.5%00junk", status: 400, message: "score 0.5\0junk: give"),
    Refused(target: "/detect?iou=nan", status: 400, message: "iou nan"),
    Refused(target: "/detect?long-side=641", status: 400, message: "a multiple of 32 up to 640"),
    Refused(target: "/detect?long-side=672", status: 400, message: "a multiple of 32 up to 640"),
    Refused(target: "/detect?size=640", status: 400, message: "size: give score, iou, long"),
    Refused(target: "/detect?score=0.1&score=0.2", status: 400, message: "score: give it once"),
    Refused(status: 422, message: "this looks like an empty file"),
    Refused(body: Array("GIF89a".utf8), status: 422, message: "this looks like GIF"),
    Refused(body: bomb, status: 422, message: "30000 × 30000"),
    Refused(
      body: [UInt8](repeating: 7, count: 600_001), status: 413, message: "more than 600000 bytes"),
  ])
  func refusals(expected: Refused) throws {
    let server = try ServerProcess("--max-body", "600000", "--max-long-side", "640")
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
    let picture = try picture()
    try connection.send(
      "POST /detect HTTP/1.0\r\nExpect: 100-continue\r\nContent-Type: image/png\r\n"
        + "Content-Length: \(picture.count)\r\n\r\n")
    try connection.send(picture)
    #expect(try connection.answer().status == 200)
  }

  @Test func aTruncatedPictureIsRefused() throws {
    let connection = try Connection(try ServerProcess())
    try connection.sendPicture(Array(try picture().prefix(100_000)))
    let answer = try connection.answer()
    #expect(answer.status == 422)
    #expect(answer.error == "libpng: the data ends in the middle of a chunk")
  }

  @Test func pixelsAreLimited() throws {
    let picture = try picture()
    let least = try Connection(try ServerProcess("--max-pixels", "262144"))
    try least.sendPicture(picture)
    #expect(try least.answer().status == 200)
    let tooFew = try Connection(try ServerProcess("--max-pixels", "262143"))
    try tooFew.sendPicture(picture)
    let answer = try tooFew.answer()
    #expect(answer.status == 422)
    #expect(answer.error == "the picture is 512 × 512, the limit is 262143 pixels")
  }

  @Test func refusesAnInputSizeBeyondTheLimits() throws {
    let connection = try Connection(try ServerProcess("--max-long-side", "16384"))
    try connection.sendPicture(try picture(), to: "/detect?long-side=16384")
    let answer = try connection.answer()
    #expect(answer.status == 422)
    #expect(try #require(answer.error).contains("found shape [3, 16384, 16384]"))
  }

  @Test func theLimitOfBodiesIsExact() throws {
    let picture = try picture()
    let connection = try Connection(try ServerProcess("--max-body", "\(picture.count)"))
    try connection.sendPicture(picture)
    #expect(try connection.answer().status == 200)
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
    let picture = try picture()
    let first = try Connection(server)
    try first.sendHead(length: picture.count, ["Expect: 100-continue"])
    // After "100 Continue", it has its place.
    #expect(try first.answer().status == 100)
    let second = try Connection(server)
    try second.sendPicture([])
    let answer = try second.answer()
    #expect(answer.status == 503)
    #expect(answer.headers["retry-after"] == "1")
    let third = try Connection(server)
    #expect(try third.answer(to: "/health").status == 200)

    try first.send(picture)
    #expect(try first.answer().status == 200)
    try third.sendPicture(picture)
    #expect(try third.answer().status == 200)
  }

  @Test func aSearchThatTakesTooLongTimesOut() throws {
    let connection = try Connection(try ServerProcess("--timeout", "0.001"))
    try connection.sendPicture(try picture())
    // 503 if even the thread took that long to start.
    #expect([503, 504].contains(try connection.answer().status))
  }

  @Test func noFurtherPictureIsSearchedInVain() throws {
    let picture = try picture()[...]
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
    struct Health: Decodable {
      var ok: Bool
      var uptime: Double
      var weights: String
    }
    let connection = try Connection(try ServerProcess())
    let answer = try connection.answer(to: "/health")
    #expect(answer.status == 200)
    let health = try JSONDecoder().decode(Health.self, from: Data(answer.body))
    #expect(health.ok)
    #expect(health.weights == "yoloface-n-0.5")
    #expect((0..<60).contains(health.uptime))
    try connection.send("HEAD", "/health")
    let head = try connection.answer(hasBody: false)
    #expect(head.status == 200)
    #expect(try #require(head.headers["content-length"].flatMap { Int($0) }) > 0)
    try connection.send("GET", "/health?deep=1")
    #expect(try connection.answer().status == 200)
    let int8 = try Connection(try ServerProcess("--precision", "int8"))
    let other = try JSONDecoder().decode(
      Health.self, from: Data(try int8.answer(to: "/health").body))
    #expect(other.weights == "yoloface-n-0.5-int8")
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
    try connection.sendPicture(try picture())
    let answer = try connection.answer()
    #expect(answer.status == 200 && answer.text.contains("\"score\":0."))
    try connection.sendPicture(try picture(), to: "/detect?long-side=640")
    let refused = try connection.answer()
    #expect(refused.status == 400 && refused.text.contains("320 × 320 only"))
  }

  @Test func metricsCountTheWork() throws {
    let connection = try Connection(try ServerProcess())
    let picture = try picture()
    try connection.sendPicture(picture)
    _ = try connection.answer()
    try connection.sendPicture([])
    _ = try connection.answer()
    try connection.send("GET", "/favicon.ico")
    _ = try connection.answer()
    try connection.send("GET", "/metrics")
    let answer = try connection.answer()
    #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    let lines = answer.text.split(separator: "\n").map(String.init)
    for line in [
      "yoloface_requests_total{path=\"/detect\",status=\"200\"} 1",
      "yoloface_requests_total{path=\"/detect\",status=\"422\"} 1",
      "yoloface_requests_total{path=\"other\",status=\"404\"} 1",
      "yoloface_requests_in_flight 1", "yoloface_detect_seconds_count 1",
      "yoloface_detect_seconds_bucket{le=\"+Inf\"} 1",
      "yoloface_received_bytes_total \(picture.count)", "yoloface_pixels_total 262144",
      "yoloface_faces_total 1",
    ] {
      #expect(lines.contains(line))
    }
  }

  @Test func theLogContainsNothingAboutPictures() throws {
    let server = try ServerProcess()
    let connection = try Connection(server)
    try connection.sendPicture(Array("a picture that is none".utf8), to: "/detect?score=0.1234")
    #expect(try connection.answer().status == 422)
    try connection.send("GET", "/secret")
    #expect(try connection.answer().status == 404)
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
