// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Layers whose parameters and inputs were changed at random: each is refused, or runs to blobs of the sizes that
/// were inferred.
@Suite struct ParameterMutationTests {
  private static let numbers = [
    "-1", "0", "1", "2", "3", "5", "7", "64", "1000", "1048576", "268435456", "-2", "-3", "-233",
    "-234",
    "-1048576", "0.0", "0.5", "-1.5", "1e30", "nan",
  ]

  @Test(arguments: try LayerFixture.kinds())
  func areRefusedOrRun(kind: String) throws {
    var random = SeededGenerator(seed: 52)
    let fixtures = try LayerFixture.all().filter { $0.kind == kind }
    var ran = 0
    for _ in 0..<Rounds.few(2, of: 600) {
      let fixture = try #require(fixtures.randomElement(using: &random))
      var lines = fixture.param.split(separator: "\n").map(String.init)
      lines[lines.count - 1] = changed(lines[lines.count - 1], &random)
      if try runs(lines.joined(separator: "\n") + "\n", fixture, &random) { ran += 1 }
    }
    #expect(ran > 0 || !Rounds.areAll, "every layer was refused")
  }

  /// A layer line with some of its numbers replaced.
  private func changed(_ line: String, _ random: inout SeededGenerator) -> String {
    var words = line.split(separator: " ").map(String.init)
    let places = words.indices.filter { words[$0].contains("=") }
    for _ in 0..<random.integer(0...2) {
      guard let place = places.randomElement(using: &random) else { break }
      let parts = words[place].split(separator: "=")
      var numbers = parts[1].split(separator: ",").map(String.init)
      // The first number of an array is its length.
      let first = parts[0].hasPrefix("-") ? 1 : 0
      guard numbers.count > first else { continue }
      numbers[random.integer(first...numbers.count - 1)] =
        Self.numbers.randomElement(using: &random) ?? "0"
      words[place] = "\(parts[0])=\(numbers.joined(separator: ","))"
    }
    return words.joined(separator: " ")
  }

  private func runs(
    _ param: String, _ fixture: LayerFixture, _ random: inout SeededGenerator
  ) throws -> Bool {
    var inputs: [String: Tensor] = [:]
    for (name, blob) in fixture.inputs.sorted(by: { $0.key < $1.key }) {
      let isKept = random.integer(0...2) > 0
      let shape =
        isKept ? blob.shape : (0..<random.integer(1...3)).map { _ in random.integer(1...6) }
      inputs[name] = try Tensor(shape: shape, random: &random)
    }
    do {
      var network = try Network(param: Array(param.utf8), source: "changed.param")
      guard network.layers.allSatisfy({ $0.parameterCount < 1 << 16 }) else {
        return false
      }
      let count = network.layers.reduce(0) { $0 + $1.parameterCount }
      // Weights of zeros, behind tags of fp32, as long as the layers ask for.
      try? network.loadWeights([UInt8](fixture.bin), source: "changed.bin")
      if network.layers.contains(where: { $0.weights.isEmpty && $0.parameterCount > 0 }) {
        try? network.loadWeights([UInt8](repeating: 0, count: 4 * count), source: "changed.bin")
      }
      var interpreter = try Interpreter(network)
      interpreter.maximumElements = 1 << 18
      interpreter.maximumWork = 1 << 22
      let wanted = fixture.outputs.keys.sorted()
      let shapes = try ShapeInference(network, inputs: inputs.mapValues { $0.shape }).shapes
      for (name, tensor) in try interpreter.run(inputs, extracting: wanted) {
        #expect(tensor.shape == shapes[name] && tensor.values.count == tensor.shape.reduce(1, *))
      }
      return true
    } catch is ModelError {
      return false
    } catch is InferenceError {
      return false
    }
  }
}
