import Foundation
import FuzzTargets
import LibFuzzer

/// Passes libFuzzer's inputs to the fuzzer that `--fuzzer=NAME` names. libFuzzer ignores flags with
/// two dashes, and passes them on to the processes that it starts.
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

/// libFuzzer calls this with each input that it generates.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  Fuzz.fuzzer([UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
