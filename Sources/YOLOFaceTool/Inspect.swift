import ArgumentParser
import Inference
import NCNN

/// `yoloface inspect`: what a network consists of.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Describes an ncnn network: layers, shapes, parameters, multiply-adds.",
    discussion: """
      Without the .bin file the weights are not checked. What cannot be run is listed below the \
      layers, and the exit status is 1.

      Examples:
        yoloface inspect model.param
        yoloface inspect model.param model.bin --size 640x480
      """)

  @Argument(help: "The .param file.")
  var param: String

  @Argument(help: "The .bin file.")
  var bin: String?

  @Option(
    help: """
      Rows and columns of inputs with three axes, as WIDTHxHEIGHT; without it they have the shape \
      that the file declares, or 3 x 480 x 640.
      """)
  var size: ImageSize?

  func run() throws {
    try reportingErrors {
      var network = try Network(param: param)
      // The weights of unknown kinds cannot be told from those of the layers after them.
      if let bin, network.unknownLayers.isEmpty {
        network = try Network(param: param, bin: bin)
      }
      let inference = ShapeInference(partial: network, inputs: inputShapes(of: network))
      try printHeader(of: network, inference)
      try printLine(layerTable(of: network, inference))
      let failures = inference.failures + network.layers.compactMap(refusal)
      for failure in failures { try printLine("not supported: \(failure)") }
      let parameters = network.layers.reduce(0) { $0 + $1.parameterCount }
      let multiplyAdds = inference.multiplyAdds.reduce(0, +)
      let verdict =
        failures.isEmpty ? "all layers supported" : "\(failures.count) layers not supported"
      try printLine("total: \(parameters) parameters, \(multiplyAdds) multiply-adds; \(verdict)")
      if !failures.isEmpty { throw ExitCode.failure }
    }
  }

  /// The shapes of inputs that differ from what the file declares.
  private func inputShapes(of network: Network) -> [String: [Int]] {
    var shapes: [String: [Int]] = [:]
    for layer in network.layers {
      guard case .input(let declared) = layer.operation else { continue }
      let isOpen = declared.sizes.isEmpty
      guard isOpen || (size != nil && declared.sizes.count == 3) else { continue }
      let size = size ?? ImageSize(width: 640, height: 480)
      shapes[layer.outputs[0]] = [declared.channels ?? 3, size.height, size.width]
    }
    return shapes
  }

  private func refusal(_ layer: Layer) -> InferenceError? {
    do throws(InferenceError) {
      try requireFloatingPoint(layer)
      return nil
    } catch {
      return error
    }
  }

  private func printHeader(of network: Network, _ inference: ShapeInference) throws {
    let blobs = network.layers.reduce(0) { $0 + $1.outputs.count }
    try printLine(
      "\(param): magic \(ParamFormat.magic), \(network.layers.count) layers, \(blobs) blobs")
    for (title, names) in [("inputs", network.inputs), ("outputs", network.outputs)] {
      let list = names.map { name in
        inference.shapes[name].map { "\(name) \(text($0))" } ?? name
      }
      try printLine("\(title) \(list.joined(separator: ", "))")
    }
  }

  private func layerTable(of network: Network, _ inference: ShapeInference) -> String {
    var rows = [["line", "kind", "name", "output", "parameters", "multiply-adds"]]
    for (layer, multiplyAdds) in zip(network.layers, inference.multiplyAdds) {
      rows.append([
        "\(layer.line)", layer.kind, layer.name,
        layer.outputs.first.flatMap { inference.shapes[$0] }.map(text) ?? "",
        layer.parameterCount == 0 ? "" : "\(layer.parameterCount)",
        multiplyAdds == 0 ? "" : "\(multiplyAdds)",
      ])
    }
    return table(rows)
  }

  private func text(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: "x") }
}

/// WIDTHxHEIGHT.
struct ImageSize: ExpressibleByArgument, CustomStringConvertible {
  var width: Int
  var height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...1 << 15).contains(width), (1...1 << 15).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }

  var description: String { "\(width)x\(height)" }
}

/// Rows of words in columns that line up.
func table(_ rows: [[String]]) -> String {
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    var line = zip(row, widths).map { word, width in
      word + String(repeating: " ", count: width - word.count)
    }.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }.joined(separator: "\n")
}
