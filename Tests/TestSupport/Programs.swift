import Foundation

/// Programs that some tests need and that the system may lack.
package enum Programs {
  /// The path of the first of these programs that is on `PATH`; nil if none is.
  package static func path(ofAny names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}
