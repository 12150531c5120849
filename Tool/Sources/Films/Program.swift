// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Synchronization
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC
import YOLOFaceUntrusted

/// How long programs may keep this process waiting.
struct WaitLimit: Sendable {
  /// For how long a program may neither write, read nor end.
  var silence: Duration = .seconds(60)
  /// Whether the caller still wants what the program does; it is asked several times a second.
  var isWanted: @Sendable () -> Bool
}

/// A program, found on the path, that runs beside this process.
///
/// It is ended where it exceeds the caller's limit, and the programs that it has started end with it. One that
/// has left its group of processes goes on, but nothing waits for it.
final class Program: Sendable {
  struct End: Sendable {
    /// Nil for success.
    var failure: String?
    /// The first and the last lines that it wrote to standard error; of long ones, a part.
    var errors = ""
  }

  private let name: String
  private let waitLimit: WaitLimit
  private let process: pid_t
  private let hasEnded = DispatchSemaphore(value: 0)
  /// Nil until the program has ended.
  private let end = Mutex<End?>(nil)
  /// Why the program was ended before it was done.
  private let impatience = Mutex<String?>(nil)

  /// Starts a program. The caller closes its standard input, if it has one, and its standard output.
  init(
    _ name: String, _ arguments: [String], input: Int32?, output: Int32, for path: String,
    _ waitLimit: WaitLimit
  ) throws {
    (self.name, self.waitLimit) = (name, waitLimit)
    let errors = try Connection(for: path, expected: "a pipe") { pipe(&$0) }
    process = try errors.handingOver {
      try spawn(name, arguments, input: input, output: output, errors: $0, for: path)
    }
    // A thread of its own: those that tasks share may all be waiting for this program.
    guard let thread = SystemThread({ [self] in waitForEnd(errors.ours) }) else {
      _ = close(errors.ours)
      _ = kill(-process, SIGKILL)
      _ = Self.failure(of: process)
      throw FileError(path: path, found: systemMessage(EAGAIN), expected: "a thread for \(name)")
    }
    thread.detach()
  }

  private func waitForEnd(_ errors: Int32) {
    var lines = FirstAndLastLines()
    // What the program leaves behind may keep standard error open, and write without end.
    var deadline: ContinuousClock.Instant?
    while deadline.map({ .now < $0 }) ?? true, lines.readNext(errors) {
      if deadline == nil, waitUntilEnd(of: process, WNOHANG) { deadline = .now + .seconds(1) }
    }
    _ = close(errors)
    waitUntilEnd(of: process)
    let text = lines.text
    end.withLock {
      // Once the program is reaped, another group may get its number.
      _ = kill(-process, SIGKILL)
      let failure = Self.failure(of: process).map {
        "\(name)'s message: \(text.isEmpty ? $0 : text)"
      }
      $0 = End(failure: impatience.withLock { $0 } ?? failure, errors: text)
    }
    hasEnded.signal()
  }

  /// Starts a program without input; returns the end of a pipe from its standard output, too, which the caller closes.
  static func reading(
    _ name: String, _ arguments: [String], for path: String, _ waitLimit: WaitLimit
  ) throws -> (Program, output: Int32) {
    let connection = try Connection(for: path, expected: "a pipe") { pipe(&$0) }
    let program = try connection.handingOver {
      try Program(name, arguments, input: nil, output: $0, for: path, waitLimit)
    }
    return (program, connection.ours)
  }

  /// Reads what the program writes, behind what has been read before, until there is enough, by default the most, or it
  /// ends. Memory is reserved for the most.
  func read(
    _ descriptor: Int32, atLeast least: Int? = nil, atMost limit: Int,
    after first: ArraySlice<UInt8> = []
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = buffer[..<first.count].initialize(fromContentsOf: first)
      while count < least ?? limit, canGoOn(descriptor, POLLIN) {
        let got = uninterrupted {
          YOLOFaceLibC.read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
        }
        if got <= 0 { break }
        count += got
      }
    }
  }

  /// Sends bytes to the program; false where it does not take all.
  func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    #if canImport(Darwin)
      let flags = Int32(MSG_DONTWAIT)
    #else
      let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    #endif
    return bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        guard canGoOn(descriptor, POLLOUT) else { return false }
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let count = uninterrupted {
          YOLOFaceLibC.send(descriptor, piece.baseAddress, piece.count, flags)
        }
        guard count >= 0 || errno == EAGAIN else { return false }
        rest = rest.dropFirst(max(0, count))
      }
      return true
    }
  }

  /// Waits until the program has ended, which may take so many times as long as it may be silent.
  func wait(times: Int = 1) -> End {
    let hasPatience = waitInSlices(times: times) {
      hasEnded.wait(timeout: .now() + .milliseconds(Self.slice)) == .success
    }
    // What was killed ends soon.
    if !hasPatience { hasEnded.wait() }
    hasEnded.signal()
    return end.withLock { $0 ?? End() }
  }

  /// Waits until a connection can be read or written; false where the program has ended or been ended.
  private func canGoOn(_ descriptor: Int32, _ events: Int32) -> Bool {
    var canGoOn = false
    let isInTime = waitInSlices(times: 1) {
      // What it has left behind may keep the other end open.
      let isOver = end.withLock { $0 != nil }
      canGoOn = isReady(descriptor, events)
      return canGoOn || isOver
    }
    return isInTime && canGoOn
  }

  /// In milliseconds.
  fileprivate static let slice = 100

  /// Waits until something has happened; false where that takes too long or is no longer wanted, and the program
  /// has been ended. Time for which this process was stopped does not count.
  private func waitInSlices(times: Int, until hasHappened: () -> Bool) -> Bool {
    let limit = times * Int(waitLimit.silence / .milliseconds(Self.slice))
    for _ in 0...limit {
      guard waitLimit.isWanted() else {
        terminate(because: "an interruption of \(name)")
        return false
      }
      if hasHappened() { return true }
    }
    terminate(because: "no sign of \(name) for \(times * Int(waitLimit.silence / .seconds(1))) s")
    return false
  }

  /// Ends the program at once, and those that it has started, if it has not ended.
  func terminate(because reason: String? = nil) {
    impatience.withLock { if $0 == nil { $0 = reason } }
    // Under the lock, since its number may be another program's once it is reaped.
    end.withLock { if $0 == nil { _ = kill(-process, SIGKILL) } }
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

/// Waits until a process has ended, or with `WNOHANG` not; says whether it has, and leaves it to be reaped.
@discardableResult private func waitUntilEnd(of process: pid_t, _ options: Int32 = 0) -> Bool {
  var information = siginfo_t()
  let result = uninterrupted {
    waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT | options)
  }
  return result != 0 || information.si_signo != 0
}

