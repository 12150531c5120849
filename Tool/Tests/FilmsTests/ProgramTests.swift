// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFiles

@testable import YOLOFaceFilms

@Suite(.enabled(if: Programs.path(ofAny: "setsid") != nil, "needs setsid"))
struct ProgramTests {
  private func sh(_ script: String, silence: Int = 100) throws -> (program: Program, output: Int32)
  {
    let waitLimit = WaitLimit(silence: .seconds(silence)) { true }
    return try Program.reading("sh", ["-c", script], for: "film.mp4", waitLimit)
  }

  /// What a program leaves behind, out of reach in a session of its own, may keep both outputs open, or write
  /// without end.
  @Test(arguments: [
    ("setsid sleep 100 & echo $!", 100, nil),
    ("setsid yes >&2 & echo $!", 100, nil),
    ("setsid sleep 100 & echo $!; exec sleep 100", 1, "no sign of sh for 1 s"),
  ]) func whatIsLeftBehindHoldsNothingUp(script: String, silence: Int, failure: String?) throws {
    let duration = try ContinuousClock().measure {
      let (program, output) = try sh(script, silence: silence)
      let text = String(decoding: program.read(output, atMost: 100), as: UTF8.self)
      #expect(program.wait().failure == failure)
      _ = close(output)
      let left = try #require(pid_t(text.trimmingCharacters(in: .newlines)))
      _ = kill(left, SIGKILL)
    }
    #expect(duration < .seconds(50))
  }

  @Test func errorsNameNoPlacesInMemory() throws {
    let (program, output) = try sh("echo '[mov @ 0x55ef0] a @ b [x @ 0x0]' >&2; exit 3")
    defer { _ = close(output) }
    #expect(program.wait().failure == "sh's message: [mov] a @ b [x]")
  }

  @Test func theEndsOfLongErrorsAreKept() throws {
    let (program, output) = try sh(
      "exec >&2; echo first; yes | head -c 1000000 | tr -d '\\n'; echo; echo last; exit 3")
    defer { _ = close(output) }
    let failure = try #require(program.wait().failure)
    #expect(failure.hasPrefix("sh's message: first; yyy") && failure.hasSuffix("yyy; last"))
    #expect(failure.utf8.count < 900)
  }

  /// The sleep keeps the pipe open: what has come is given without waiting for more.
  @Test func readsWhatHasComeAndGoesOnBehindIt() throws {
    let (program, output) = try sh("printf abc; sleep 0.1; printf defgh")
    defer { _ = close(output) }
    let block = program.read(output, atLeast: 1, atMost: 100)
    #expect(String(decoding: block, as: UTF8.self) == "abc")
    func next(_ count: Int, after first: ArraySlice<UInt8>) -> String {
      String(decoding: program.read(output, atMost: count, after: first), as: UTF8.self)
    }
    #expect(next(2, after: block[..<2]) == "ab", "nothing more is needed")
    #expect(next(4, after: block[2...]) == "cdef")
    #expect(next(4, after: []) == "gh", "the end")
    #expect(program.wait().failure == nil)
  }
}
