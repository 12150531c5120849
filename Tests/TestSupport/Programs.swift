import Foundation
import Testing

/// Programs that some tests need and that the system may lack.
package enum Programs {
  /// The path of the first of these programs that is on `PATH`; nil if none is.
  package static func path(ofAny names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs ffmpeg, which replaces existing files and prints errors alone.
  package static func ffmpeg(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path(ofAny: "ffmpeg")))
    process.arguments = ["-v", "error", "-nostdin", "-y"] + arguments
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
