import FaceReport
import Hummingbird
import NIOCore
import YOLOFace

/// The context of a request: its connection, on which a "100 Continue" can be sent.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}

/// Answers every request: the four paths, and refusals.
struct FaceResponder: HTTPResponder {
  let limits: Limits
  let pool: DetectorPool
  let drain: Drain
  /// The model's name.
  let weights: String
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
    metrics.end(path: request.uri.path, status: response.status.code)
    return request.method == .head ? response.createHeadResponse() : response
  }

  private func answer(to request: Request, _ context: ServerContext) async throws -> Response {
    try requireHost(request.head)
    switch request.uri.path {
    case "/":
      try require([.get, .head], of: request)
      return page()
    case "/health":
      try require([.get, .head], of: request)
      return health()
    case "/metrics":
      try require([.get, .head], of: request)
      return Response(
        bytes: metrics.text.utf8, type: "text/plain; version=0.0.4; charset=utf-8")
    case "/detect":
      try require([.post], of: request)
      return try await detect(request, context)
    default:
      throw Refusal(.notFound, "no such path; there are /, /detect, /health and /metrics")
    }
  }

  private func require(_ methods: [HTTPRequest.Method], of request: Request) throws(Refusal) {
    guard methods.contains(request.method) else {
      let allowed = methods.map(\.rawValue).joined(separator: ", ")
      throw Refusal(
        .methodNotAllowed, "this path takes \(allowed) only", headers: [.allow: allowed])
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
    try requirePicture(request.headers)
    let options = try options(of: request)
    try requireBody(request.headers, upTo: limits.maxBody)
    guard let slot = pool.takeSlot() else {
      throw Refusal.overloaded("all detectors are busy and the queue is full")
    }
    let picture = try await body(
      of: request, upTo: limits.maxBody, within: .seconds(limits.bodyTimeout),
      channel: context.channel)
    metrics.received(bytes: picture.count)
    let maximumPixels = limits.maxPixels
    let found = try await pool.run(in: slot, within: .seconds(limits.timeout)) { detector in
      try find(in: picture, with: detector, options, maximumPixels: maximumPixels)
    }
    metrics.found(faces: found.faces, pixels: found.pixels, time: start.duration(to: .now))
    return Response(bytes: found.json, type: "application/json")
  }
}

/// The result of a detection, for the answer.
private struct Found: Sendable {
  var json: [UInt8]
  var faces: Int
  var pixels: Int
}

/// Decodes a PNG and searches it.
private func find(
  in picture: [UInt8], with detector: FaceDetector, _ options: DetectionOptions,
  maximumPixels: Int
) throws -> Found {
  var limits = Picture.Limits()
  limits.maximumFileBytes = picture.count
  limits.maximumPixels = maximumPixels
  do {
    let image = try PNG.decode(picture, limits: limits)
    let faces = try detector.detect(in: image, options: options)
    // The tool's name for a picture on standard input.
    let report = DetectionReport(
      image: "-", width: image.width, height: image.height, faces: faces)
    return Found(
      json: Array(try oneLine(report)), faces: faces.count, pixels: image.width * image.height)
  } catch let error as PictureError {
    throw Refusal(.unprocessableContent, error.reason.description)
  } catch let error as DetectionError {
    // The network is known to be valid, so only the requested size can be at fault.
    throw Refusal(.unprocessableContent, error.description)
  }
}
