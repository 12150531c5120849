// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The built server, run in a process of its own on a free port.
final class ServerProcess: Sendable {
  /// The output of a server that ended before it listened.
  struct NotStarted: Error {
    var log: String
  }

  /// The directory of the parent package.
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let astronaut = root.appending(path: "Examples/astronaut.png")
  static let picture = Array(try! Data(contentsOf: astronaut))

  let port: Int
  private let process = Process()
  private let directory: URL

  /// The test bundle and the server are built into the same directory.
  private static let executable = Bundle.main.bundleURL.appending(path: "yoloface-server")

  convenience init(_ arguments: String...) throws { try self.init(arguments) }

  /// Starts the server and waits until it listens.
  init(_ arguments: [String]) throws {
    directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let log = directory.appending(path: "log")
    try Data().write(to: log)
    process.executableURL = Self.executable
    process.arguments = ["--port", "0"] + arguments
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    while true {
      let text = try String(contentsOf: log, encoding: .utf8)
      if let match = text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)\n/) {
        port = try #require(Int(match.1))
        return
      }
      guard process.isRunning else { throw NotStarted(log: text) }
      usleep(10_000)
    }
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: directory)
  }

  /// What the server has written to standard error so far.
  var log: String {
    (try? String(contentsOf: directory.appending(path: "log"), encoding: .utf8)) ?? ""
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the server to end and returns its exit status; nil if a signal ended it.
  func wait() -> Int32? {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : nil
  }
}

/// Calls `body` with 0, 1, …, each on its own thread, and waits for all.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let done = DispatchSemaphore(value: 0)
  for index in 0..<count {
    Thread {
      body(index)
      done.signal()
    }.start()
  }
  for _ in 0..<count { done.wait() }
}
