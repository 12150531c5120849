// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import YOLOFaceServer

@Suite struct OpenAPITests {
  private struct Description: Decodable {
    struct Operation: Decodable {
      struct Answer: Decodable {}
      var responses: [String: Answer]
    }
    var openapi: String
    var paths: [String: [String: Operation]]
  }

  @Test func describesEveryPathAndMethod() throws {
    let connection = try Connection(try ServerProcess("--max-long-side", "640"))
    let answer = try connection.answer(to: "/openapi.json")
    #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
    #expect(answer.text.contains(#""maximum": 640"#) && !answer.text.contains("thorough"))
    let description = try JSONDecoder().decode(Description.self, from: Data(answer.body))
    #expect(description.openapi == "3.1.0")
    let methods = FaceResponder.methods.mapValues { Set($0.map { $0.rawValue.lowercased() }) }
    #expect(description.paths.mapValues { Set($0.keys) } == methods)
    let statuses = try #require(description.paths["/detect"]?["post"]).responses.keys.sorted()
    #expect(statuses == ["200", "400", "408", "413", "415", "422", "503", "504"])
  }

  /// Schemathesis sends what the description allows and what it does not, and compares the answers with it. That
  /// random bytes are no picture, no description can say.
  @Test(.enabled(if: Programs.path(of: "schemathesis") != nil, "needs schemathesis"))
  func schemathesisFindsNothing() throws {
    let server = try ServerProcess()
    let url = "http://127.0.0.1:\(server.port)"
    _ = try Programs.output(
      "schemathesis",
      [
        "run", "\(url)/openapi.json", "--url", url, "--max-examples", "40", "--seed", "1",
        "--exclude-checks", "positive_data_acceptance", "--no-color",
      ])
  }
}
