// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import NIOCore
import NIOHTTPTypes
import YOLOFace

extension DetectionOptions {
  /// The options in a query: `score`, `iou`, `long-side` and `effort`, like the tool's `--score-threshold`,
  /// `--iou-threshold`, `--long-side` and `--effort`.
  ///
  /// - Throws: `Refusal` if a name is unknown or repeated, or a value is out of bounds.
  init(
    query: [(name: Substring, value: Substring)], maximumLongSide: Int, allowsThorough: Bool
  ) throws(Refusal) {
    self.init()
    maximumFaces = Limits.maximumFaces
    var seen: Set<Substring> = []
    for (name, value) in query {
      guard seen.insert(name).inserted else {
        throw Refusal(.badRequest, "\(name): give it once")
      }
      switch name {
      case "score":
        scoreThreshold = try fraction(name, value)
      case "iou":
        overlapThreshold = try fraction(name, value)
      case "long-side":
        guard let side = Int(value), (32...maximumLongSide).contains(side), side % 32 == 0 else {
          throw Refusal(
            .badRequest, "long-side \(value): give a multiple of 32 up to \(maximumLongSide)")
        }
        letterbox = .longSide(side)
      case "effort":
        guard let known = SearchEffort(name: String(value)) else {
          let names = SearchEffort.names.joined(separator: ", ")
          throw Refusal(.badRequest, "effort \(value): give \(names)")
        }
        guard known != .thorough || allowsThorough else {
          throw Refusal(.badRequest, "effort thorough: this server does not allow it")
        }
        effort = known
      default:
        throw Refusal(.badRequest, "\(name): give score, iou, long-side or effort")
      }
    }
    if effort == .refined, !allowsThorough { maximumFaces = Limits.maximumRefinedFaces }
  }
}

extension Letterbox.Style {
  /// The mode of a request that names none: the standard one, or the largest long side that is allowed.
  func standardMode(upTo maximumLongSide: Int) -> Letterbox.Mode {
    guard fixedSize == nil, case .longSide(let side) = standardMode, side > maximumLongSide else {
      return standardMode
    }
    return .longSide(max(granularity, maximumLongSide / granularity * granularity))
  }
}

/// `Number(_:)` alone would also accept hexadecimal, and stop at a zero byte.
private func fraction<Number: BinaryFloatingPoint & LosslessStringConvertible>(
  _ name: Substring, _ value: Substring
) throws(Refusal) -> Number {
  let isDecimal = value.allSatisfy { "0123456789+-.eE".contains($0) }
  guard isDecimal, let number = Number(String(value)), (0...1).contains(number) else {
    throw Refusal(.badRequest, "\(name) \(value): give a number from 0 to 1")
  }
  return number
}

/// Requires that a request names exactly one host (RFC 9112, 3.2). The first is its authority;
/// further ones remain among the fields.
func requireHost(_ head: HTTPRequest) throws(Refusal) {
  let others = head.headerFields.filter { $0.name.canonicalName == "host" }
  guard let host = head.authority, others.isEmpty else {
    throw Refusal(.badRequest, "Host: give it once")
  }
  // RFC 3986, 3.2.2 and 3.2.3.
  let marks = "-._~%!$&'()*+,;=:[]"
  let isHost = host.allSatisfy {
    $0.isASCII && ($0.isLetter || $0.isNumber || marks.contains($0))
  }
  guard isHost else {
    throw Refusal(.badRequest, "Host: give a name or an address, and a port if need be")
  }
}

/// Whether a client wants the connection to end with the answer.
func asksToClose(_ headers: HTTPFields) -> Bool {
  headers[values: .connection].contains { values in
    values.split(separator: ",").contains {
      $0.filter { $0 != " " && $0 != "\t" }.lowercased() == "close"
    }
  }
}

/// Requires that a body's stated length is within the limit; a length that overflows is not.
func requireBody(_ headers: HTTPFields, upTo limit: Int) throws(Refusal) {
  if let text = headers[.contentLength], Int(text).map({ $0 > limit }) ?? true {
    throw tooLong(limit)
  }
}

private func tooLong(_ limit: Int) -> Refusal {
  Refusal(.contentTooLarge, "the picture has more than \(limit) bytes")
}

/// Reads a request's body.
///
/// - Parameters:
///   - limit: the most bytes that are read.
///   - time: the time in which the last byte must arrive.
///   - channel: the request's connection, for the "100 Continue" that a client may wait for.
/// - Throws: `Refusal` if the body is too long, takes too long or is incomplete.
func body(
  of request: Request, upTo limit: Int, within time: Duration, channel: any Channel
) async throws -> [UInt8] {
  if request.headers[.expect]?.lowercased() == "100-continue" {
    // Not awaited: a client that reads nothing must not stop the clock. If this fails, so does
    // reading.
    channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
  }
  return try await withThrowingTaskGroup(of: [UInt8].self) { group in
    group.addTask { try await collect(request, upTo: limit) }
    group.addTask {
      try await Task.sleep(for: time)
      throw Refusal(.requestTimeout, "the picture took longer than \(time) to arrive")
    }
    defer { group.cancelAll() }
    return try await group.next() ?? []
  }
}

private func collect(_ request: Request, upTo limit: Int) async throws -> [UInt8] {
  var bytes: [UInt8] = []
  let announced = request.headers[.contentLength].flatMap { Int($0) } ?? 0
  bytes.reserveCapacity(max(0, min(announced, limit)))
  do {
    for try await part in request.body {
      guard part.readableBytes <= limit - bytes.count else { throw tooLong(limit) }
      bytes.append(contentsOf: part.readableBytesView)
    }
  } catch let refusal as Refusal {
    throw refusal
  } catch {
    throw Refusal(.badRequest, "the request broke off before its end")
  }
  return bytes
}
