import ArgumentParser

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Prints a message to standard error.
func printError(_ message: String) {
  fputs("yoloface: \(message)\n", stderr)
}

/// Runs the work of a subcommand; an error becomes a message and the exit status 1.
func reportingErrors(_ work: () throws -> Void) throws {
  do {
    try work()
  } catch let error as ExitCode {
    throw error
  } catch {
    printError("\(error)")
    throw ExitCode.failure
  }
}
