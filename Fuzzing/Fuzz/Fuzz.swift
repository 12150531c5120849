import Foundation
import FuzzTargets
import LibFuzzer

/// Hands what libFuzzer makes up to the fuzzer that `--fuzzer=NAME` names. libFuzzer passes over flags
/// of two dashes, and hands them on to the processes that it starts.
@main struct Fuzz {
  static let fuzzer: @Sendable ([UInt8]) -> Void = {
    let flag = "--fuzzer="
    let name = CommandLine.arguments.first { $0.hasPrefix(flag) }?.dropFirst(flag.count)
    if let name, let fuzzer = fuzzers[String(name)] { return fuzzer }
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

/// What libFuzzer calls with each input that it makes up.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzz.fuzzer([UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
