// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Testing

@testable import YOLOFaceServer

@Suite struct ServerCommandTests {
  @Test func theDefaultsAreLimited() throws {
    let command = try #require(try ServerCommand.parseAsRoot([]) as? ServerCommand)
    #expect(command.host == "127.0.0.1" && command.limits.maxBody == 20_000_000)
  }

  @Test(arguments: [
    "--port=65536", "--port=-1", "--max-body=0", "--max-pixels=268435457", "--max-long-side=16",
    "--concurrency=0", "--queue=-1", "--timeout=0", "--timeout=nan", "--body-timeout=inf",
    "--idle-timeout=-1", "--max-connections=0", "--precision=int4", "--nonsense", "--param=m.param",
    "--bin=m.bin", "--recipe=r.json",
  ])
  func refusesWrongOptions(option: String) throws {
    let error = #expect(throws: (any Error).self) { try ServerCommand.parseAsRoot([option]) }
    #expect(ServerCommand.exitCode(for: try #require(error)) == ExitCode(64))
  }

  @Test func namesItsVersions() throws {
    let asked = #expect(throws: (any Error).self) { try ServerCommand.parseAsRoot(["--version"]) }
    let text = ServerCommand.fullMessage(for: try #require(asked))
    #expect(ServerCommand.exitCode(for: try #require(asked)) == .success)
    #expect(text.hasPrefix("yoloface-server 0.2.0, model yoloface-n-0.5, libpng 1."))
    #expect(text.contains("for research and tests"))
  }

  @Test func theHelpNamesEveryOption() {
    let help = ServerCommand.helpMessage(columns: 100)
    let options = """
      host port param bin recipe precision allow-origin max-body max-pixels max-long-side allow-thorough \
      concurrency queue timeout body-timeout idle-timeout max-connections
      """
    for option in options.split(separator: " ") { #expect(help.contains("--\(option) ")) }
    #expect(help.contains("SIGTERM"))
  }

  @Test func theShellsCompleteFilesAndChoices() throws {
    let dump = try JSONSerialization.jsonObject(with: Data(ServerCommand._dumpHelp().utf8))
    let command = (dump as? [String: Any])?["command"] as? [String: Any]
    let arguments = try #require(command?["arguments"] as? [[String: Any]])
    let completed = arguments.filter { $0["completionKind"] != nil }
      .compactMap { $0["valueName"] as? String }
    #expect(completed == ["param", "bin", "recipe", "precision"])
  }

  @Test func aPortThatIsTakenEndsTheServer() throws {
    let first = try ServerProcess()
    let error = #expect(throws: ServerProcess.NotStarted.self) {
      try ServerProcess("--port", "\(first.port)")
    }
    let log = try #require(error).log
    #expect(log.contains("--port \(first.port)") && log.contains("Address already in use"))
  }
}
