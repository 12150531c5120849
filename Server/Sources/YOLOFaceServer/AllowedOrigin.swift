// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Hummingbird

/// The origin whose pages may read answers, or `*` for all pages (https://fetch.spec.whatwg.org/#http-cors-protocol).
struct AllowedOrigin: ExpressibleByArgument {
  private let origin: String

  /// An origin as browsers send it: a scheme, a host and, if it is not the scheme's own, a port.
  init?(argument: String) {
    let parts = argument.lowercased().split(separator: "/", omittingEmptySubsequences: false)
    let isOrigin =
      parts.count == 3 && ["http:", "https:"].contains(parts[0]) && parts[1].isEmpty
      && !parts[2].isEmpty
      && parts[2].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._[]:".contains($0)) }
    guard argument == "*" || isOrigin else { return nil }
    origin = argument.lowercased()
  }

  /// Lets a page read an answer, if it may.
  func admit(_ request: Request, to response: inout Response) {
    if origin != "*" { response.headers[.vary] = "Origin" }
    guard origin == "*" || request.headers[.origin] == origin else { return }
    response.headers[.accessControlAllowOrigin] = origin
  }

  /// The answer to a browser that asks, before a request, whether a page may make it.
  static func preflight(_ methods: String) -> Response {
    Response(
      status: .noContent,
      headers: [
        .accessControlAllowMethods: methods, .accessControlAllowHeaders: "Content-Type",
        .accessControlMaxAge: "600",
      ])
  }
}
