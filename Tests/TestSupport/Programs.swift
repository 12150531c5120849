import Foundation

/// Programs of the system that some tests need, and that it may not have.
package enum Programs {
  /// The path of the first of these programs that is on `PATH`; nil where none is.
  package static func path(ofAny names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
