// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import NIOCore
import YOLOFace
import YOLOFaceReport

/// The context of a request: its connection, on which a "100 Continue" can be sent.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// Answers every request: the five paths, and refusals.
struct FaceResponder: HTTPResponder {
  let limits: Limits
  let pool: DetectorPool
  let drain: Drain
  /// The model's name.
  let weights: String
  /// Whose pages may read answers; nil for none but the server's own.
  let allowedOrigin: AllowedOrigin?
  let metrics = Metrics()
  private let start = ContinuousClock.now

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    metrics.begin()
    var response: Response
    do {
      response = try await answer(to: request, context)
    } catch let refusal as Refusal {
      response = refusal.response
    } catch {
      context.logger.error("\(error)")
      response = Refusal(.internalServerError, "the server failed, see its log").response
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.cacheControl] = "no-store"
    if drain.isDraining || asksToClose(request.headers) {
      response.headers[.connection] = "close"
    }
    allowedOrigin?.admit(request, to: &response)
    metrics.end(path: request.uri.path, status: response.status.code)
    return request.method == .head ? response.createHeadResponse() : response
  }

  /// The paths, and the methods of each.
  static let methods: [String: [HTTPRequest.Method]] = [
    "/": [.get, .head], "/detect": [.post], "/health": [.get, .head], "/metrics": [.get, .head],
    "/openapi.json": [.get, .head],
  ]

  private func answer(to request: Request, _ context: ServerContext) async throws -> Response {
    try requireHost(request.head)
    guard let methods = Self.methods[request.uri.path] else {
      let paths = Self.methods.keys.sorted().joined(separator: ", ")
      throw Refusal(.notFound, "no such path; there are \(paths)")
    }
    let allowed = methods.map(\.rawValue).joined(separator: ", ")
    if allowedOrigin != nil, request.method == .options,
      request.headers[.accessControlRequestMethod] != nil
    {
      return AllowedOrigin.preflight(allowed)
    }
    guard methods.contains(request.method) else {
      throw Refusal(
        .methodNotAllowed, "this path takes \(allowed) only", headers: [.allow: allowed])
    }
    switch request.uri.path {
    case "/detect": return try await detect(request, context)
    case "/health": return health()
    case "/metrics":
      return Response(bytes: metrics.text.utf8, type: "text/plain; version=0.0.4; charset=utf-8")
    case "/openapi.json":
      return Response(bytes: openAPI(limits).utf8, type: "application/json")
    default: return page()
    }
  }

  private struct Health: Encodable {
    var ok: Bool
    var uptime: Double
    var weights: String
  }

  /// 503 while the server shuts down, so that a load balancer sends no more requests.
  private func health() -> Response {
    let ok = !drain.isDraining
    let milliseconds = (start.duration(to: .now) / .milliseconds(1)).rounded()
    return Response(
      ok ? .ok : .serviceUnavailable,
      json: Health(
        ok: ok, uptime: milliseconds / 1000, weights: weights))
  }

  private func options(of request: Request) throws(Refusal) -> DetectionOptions {
    var options = try DetectionOptions(
      query: request.uri.queryParameters.map { ($0, $1) }, maximumLongSide: limits.maxLongSide,
      allowsThorough: limits.allowThorough)
    let mode = options.letterbox ?? pool.letterbox.standardMode(upTo: limits.maxLongSide)
    do { try pool.letterbox.requireAdmitted(mode) } catch {
      throw Refusal(.badRequest, "long-side: \(error)")
    }
    options.letterbox = mode
    return options
  }

  /// Requests that can be refused without the body are refused before it is read. The slot is also
  /// taken before, so that no more bodies are in memory than there are slots.
  private func detect(_ request: Request, _ context: ServerContext) async throws -> Response {
    let start = ContinuousClock.now
    let form = try PictureBody(request.headers)
    let options = try options(of: request)
    try requireBody(request.headers, upTo: limits.maxBody)
    guard let slot = pool.takeSlot() else {
      throw Refusal.overloaded("all detectors are busy and the queue is full")
    }
    let sent = try await body(
      of: request, upTo: limits.maxBody, within: .seconds(limits.bodyTimeout),
      channel: context.channel)
    metrics.received(bytes: sent.count)
    let maximumPixels = limits.maxPixels
    let time = Duration.seconds(limits.timeout)
    let end = ContinuousClock.now + time
    let found = try await pool.run(in: slot, within: time) { detector in
      try find(
        in: try form.pictures(in: sent), with: detector, options, maximumPixels: maximumPixels,
        until: end)
    }
    metrics.found(faces: found.faces, pixels: found.pixels, time: start.duration(to: .now))
    return Response(bytes: found.json, type: "application/json")
  }
}

/// The result of a detection, for the answer.
struct Found: Sendable {
  var json: [UInt8]
  var faces: Int
  var pixels: Int
}

/// Searches pictures. The answer is a report, or an array of the reports on several pictures.
///
/// - Parameter end: when the client no longer waits for the answer, so that no further picture is searched.
func find(
  in pictures: [ArraySlice<UInt8>], with detector: FaceDetector, _ options: DetectionOptions,
  maximumPixels: Int, until end: ContinuousClock.Instant
) throws -> Found {
  let reports = try pictures.enumerated().map { index, picture in
    guard index == 0 || .now < end else {
      throw Refusal(.gatewayTimeout, "the pictures take too long to search")
    }
    do {
      return try report(on: Array(picture), with: detector, options, maximumPixels: maximumPixels)
    } catch let refusal as Refusal where pictures.count > 1 {
      throw Refusal(refusal.status, "file \(index + 1): \(refusal.message)")
    }
  }
  return Found(
    json: Array(try reports.count == 1 ? oneLine(reports[0]) : oneLine(reports)),
    faces: reports.reduce(0) { $0 + $1.faces.count },
    pixels: reports.reduce(0) { $0 + $1.width * $1.height })
}

/// Decodes a PNG and searches it.
private func report(
  on picture: [UInt8], with detector: FaceDetector, _ options: DetectionOptions,
  maximumPixels: Int
) throws -> DetectionReport {
  var limits = Picture.Limits()
  limits.maximumFileBytes = picture.count
  limits.maximumPixels = maximumPixels
  do {
    let format = Picture.formatName(of: picture)
    guard format?.contains("PNG") == true else {
      throw PictureError(source: "<bytes>", reason: .notPNG(looksLike: format))
    }
    let image = try Picture.decode(picture, limits: limits)
    let faces = try detector.detect(in: image, options: options)
    // The tool's name for a picture on standard input.
    return DetectionReport(image: "-", width: image.width, height: image.height, faces: faces)
  } catch let error as PictureError {
    throw Refusal(.unprocessableContent, error.reason.description)
  } catch let error as DetectionError {
    // The network is known to be valid, so only the requested size can be at fault.
    throw Refusal(.unprocessableContent, error.description)
  }
}
