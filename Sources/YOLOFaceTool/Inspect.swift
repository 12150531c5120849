import ArgumentParser
import Inference
import NCNN

/// `yoloface inspect`: what a network consists of.
struct Inspect: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Describes an ncnn network: layers, shapes, parameters, multiply-adds.",
    discussion: """
      Without the .bin file the weights are not checked.

      Examples:
        yoloface inspect model.param
        yoloface inspect model.param model.bin --size 640x480
      """)

  @Argument(help: "The .param file.")
  var param: String

  @Argument(help: "The .bin file.")
  var bin: String?

  @Option(help: "The input's size in pixels, WIDTHxHEIGHT; its three channels are understood.")
  var size = ImageSize(width: 640, height: 480)

  func run() throws {
    try reportingErrors {
      let network =
        if let bin { try Network(param: param, bin: bin) } else { try Network(param: param) }
      try printLine("\(param): \(network.layers.count) layers")
      try printLine("inputs \(network.inputs.joined(separator: ", "))")
      try printLine("outputs \(network.outputs.joined(separator: ", "))")
      guard network.unknownLayers.isEmpty else {
        for layer in network.unknownLayers {
          try printLine("line \(layer.line): \(layer.kind) \(layer.name) is of an unknown kind")
        }
        throw ExitCode.failure
      }
      try printLayers(network)
    }
  }

  private func printLayers(_ network: Network) throws {
    var shapes: [String: [Int]] = [:]
    for name in network.inputs { shapes[name] = [3, size.height, size.width] }
    let inference = try ShapeInference(network, inputs: shapes)
    var rows = [["line", "kind", "name", "output", "parameters", "multiply-adds"]]
    for (index, layer) in network.layers.enumerated() {
      let shape = layer.outputs.first.flatMap { inference.shapes[$0] } ?? []
      let multiplyAdds = inference.multiplyAdds[index]
      rows.append([
        "\(layer.line)", layer.kind, layer.name, shape.map(String.init).joined(separator: "x"),
        layer.parameterCount == 0 ? "" : "\(layer.parameterCount)",
        multiplyAdds == 0 ? "" : "\(multiplyAdds)",
      ])
    }
    try printLine(table(rows))
    let parameters = network.layers.reduce(0) { $0 + $1.parameterCount }
    let multiplyAdds = inference.multiplyAdds.reduce(0, +)
    try printLine(
      "total for \(size): \(parameters) parameters, \(multiplyAdds) multiply-adds; all layers supported"
    )
  }
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
  var defaultValueDescription: String { description }
}

/// Rows of words in columns that line up.
private func table(_ rows: [[String]]) -> String {
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    var line = zip(row, widths).map { word, width in
      word + String(repeating: " ", count: width - word.count)
    }.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }.joined(separator: "\n")
}