/// Waits for a slice of time until a connection can be read or written without waiting.
private func isReady(_ descriptor: Int32, _ events: Int32) -> Bool {
  var connection = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  let count = poll(&connection, 1, Int32(Program.slice))
  return count > 0 || count < 0 && errno != EINTR && errno != EAGAIN
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
  // A group of its own, so that what it starts ends with it.
  posix_spawnattr_setpgroup(&attributes, 0)
  let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
  posix_spawnattr_setflags(&attributes, Int16(flags))
  var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup(systemPath($0)) }
  defer { for word in words { free(word) } }
  words.append(nil)
  var process: pid_t = 0
  let error = connections.withLock { _ in
    posix_spawnp(&process, name, &actions, &attributes, words, environ)
  }
  guard error == 0 else {
    throw FileError(
      path: path, found: "\(name): \(systemMessage(error))",
      expected: "\(name) on the path; install ffmpeg")
  }
  return process
}

/// A program that is started while a connection is made, before its ends are marked, would keep it open.
private let connections = Mutex(())

/// The two ends of a pipe or a socket, one of which a program gets; no other program that is started does.
struct Connection {
  let ours, theirs: Int32

  /// - Parameter make: fills in both ends, and returns 0, as `pipe` does.
  init(for path: String, expected: String, _ make: (inout [Int32]) -> Int32) throws {
    var ends: [Int32] = [-1, -1]
    let isMade = connections.withLock { _ in
      make(&ends) == 0 && ends.allSatisfy { fcntl($0, F_SETFD, FD_CLOEXEC) == 0 }
    }
    guard isMade else {
      throw FileError(path: path, found: systemMessage(errno), expected: expected)
    }
    (ours, theirs) = (ends[0], ends[1])
  }

  /// Starts what gets the other end, which only it then keeps open; where that fails, both are closed.
  func handingOver<Started>(_ start: (Int32) throws -> Started) throws -> Started {
    defer { _ = close(theirs) }
    do { return try start(theirs) } catch {
      _ = close(ours)
      throw error
    }
  }
}

/// The first two and the last two lines of a text that may be endless; only the ends of long ones.
private struct FirstAndLastLines {
  private static let most = 400
  private var first: [UInt8] = []
  private var last: [UInt8] = []
  private var block = [UInt8](repeating: 0, count: 1 << 12)

  /// Reads what comes through a pipe within a slice of time; false at its end.
  mutating func readNext(_ descriptor: Int32) -> Bool {
    guard isReady(descriptor, POLLIN) else { return true }
    let count = uninterrupted { read(descriptor, &block, block.count) }
    guard count > 0 else { return false }
    let head = min(count, Self.most - first.count)
    first += block[..<head]
    last = (last + block[head..<count]).suffix(Self.most)
    return true
  }

  var text: String {
    let (first, last) = (lines(first), lines(last))
    return (first.prefix(2) + (first.dropFirst(2) + last).suffix(2)).map(withoutAddresses)
      .joined(separator: "; ")
  }

  /// A line without what ffmpeg writes of its memory, such as ` @ 0x55d0`, which is never the same again.
  private func withoutAddresses(_ line: UntrustedText) -> String {
    let mark: StaticString = " @ 0x"
    var (result, rest) = ([UInt8](), line)
    while let address = rest.behind(mark) {
      result += rest.bytes[..<(address.startIndex - mark.utf8CodeUnitCount)]
      rest = address.drop { Character(Unicode.Scalar($0)).isHexDigit }
    }
    return String(decoding: result + rest.bytes, as: UTF8.self)
  }

  private func lines(_ text: [UInt8]) -> [UntrustedText] {
    UntrustedText(text).split(separator: UInt8(ascii: "\n"))
  }
}
