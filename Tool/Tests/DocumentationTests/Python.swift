import Foundation
import TestSupport
import Testing

/// The interpreter of the package's scripts, which the package itself does not need.
enum Python {
  static let exists = executable != nil
  static let explanation: Comment = "needs python3 on the path"

  private static let executable = Programs.path(ofAny: "python3")

  /// Runs a script of the package.
  static func run(_ script: String, _ arguments: [String]) throws -> Programs.Run {
    let script = SharedData.projectRoot.appending(path: script).path
    return try Programs.run(URL(fileURLWithPath: try #require(executable)), [script] + arguments)
  }
}
