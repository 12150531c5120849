// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A connection to a server on this machine, for sending any bytes.
final class Connection {
  /// What went wrong.
  enum Failure: Error, Equatable {
    case refused
    case closed
    /// Nothing was received, or nothing was accepted, for 30 seconds.
    case silent
    case malformed(String)
  }

  struct Answer {
    var status: Int
    /// The headers by lower-case name.
    var headers: [String: String]
    var body: [UInt8]

    var text: String { String(decoding: body, as: UTF8.self) }
    /// The message of a refusal.
    var error: String? {
      (try? JSONDecoder().decode([String: String].self, from: Data(body)))?["error"]
    }
  }

  /// The server, kept running while the connection exists.
  private let server: ServerProcess
  private let descriptor: Int32
  private var unread: [UInt8] = []

  init(_ server: ServerProcess) throws {
    self.server = server
    signal(SIGPIPE, SIG_IGN)
    #if os(Linux)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var patience = timeval(tv_sec: 30, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, size)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(server.port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      close(descriptor)
      throw Failure.refused
    }
  }

  deinit { close(descriptor) }

  /// Sends all bytes; throws if the other side accepts no more.
  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { throw errno == EAGAIN ? Failure.silent : Failure.closed }
      rest = rest.dropFirst(count)
    }
  }

  /// How often bytes can be sent, at most `limit` times, until the other side closes the connection.
  ///
  /// - Throws: `Failure.silent` if it keeps the connection but accepts no more.
  func sendUntilClosed(_ bytes: [UInt8], atMost limit: Int, pause: UInt32) throws -> Int {
    for count in 0..<limit {
      do { try send(bytes) } catch Failure.closed { return count }
      usleep(pause)
    }
    return limit
  }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends the head of a request, and its body if there is one.
  func send(
    _ method: String, _ target: String, _ headers: [String] = [], body: [UInt8]? = nil
  ) throws {
    var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"] + headers
    if let body { lines.append("Content-Length: \(body.count)") }
    try send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    if let body { try send(body) }
  }

  /// Sends a picture to be searched.
  func sendPicture(_ body: [UInt8], to target: String = "/detect") throws {
    try send("POST", target, ["Content-Type: image/png"], body: body)
  }

  /// Sends the head of a request with a picture of so many bytes.
  func sendHead(length: Int?, _ headers: [String] = []) throws {
    let length = length.map { ["Content-Length: \($0)"] } ?? []
    try send("POST", "/detect", ["Content-Type: image/png"] + headers + length)
  }

  /// The answer to one more request.
  func answer(to target: String) throws -> Answer {
    try send("GET", target)
    return try answer()
  }

  /// The answer to one more picture.
  func answer(toPicture body: [UInt8], at target: String = "/detect") throws -> Answer {
    try sendPicture(body, to: target)
    return try answer()
  }

  /// The next answer; `hasBody` is false for the answer to HEAD.
  func answer(hasBody: Bool = true) throws -> Answer {
    let head = try readHead()
    let lines = head.split(separator: "\r\n")
    let words = lines[0].split(separator: " ", maxSplits: 2)
    guard words.count > 1, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
      throw Failure.malformed(head)
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { throw Failure.malformed(head) }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    var count = 0
    if hasBody, status >= 200 {
      guard let text = headers["content-length"], let length = Int(text) else {
        throw Failure.malformed(head)
      }
      count = length
    }
    while unread.count < count { try readMore() }
    defer { unread.removeFirst(count) }
    return Answer(status: status, headers: headers, body: Array(unread.prefix(count)))
  }

  private func readHead() throws -> String {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = unread.firstRange(of: end) {
        let head = String(decoding: unread[..<range.lowerBound], as: UTF8.self)
        unread.removeSubrange(..<range.upperBound)
        return head
      }
      try readMore()
    }
  }

  /// Whether anything arrives within this many milliseconds.
  func hasMore(within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !unread.isEmpty || poll(&request, 1, milliseconds) > 0
  }

  /// Whether the other side closes the connection, without resetting it or sending another byte.
  func isClosed() throws -> Bool {
    do {
      try readMore()
      return false
    } catch Failure.closed {
      return true
    }
  }

  private func readMore() throws {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0 { throw errno == EAGAIN ? Failure.silent : Failure.malformed("reset") }
    if count == 0 { throw Failure.closed }
    unread += buffer[..<count]
  }
}
