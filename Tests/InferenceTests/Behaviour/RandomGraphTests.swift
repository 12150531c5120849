// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceInference
import YOLOFaceNCNN

/// Random graphs of layers, in which any blob may have several readers: whatever the passes fuse,
/// join or eliminate, the engine agrees with the interpreter.
struct RandomGraphTests {
  @Test func agreesWithTheInterpreter() throws {
    var random = SeededGenerator(seed: 1)
    for round in 0..<Rounds.few(60, of: 300) {
      var graph = GraphOfLayers(&random)
      for _ in 0..<random.integer(1...14) { graph.grow(&random) }
      let network = try Network(layers: graph.lines, random: &random)
      let input = try Tensor(shape: graph.shapes[0], random: &random)
      let wanted = (0..<random.integer(1...3)).map { _ in random.choice(graph.names) }
      let plain = try Interpreter(network).run(["data": input], extracting: wanted)
      try runEverywhere(
        network, ["data": input], extracting: wanted, threads: random.integer(1...2)
      ) { engine, blobs in
        for name in wanted {
          let expected = try #require(plain[name])
          // Errors of 1e-6 grow from layer to layer, all the more with large factors; a wrong
          // number has a large relative error.
          try #require(blobs[name]).require(
            expected.shape, expected.values, within: 1e-3,
            "\(engine.instructionSet): round \(round), \(name) of \(graph.lines)")
        }
      }
    }
  }
}

/// Layer lines, and the blobs that they make, each C × H × W.
private struct GraphOfLayers {
  var lines: [String] = []
  var names = ["data"]
  var shapes: [[Int]]

  init(_ random: inout SeededGenerator) {
    shapes = [[random.integer(1...20), random.integer(4...14), random.integer(4...14)]]
  }

  /// Adds a random layer that reads random blobs, or none where it does not fit them.
  mutating func grow(_ random: inout SeededGenerator) {
    let index = random.integer(max(0, names.count - 4)...names.count - 1)
    let (shape, name) = (shapes[index], names[index])
    let (channels, rows, columns) = (shape[0], shape[1], shape[2])
    let alike = shapes.indices.filter { shapes[$0] == shape }
    let sameSize = shapes.indices.filter { shapes[$0].dropFirst() == shape.dropFirst() }
    switch random.integer(0...18) {
    case 0, 1:
      let outputs = random.integer(1...40)
      let activation = random.choice(["", "", " 9=1", " 9=4", " 9=5"])
      add(
        "Convolution", [name], [[outputs, rows, columns]],
        "0=\(outputs) 1=1 5=1 6=\(outputs * channels)\(activation)")
    case 2:
      let (outputs, stride) = (random.integer(1...40), random.integer(1...2))
      add(
        "Convolution", [name], [[outputs, (rows - 1) / stride + 1, (columns - 1) / stride + 1]],
        "0=\(outputs) 1=3 3=\(stride) 4=1 5=1 6=\(9 * outputs * channels)")
    case 3:
      let stride = random.integer(1...2)
      add(
        "ConvolutionDepthWise", [name],
        [[channels, (rows - 1) / stride + 1, (columns - 1) / stride + 1]],
        "0=\(channels) 1=3 3=\(stride) 4=1 5=1 6=\(9 * channels) 7=\(channels)")
    case 4:
      add(random.choice(["Swish", "ReLU", "Sigmoid", "HardSwish"]), [name], [shape], "")
    case 5, 6:
      let parts = (0..<random.integer(2...3)).map { _ in random.choice(sameSize) }
      let total = parts.reduce(0) { $0 + shapes[$1][0] }
      guard total <= 80 else { return }
      add("Concat", parts.map { names[$0] }, [[total, rows, columns]], "")
    case 7 where channels > 1:
      let first = random.integer(1...channels - 1)
      add(
        "Slice", [name], [[first, rows, columns], [channels - first, rows, columns]],
        "-23300=2,\(first),-233")
    case 8 where channels % 2 == 0: add("ShuffleChannel", [name], [shape], "0=2")
    case 9 where rows <= 14 && columns <= 14:
      add(
        "Interp", [name], [[channels, 2 * rows, 2 * columns]],
        "0=\(random.integer(1...2)) 1=2.0 2=2.0")
    case 10:
      add(
        "BinaryOp", [name, names[random.choice(alike)]], [shape],
        "0=\(random.choice([0, 1, 4, 5, 7]))")
    case 11: add("Split", [name], [shape, shape], "")
    case 12: add("Pooling", [name], [shape], "0=\(random.integer(0...1)) 1=3 3=1 5=1")
    case 13: add("PReLU", [name], [shape], "0=\(channels)")
    case 14:
      let axis = random.integer(0...2)
      let start = random.integer(0...shape[axis] - 1)
      var part = shape
      part[axis] = random.integer(1...shape[axis] - start)
      add(
        "Crop", [name], [part], "-23309=1,\(start) -23310=1,\(start + part[axis]) -23311=1,\(axis)")
    case 15: add("BatchNorm", [name], [shape], "0=\(channels) 1=0.1")
    case 16: add("Scale", [name], [shape], "0=\(channels) 1=\(random.integer(0...1))")
    case 17 where rows <= 14 && columns <= 14:
      let (outputs, kernel) = (random.integer(1...20), 2 * random.integer(1...2))
      add(
        "Deconvolution", [name], [[outputs, 2 * rows, 2 * columns]],
        "0=\(outputs) 1=\(kernel) 3=2 4=\(kernel / 2 - 1) 5=1 6=\(kernel * kernel * outputs * channels)"
      )
    case 18 where channels % 2 == 0:
      let outputs = 2 * random.integer(1...20)
      add(
        "ConvolutionDepthWise", [name], [[outputs, rows, columns]],
        "0=\(outputs) 1=3 4=1 5=1 6=\(9 * outputs * channels / 2) 7=2")
    default: break
    }
  }

  private mutating func add(
    _ kind: String, _ inputs: [String], _ outputs: [[Int]], _ parameters: String
  ) {
    let made = outputs.indices.map { "\(kind)\(names.count + $0)" }
    let blobs = (inputs + made).joined(separator: " ")
    lines.append("\(kind) l\(lines.count) \(inputs.count) \(made.count) \(blobs) \(parameters)")
    names += made
    shapes += outputs
  }
}
