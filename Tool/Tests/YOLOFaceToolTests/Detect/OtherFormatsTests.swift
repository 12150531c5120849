import Foundation
import Testing

/// The commands' errors for a picture that is not a PNG.
@Suite struct OtherFormatsTests {
  @Test(arguments: [
    ["detect", "a.png"], ["track", "a.png"], ["compare", "a.png", "a.png"],
    ["explain", "a.png", "-o", "report.html"], ["profile", "a.png"],
  ])
  func areNamed(arguments: [String]) throws {
    let tool = try Tool()
    try Data("GIF89a".utf8).write(to: tool.directory.appending(path: "a.png"))
    let run = try tool.runAll(arguments).failed(saying: "a.png: found GIF, expected PNG")
    #expect(run.output.isEmpty)
  }
}
