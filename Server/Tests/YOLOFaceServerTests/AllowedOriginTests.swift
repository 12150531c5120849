// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import YOLOFaceServer

@Suite struct AllowedOriginTests {
  @Test(arguments: [
    "", "example.org", "https://", "https://a/", "https://a/b", "ftp://a", "null", "https://a b",
    "https://a, https://b", "https://*.a", "**", "https://a\r\nX: y", "https://é",
  ])
  func refusesWhatIsNoOrigin(text: String) { #expect(AllowedOrigin(argument: text) == nil) }

  @Test(
    arguments: [
      ("https://a.example:8443", "https://a.example:8443", "https://a.example:8443"),
      ("https://A.example", "https://a.example", "https://a.example"),
      ("http://[::1]:80", "http://[::1]:80", "http://[::1]:80"),
      ("https://a.example", "https://b.example", nil),
      ("https://a.example", "http://a.example", nil),
      ("https://a.example", "https://a.example.org", nil), ("https://a.example", "null", nil),
      ("https://a.example", nil, nil), ("*", "https://b.example", "*"), ("*", "null", "*"),
      ("*", nil, "*"), (nil, "https://a.example", nil),
    ] as [(String?, String?, String?)])
  func pagesOfTheOriginMayReadAnswers(allowed: String?, origin: String?, admitted: String?) throws {
    let server = try ServerProcess(allowed.map { ["--allow-origin", $0] } ?? [])
    let connection = try Connection(server)
    let headers = origin.map { ["Origin: \($0)"] } ?? []
    for target in ["/health", "/nothing"] {
      try connection.send("GET", target, headers)
      let answer = try connection.answer()
      #expect(answer.headers["access-control-allow-origin"] == admitted)
      #expect((answer.headers["vary"] == "Origin") == (allowed != nil && allowed != "*"))
    }
    try connection.send("OPTIONS", "/detect", headers + ["Access-Control-Request-Method: POST"])
    let preflight = try connection.answer(hasBody: allowed == nil)
    #expect(preflight.status == (allowed == nil ? 405 : 204))
    #expect(preflight.headers["access-control-allow-origin"] == admitted)
    if allowed != nil {
      #expect(preflight.headers["access-control-allow-methods"] == "POST")
      #expect(preflight.headers["access-control-allow-headers"] == "Content-Type")
      try connection.send("OPTIONS", "/detect", headers)
      #expect(try connection.answer().status == 405)
    }
  }

  /// A page of one server asks another, which has another port: with a request that needs a preflight, and with a form.
  @Test(.enabled(if: Browser.exists, "needs python3, and Chromium or Chrome on the path"))
  func browsersObey() throws {
    let page = try ServerProcess()
    let origin = "http://127.0.0.1:\(page.port)"
    for (allowed, width) in [(nil, nil), (origin, 64), ("*", 64), ("\(origin)0", nil)]
      as [(String?, Int?)]
    {
      let server = try ServerProcess(allowed.map { ["--allow-origin", $0] } ?? [])
      let script = """
        (async () => {
          const canvas = document.createElement("canvas");
          canvas.width = canvas.height = 64;
          const picture = await new Promise((done) => canvas.toBlob(done, "image/png"));
          const form = new FormData();
          form.append("file", picture, "a.png");
          return Promise.all([picture, form].map((body) =>
            fetch("http://127.0.0.1:\(server.port)/detect", { method: "POST", body })
              .then((answer) => answer.json()).then(({ width }) => width).catch(() => null)));
        })()
        """
      let widths = try JSONDecoder().decode(
        [Int?].self, from: try Browser.run("\(origin)/health", "evaluate", script))
      #expect(widths == [width, width])
    }
  }
}
