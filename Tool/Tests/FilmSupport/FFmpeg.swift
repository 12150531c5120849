// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

extension Programs {
  /// Runs ffmpeg, which replaces existing files and prints errors alone.
  package static func ffmpeg(_ arguments: [String]) throws {
    let program = try #require(path(ofAny: "ffmpeg"))
    let run = try run(URL(fileURLWithPath: program), ["-v", "error", "-nostdin", "-y"] + arguments)
    #expect(run.status == 0, "\(run.output)")
  }
}
