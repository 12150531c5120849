// SPDX-License-Identifier: Apache-2.0
import Hummingbird

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Why a request is refused.
struct Refusal: Error {
  var status: HTTPResponse.Status
  /// The message to the client.
  var message: String
  var headers: HTTPFields = [:]

  init(_ status: HTTPResponse.Status, _ message: String, headers: HTTPFields = [:]) {
    self.status = status
    self.message = message
    self.headers = headers
  }

  /// A refusal after which the client may retry in a second.
  static func overloaded(_ message: String) -> Refusal {
    Refusal(.serviceUnavailable, message, headers: [.retryAfter: "1"])
  }

  /// The answer: `{"error": "…"}`.
  var response: Response { Response(status, json: ["error": message], headers: headers) }
}

extension Response {
  /// An answer in JSON.
  init(_ status: HTTPResponse.Status = .ok, json: some Encodable, headers: HTTPFields = [:]) {
    // Encoding fails only for numbers that are not finite, and none is written.
    let bytes = (try? oneLine(json)) ?? Data()
    self.init(status, bytes: bytes, type: "application/json", headers: headers)
  }

  /// An answer with a media type.
  init(
    _ status: HTTPResponse.Status = .ok, bytes: some Sequence<UInt8>, type: String,
    headers: HTTPFields = [:]
  ) {
    var headers = headers
    headers[.contentType] = type
    self.init(
      status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}

/// A value as the tool prints it: one line of JSON with sorted keys.
func oneLine(_ value: some Encodable) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return try encoder.encode(value) + [UInt8(ascii: "\n")]
}
