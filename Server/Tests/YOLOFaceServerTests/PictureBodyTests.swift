// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird
import Testing

@testable import YOLOFaceServer

@Suite struct PictureBodyTests {
  private func refusal(_ work: () throws -> Void) -> Refusal? {
    #expect(throws: Refusal.self) { try work() }
  }

  @Test(arguments: [
    "image/png", "IMAGE/PNG", "application/octet-stream", "image/png; charset=binary",
    "image/png;q=1", "image/png ; x",
  ])
  func acceptsMediaTypesThatMayBePNG(type: String) throws {
    #expect(try PictureBody([.contentType: type]) == .whole)
    #expect(try PictureBody([.contentType: type, .contentEncoding: "Identity"]) == .whole)
  }

  @Test(arguments: ["image/jpeg", "image/pngx", "", "png", "text/html, image/png", ";image/png"])
  func refusesOtherMediaTypes(type: String) {
    let refusal = refusal { _ = try PictureBody([.contentType: type]) }
    #expect(refusal?.status == .unsupportedMediaType)
  }

  @Test(arguments: ["gzip", "br", "identity, gzip", "", "x"])
  func refusesEncodings(encoding: String) {
    let refusal = refusal {
      _ = try PictureBody([.contentType: "image/png", .contentEncoding: encoding])
    }
    #expect(refusal?.status == .unsupportedMediaType)
    #expect(refusal?.headers[.acceptEncoding] == "identity")
    #expect(refusal?.message.contains("Content-Encoding \(encoding): ") == true)
  }

  @Test(arguments: [
    ("boundary=a", "a"), ("charset=utf-8; Boundary=\"a b\"", "a b"),
    ("boundary=----x'()+_,-./:=?", "----x'()+_,-./:=?"),
    ("boundary=\(String(repeating: "a", count: 70))", String(repeating: "a", count: 70)),
  ])
  func readsABoundary(parameters: String, boundary: String) throws {
    let form = try PictureBody([.contentType: "Multipart/Form-Data; \(parameters)"])
    #expect(form == .form(boundary: boundary))
  }

  @Test(arguments: [
    "", "boundary", "boundary=", "boundary=\"\"", "boundary=é", "boundary=a\\b", "boundary=\"a \"",
    "boundary=\(String(repeating: "a", count: 71))", "boundary=[a]",
  ])
  func refusesBoundaries(parameters: String) {
    let type = "multipart/form-data; \(parameters)"
    let refusal = refusal { _ = try PictureBody([.contentType: type]) }
    #expect(refusal?.status == .badRequest && refusal?.message.contains("boundary") == true)
  }

  private func pictures(in body: String, boundary: String = "b") throws -> [String] {
    try PictureBody.form(boundary: boundary).pictures(in: Array(body.utf8))
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static let head = "Content-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n"

  /// A form of so many files.
  private static func form(files: Int) -> String {
    (0..<files).map { "--b\r\n\(head)\r\n\($0)\r\n" }.joined() + "--b--\r\n"
  }

  @Test func takesFiles() throws {
    for count in [1, 2, 16] {
      #expect(try pictures(in: Self.form(files: count)) == (0..<count).map { "\($0)" })
    }
    let head = Self.head
    for content in ["", "x", "\r\n--", "\r\n\r\n--a\r\n", "--b--", "\r\r\n--\r\n--x"] {
      #expect(try pictures(in: "--b\r\n\(head)\r\n\(content)\r\n--b--\r\n") == [content])
      #expect(
        try pictures(
          in: "--b\r\nContent-Type: image/png\r\n\(head.uppercased())\r\n\(content)\r\n--b--more")
          == [content])
    }
  }

  /// RFC 2046, 5.1.1: a preamble is ignored; many clients begin with an empty line.
  @Test(arguments: ["\r\n", "\r\n\r\n", "a preamble\r\n", "--B, or\r\n--\r\n-b\r\n"])
  func passesOverAPreamble(preamble: String) throws {
    #expect(try pictures(in: preamble + Self.form(files: 2)) == ["0", "1"])
  }

  @Test(arguments: [
    "", "x", "--b", "--b--", "--b\r\n", "x--b\r\n\(head)\r\nx\r\n--b--", "--b\r\n\(head)\r\nx",
    "\r\n--b", "\r\n", "\r\n--b\r\n\r\nx\r\n--b--",
    "--b\r\n\(head)\r\nx\r\n--b", "--b\r\n\(head)\r\nx\r\n--b-", "--b\r\n\(head)x\r\n--b--",
    "--bb\r\n\r\nx\r\n--b--", "--b\r\n\r\nx\r\n--b--",
    "--b\r\nContent-Disposition: form-data; name=\"score\"\r\n\r\n0.4\r\n--b--",
    "--b\r\n\(head)\r\nx\r\n--b\r\n\r\ny\r\n--b--", "--b\r\n\(head)\r\nx\r\n--b\r\n\(head)\r\ny",
    form(files: 17),
    "--b\r\n\(String(repeating: "a", count: 5000))filename\r\n\r\nx\r\n--b--",
  ])
  func refusesOtherForms(body: String) {
    let refusal = refusal { _ = try pictures(in: body) }
    #expect(refusal?.status == .badRequest && refusal?.message.hasPrefix("the form") == true)
  }

  /// Twenty megabytes of what nearly is a boundary.
  @Test func aHostileBodyIsReadOnce() {
    let boundary = String(repeating: "a", count: 70)
    let near = "\r\n--" + boundary.dropLast()
    let body = "--\(boundary)\r\n\(Self.head)\r\n" + String(repeating: near, count: 270_000)
    let refusal = refusal { _ = try pictures(in: body, boundary: boundary) }
    #expect(refusal?.status == .badRequest)
  }

  /// The answer to a form with the picture, as a client sends it, is that to the picture alone; to one with the
  /// picture several times, that as often.
  private func expectFace(
    _ program: String, times: Int = 1, _ arguments: (_ url: String, _ file: String) -> [String]
  ) throws {
    let server = try ServerProcess()
    let file = ServerProcess.astronaut.path
    let form = try Programs.output(
      program, arguments("http://127.0.0.1:\(server.port)/detect?score=0.4", file))
    let alone = try Connection(server)
      .answer(toPicture: ServerProcess.picture, at: "/detect?score=0.4").text
    let several = Array(repeating: alone.dropLast(), count: times).joined(separator: ",")
    #expect(form == (times == 1 ? alone : "[\(several)]\n"))
  }

  @Test(.enabled(if: Programs.path(of: "curl") != nil, "needs curl"))
  func takesCurlsForm() throws {
    for times in 1...2 {
      try expectFace("curl", times: times) { url, file in
        ["-s", url] + Array(repeating: ["-F", "file=@\(file)"], count: times).joined()
      }
    }
  }

  @Test(.enabled(if: Programs.hasModule("requests"), "needs Python's requests"))
  func takesRequestsForm() throws {
    let script = """
      import requests, sys
      print(requests.post(sys.argv[1], files={"file": open(sys.argv[2], "rb")}).text, end="")
      """
    try expectFace("python3") { url, file in ["-c", script, url, file] }
  }

  @Test(.enabled(if: Programs.hasModule("aiohttp"), "needs Python's aiohttp"))
  func takesAiohttpsForm() throws {
    let script = """
      import aiohttp, asyncio, sys
      async def main():
          async with aiohttp.ClientSession() as session:
              async with session.post(sys.argv[1], data={"file": open(sys.argv[2], "rb")}) as answer:
                  print(await answer.text(), end="")
      asyncio.run(main())
      """
    try expectFace("python3") { url, file in ["-c", script, url, file] }
  }
}
