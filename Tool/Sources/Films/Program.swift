import Dispatch
import Files
import LibC
import Synchronization

/// A program, found on the path, that runs beside this process.
final class Program: Sendable {
  /// How a program ended.
  struct End: Sendable {
    /// Nil for success.
    var failure: String?
    /// The first and the last lines that it wrote to standard error.
    var errors = ""
  }

  private let process: pid_t
  private let hasEnded = DispatchSemaphore(value: 0)
  /// Nil until the program has ended.
  private let end = Mutex<End?>(nil)

  /// Starts a program. The caller closes its standard input, if it has one, and its standard output.
  ///
  /// - Throws: `FileError` with this path, if the program cannot be started.
  init(_ name: String, _ arguments: [String], input: Int32?, output: Int32, for path: String) throws
  {
    let errors = try makePipe(path)
    do {
      defer { _ = close(errors.writing) }
      process = try spawn(
        name, arguments, input: input, output: output, errors: errors.writing, for: path)
    } catch {
      _ = close(errors.reading)
      throw error
    }
    // A thread of its own: those that tasks share may all be waiting for this program.
    guard let thread = SystemThread({ [self] in waitForEnd(name, errors.reading) }) else {
      _ = close(errors.reading)
      _ = kill(process, SIGKILL)
      _ = Self.failure(of: process)
      throw FileError(path: path, found: systemMessage(EAGAIN), expected: "a thread for \(name)")
    }
    thread.detach()
  }

  /// Notes what the program writes to standard error, and its end.
  private func waitForEnd(_ name: String, _ errors: Int32) {
    let text = firstAndLast(of: errors)
    _ = close(errors)
    waitUntilEnd(of: process)
    end.withLock {
      let failure = Self.failure(of: process).map { text.isEmpty ? $0 : text }
      $0 = End(failure: failure.map { "\(name)'s message: \($0)" }, errors: text)
    }
    hasEnded.signal()
  }

  /// Starts a program without input.
  ///
  /// - Returns: the program, and the end of a pipe from its standard output, which the caller closes.
  static func reading(
    _ name: String, _ arguments: [String], for path: String
  ) throws -> (Program, output: Int32) {
    let pipe = try makePipe(path)
    defer { _ = close(pipe.writing) }
    do {
      let program = try Program(name, arguments, input: nil, output: pipe.writing, for: path)
      return (program, pipe.reading)
    } catch {
      _ = close(pipe.reading)
      throw error
    }
  }

  /// Waits until the program has ended.
  func wait() -> End {
    hasEnded.wait()
    hasEnded.signal()
    return end.withLock { $0 ?? End() }
  }

  /// Ends the program at once, if it has not ended.
  func terminate() {
    // Under the lock, since its number may be another program's once it is reaped.
    end.withLock { if $0 == nil { _ = kill(process, SIGKILL) } }
  }

  /// Reaps a process; nil for success.
  private static func failure(of process: pid_t) -> String? {
    var status: Int32 = 0
    guard uninterrupted({ waitpid(process, &status, 0) }) >= 0 else { return systemMessage(errno) }
    if status == 0 { return nil }
    let signal = status & 0x7f
    return signal == 0 ? "exit status \(status >> 8 & 0xff)" : "ended by signal \(signal)"
  }
}

/// Waits until a process has ended, but leaves it to be reaped.
private func waitUntilEnd(of process: pid_t) {
  var information = siginfo_t()
  _ = uninterrupted { waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) }
}

private func spawn(
  _ name: String, _ arguments: [String], input: Int32?, output: Int32, errors: Int32,
  for path: String
) throws -> pid_t {
  #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
  #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
  #endif
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  if let input {
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
  } else {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
  }
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
  // Threads that tasks share block signals, and this process may ignore some; the program must get them.
  var (none, ignored) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  sigemptyset(&ignored)
  for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&ignored, signal) }
  posix_spawnattr_setsigdefault(&attributes, &ignored)
  posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) }
  defer { for word in words { free(word) } }
  words.append(nil)
  var process: pid_t = 0
  let error = makingConnections {
    posix_spawnp(&process, name, &actions, &attributes, words, environ)
  }
  guard error == 0 else {
    throw FileError(
      path: path, found: "\(name): \(systemMessage(error))",
      expected: "\(name) on the path; install ffmpeg")
  }
  return process
}

/// A program that is started between a connection's creation and `closeOnSpawn` would keep it open.
private let connections = Mutex(())

/// Creates a connection that `closeOnSpawn` marks, or starts a program.
func makingConnections<Result>(_ body: () -> Result) -> Result {
  connections.withLock { _ in body() }
}

/// Keeps a connection from programs that are started; false where the system refuses.
func closeOnSpawn(_ ends: [Int32]) -> Bool {
  ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
}

/// The two ends of a pipe for what a program writes.
private func makePipe(_ path: String) throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  guard makingConnections({ pipe(&ends) == 0 && closeOnSpawn(ends) }) else {
    throw FileError(path: path, found: systemMessage(errno), expected: "a pipe")
  }
  return (ends[0], ends[1])
}

/// The first two and the last two lines of what comes through a pipe.
private func firstAndLast(of descriptor: Int32) -> String {
  var (first, last): ([UInt8], [UInt8]) = ([], [])
  var block = [UInt8](repeating: 0, count: 1 << 12)
  while true {
    let count = uninterrupted { read(descriptor, &block, block.count) }
    if count <= 0 { break }
    let head = min(count, 400 - first.count)
    first += block[..<head]
    last = (last + block[head..<count]).suffix(400)
  }
  func lines(_ text: [UInt8]) -> [Substring] {
    String(decoding: text, as: UTF8.self).split(separator: "\n")
  }
  return (lines(first).prefix(2) + (lines(first).dropFirst(2) + lines(last)).suffix(2))
    .joined(separator: "; ")
}
