// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite struct PageTests {
  @Test func thePageRunsOnlyItsOwnScriptAndLoadsNothing() throws {
    let connection = try Connection(try ServerProcess())
    var nonces: Set<String> = []
    for _ in 0..<2 {
      let answer = try connection.answer(to: "/")
      #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
      #expect(answer.headers["x-content-type-options"] == "nosniff")
      let policy = try #require(answer.headers["content-security-policy"])
      #expect(policy.hasPrefix("default-src 'none'; "))
      #expect(policy.contains("connect-src 'self'; "))
      for word in ["unsafe", "http", "*", "data:"] { #expect(!policy.contains(word)) }
      let nonce = String(try #require(policy.firstMatch(of: /script-src 'nonce-(\w{16,})'/)).1)
      #expect(answer.text.contains("<script nonce=\"\(nonce)\">"))
      #expect(answer.text.contains("<style nonce=\"\(nonce)\">"))
      for word in ["http", "//", "src=", "href=", "@import", "url(", "innerHTML", "eval("] {
        #expect(!answer.text.replacing(/\n *\/\/ .*/, with: "").contains(word))
      }
      nonces.insert(nonce)
    }
    #expect(nonces.count == 2)
  }

  /// The output of `browse.py`.
  private struct Visit: Decodable {
    struct State: Decodable {
      var status: String
      var isError: Bool
      var faces: [String]
      var canvas: [Int]?
    }

    var chosen: State
    var dropped: State
    var wrong: State
    var requests: [String]
    var messages: [String]
  }

  @Test(.enabled(if: Browser.exists, "needs python3, and Chromium or Chrome on the path"))
  func thePageShowsTheFaceInABrowser() throws {
    let server = try ServerProcess()
    let url = "http://127.0.0.1:\(server.port)/"
    let visit = try JSONDecoder().decode(
      Visit.self, from: try Browser.run(url, "visit", ServerProcess.astronaut.path))
    #expect(visit.chosen.status.hasPrefix("1 face in astronaut.png, after "))
    #expect(!visit.chosen.isError && visit.chosen.canvas == [512, 512])
    #expect(visit.chosen.faces.map { $0.prefix(9) } == ["score 0.9"])
    // A JPEG of 3000 × 3000, which the page converts to a smaller PNG.
    #expect(visit.dropped.status.hasPrefix("1 face in dropped.jpg, after "))
    #expect(visit.dropped.canvas == [2048, 2048])
    #expect(visit.wrong.status == "wrong.png is no picture that this browser can read.")
    #expect(visit.wrong.isError && visit.wrong.canvas == nil && visit.wrong.faces.isEmpty)
    let expected = ["GET /", "POST /detect", "POST /detect"]
    #expect(visit.requests.filter { $0 != "GET /favicon.ico" } == expected)
    #expect(visit.messages == [])
  }
}

/// Chromium, controlled by a script.
enum Browser {
  static let exists = chromium != nil && Programs.path(of: "python3") != nil

  private static let chromium = Programs.path(
    of: "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

  /// Runs `browse.py` and returns what it printed.
  static func run(_ arguments: String...) throws -> Data {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "browse.py")
    return Data(
      try Programs.output("python3", [script.path, try #require(chromium)] + arguments).utf8)
  }
}
