import FuzzTargets
import LibFuzzer

@main struct FuzzDecoding {
  static func main() { _ = run_fuzzer(CommandLine.argc, CommandLine.unsafeArgv) }
}

/// What libFuzzer calls with each input that it makes up.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  fuzzDecoding([UInt8](UnsafeBufferPointer(start: start, count: count)))
  return 0
}
