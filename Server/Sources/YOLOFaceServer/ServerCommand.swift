// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import YOLOFace

/// `yoloface-server`: detects faces in pictures over HTTP.
@main
struct ServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "yoloface-server",
    abstract: "Finds faces in PNG pictures over HTTP.",
    discussion: """
      POST /detect takes a PNG and answers with its faces, as yoloface detect --json prints them. \
      A form with pictures as its files is taken, too. GET / is a page to try it with; GET /health and \
      GET /metrics report the server's state, and GET /openapi.json describes all of it to programs.

      On SIGTERM or SIGINT the server accepts no new connections, answers the requests that it has, \
      and exits after about a second, and at most 5 seconds after --body-timeout and --timeout \
      together.

      Examples:
        yoloface-server --port 8080
        yoloface-server --precision int8
        yoloface-server --param model.param --bin model.bin
        yoloface-server --allow-origin https://example.org
        curl -F file=@photo.png http://127.0.0.1:8080/detect
        curl --data-binary @photo.png -H 'Content-Type: image/png' http://127.0.0.1:8080/detect
      """,
    version: """
      yoloface-server \(FaceDetector.libraryVersion), model \(FaceDetector.defaultModelName), \
      libpng \(PNG.libraryVersion)
      \(FaceDetector.defaultModelTerms)
      """)

  @Option(help: "The address to listen on; 0.0.0.0 for all addresses of this machine.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen on; 0 for any free one, which the log then names.")
  var port = 8080

  @Option(
    help: "The .param file of another model; by default the embedded model is used.",
    completion: .file(extensions: ["param"]))
  var param: String?

  @Option(help: "The .bin file of that model.", completion: .file(extensions: ["bin"]))
  var bin: String?

  @Option(
    help: "A JSON file that says how that model is fed and read; see yoloface inspect --recipe.",
    completion: .file(extensions: ["json"]))
  var recipe: String?

  @Option(
    help: """
      The embedded model's arithmetic: fp32, the default, or int8, which is faster and slightly less \
      accurate.
      """)
  var precision: FaceDetector.Precision?

  @Option(
    help: ArgumentHelp(
      """
      Let the pages of an origin, such as https://example.org, or with * all pages, make requests and read the \
      answers; by default only the server's own.
      """, valueName: "origin"))
  var allowOrigin: AllowedOrigin?

  @OptionGroup(title: "Limits") var limits: Limits

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port \(port): give a number from 0 to 65535.")
    }
    guard (param == nil) == (bin == nil), recipe == nil || param != nil else {
      throw ValidationError("--param and --bin go together, and --recipe with both.")
    }
    guard precision == nil || param == nil else {
      throw ValidationError("--precision: the model's files decide their precision.")
    }
  }

  func run() async throws {
    let logger = Logger(label: "yoloface-server")
    let pool = try DetectorPool(
      threads: limits.concurrency, queue: limits.queue, makeDetector: makeDetector)
    let drain = Drain()
    let application = Application(
      responder: FaceResponder(
        limits: limits, pool: pool, drain: drain, weights: weights, allowedOrigin: allowOrigin),
      server: FaceChannel.server(idleTime: .seconds(limits.idleTimeout)),
      configuration: .init(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: .maximum(limits.maxConnections, logger: logger)),
      onServerRunning: { drain.listener = $0 },
      logger: logger)
    // Services shut down in reverse order: first the drain, then the server.
    var lifecycle = ServiceGroupConfiguration(
      services: [application, drain], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    lifecycle.maximumGracefulShutdownDuration = .seconds(limits.bodyTimeout + limits.timeout + 4)
    do { try await ServiceGroup(configuration: lifecycle).run() } catch let error as IOError {
      throw ListeningError(
        description: "--host \(host) --port \(port): \(error); give another address or port")
    }
    pool.shutDown()
  }

  /// The model's name, or that of its file without the directories.
  private var weights: String {
    param?.split(separator: "/").last.map(String.init) ?? (precision ?? .fp32).defaultModelName
  }

  private func makeDetector() throws -> FaceDetector {
    guard let param, let bin else { return try FaceDetector(precision: precision ?? .fp32) }
    return try FaceDetector(
      param: param, bin: bin, recipe: try recipe.map { try FamilyRecipe(path: $0).recipe() })
  }
}

/// Why the server cannot listen.
private struct ListeningError: Error, CustomStringConvertible {
  let description: String
}

extension FaceDetector.Precision: @retroactive ExpressibleByArgument {}
