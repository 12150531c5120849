// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzTargets
import LibFuzzer

/// Passes libFuzzer's inputs to the fuzzer that `--fuzzer=NAME` names. libFuzzer ignores flags with
/// two dashes, and passes them on to the processes that it starts.
@main struct Fuzz {
  static let fuzzer: @Sendable ([UInt8]) -> Void = {
    let flag = "--fuzzer="
    let name = CommandLine.arguments.first { $0.hasPrefix(flag) }?.dropFirst(flag.count)
    if let name, let fuzzer = fuzzers[String(name)] {
      return textFuzzers.contains(String(name)) ? inTime(fuzzer) : fuzzer
    }
    let found = name.map { "the fuzzer \($0)" } ?? "no \(flag)NAME"
    let names = fuzzers.keys.sorted().joined(separator: ", ")
    FileHandle.standardError.write(Data("fuzz: found \(found), expected one of \(names)\n".utf8))
    exit(64)
  }()

  static func main() {
    _ = fuzzer
    _ = run_fuzzer(CommandLine.argc, CommandLine.unsafeArgv)
  }
}

/// A fuzzer that traps where it takes more than 5 µs of processor time for each byte, with the sanitizer a few times
/// what reading takes.
private func inTime(_ fuzzer: @escaping @Sendable ([UInt8]) -> Void) -> @Sendable ([UInt8]) -> Void
{
  { bytes in
    let start = clock()
    fuzzer(bytes)
    let seconds = Double(clock() - start) / Double(CLOCKS_PER_SEC)
    precondition(seconds < 0.1 + 5e-6 * Double(bytes.count), "it took \(seconds) s")
  }
}

/// libFuzzer calls this with each input that it generates.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzz.fuzzer([UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
