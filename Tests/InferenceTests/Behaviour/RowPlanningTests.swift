// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

import TestSupport
import Testing
@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Layers on rows of numbers, whose products and functions the kernels compute, in every available instruction set
/// against the interpreter, on random shapes.
struct RowPlanningTests {
  /// Makes a layer of a kind from `data` to `out`, and the shape of its input.
  typealias Maker = @Sendable (inout SeededGenerator) -> (layers: [String], input: [Int])

  static let makers: [(name: String, step: String, make: Maker)] = [
    (
      "InnerProduct", "row arithmetic",
      { random in
        let (inputs, outputs) = (random.integer(1...70), random.integer(8...70))
        let activation = random.choice(["", " 9=1", " 9=4", " 9=5"])
        return (
          [
            "InnerProduct p 1 1 data out 0=\(outputs) 1=\(random.integer(0...1))"
              + " 2=\(inputs * outputs)\(activation)"
          ], random.choice([[inputs], [random.integer(2...70), inputs]])
        )
      }
    ),
    (
      "Gemm", "row arithmetic",
      { random in
        let (rows, inner, columns) = (
          random.integer(1...40), random.integer(1...40), random.integer(8...70)
        )
        let transposes = random.integer(0...1)
        return (
          [
            "Gemm g 1 1 data out 0=\(random.choice([1, 0.5])) 2=\(transposes)"
              + " 3=\(random.integer(0...1)) 5=1 6=1 7=\(rows) 8=\(columns) 9=\(inner)"
              + " 10=\(random.integer(0...4)) 14=\(random.integer(0...1))"
          ], transposes == 1 ? [inner, rows] : [rows, inner]
        )
      }
    ),
    (
      "MatMul", "row arithmetic",
      { random in
        let size = random.integer(8...40)
        return (
          ["Split s 1 2 data a b", "MatMul m 2 1 a b out 0=1"],
          [random.integer(1...3), size, random.integer(1...40)]
        )
      }
    ),
    (
      "MultiHeadAttention", "row arithmetic",
      { random in
        let heads = random.integer(1...3)
        let width = heads * random.integer(3...12)
        return (
          ["MultiHeadAttention a 1 1 data out 0=\(width) 1=\(heads) 2=\(width * width)"],
          [random.integer(1...40), width]
        )
      }
    ),
    (
      "SDPA", "row arithmetic",
      { random in
        (
          ["Split s 1 3 data a b c", "SDPA a 3 1 a b c out"],
          [random.integer(1...3), random.integer(1...40), random.integer(1...40)]
        )
      }
    ),
    (
      "recurrent", "row arithmetic",
      { random in
        let (inputs, outputs) = (random.integer(1...40), random.integer(1...40))
        let kind = random.choice(["LSTM", "GRU", "RNN"])
        let (gates, direction) = (
          kind == "LSTM" ? 4 : kind == "GRU" ? 3 : 1, random.integer(0...2)
        )
        let count = gates * inputs * outputs * (direction == 2 ? 2 : 1)
        return (
          ["\(kind) r 1 1 data out 0=\(outputs) 1=\(count) 2=\(direction)"],
          [random.integer(1...9), inputs]
        )
      }
    ),
    (
      "Softmax", "row arithmetic",
      { random in
        let shape = (0..<random.integer(1...4)).map { _ in random.integer(1...19) }
        return (
          ["Softmax s 1 1 data out 0=\(random.integer(0...shape.count - 1)) 1=1"], shape
        )
      }
    ),
    (
      "functions", "row arithmetic",
      { random in
        let kind = random.choice(["GELU", "TanH", "Swish", "Mish", "UnaryOp", "Sigmoid"])
        let parameters =
          kind == "GELU" ? " 0=\(random.integer(0...1))" : kind == "UnaryOp" ? " 0=7" : ""
        return (
          ["\(kind) f 1 1 data out\(parameters)"],
          random.choice([
            [random.integer(1...70)], [random.integer(1...9), random.integer(1...70)],
          ])
        )
      }
    ),
    (
      "functions of blobs", "activation",
      { random in
        let kind = random.choice(["GELU", "TanH", "Mish", "UnaryOp"])
        let parameters =
          kind == "GELU" ? " 0=\(random.integer(0...1))" : kind == "UnaryOp" ? " 0=7" : ""
        return (
          ["\(kind) f 1 1 data out\(parameters)"],
          [random.integer(1...20), random.integer(1...9), random.integer(1...9)]
        )
      }
    ),
    (
      "Convolution1D", "convolution 3x1",
      { random in
        let group = random.choice([1, 1, 2, 5])
        let (inputs, outputs) = (group * random.integer(1...20), group * random.integer(1...20))
        return (
          [
            "Convolution\(group == 1 ? "" : "DepthWise")1D c 1 1 data out 0=\(outputs) 1=3"
              + " 2=\(random.integer(1...2)) 3=\(random.integer(1...2)) 4=\(random.integer(0...2))"
              + " 5=1 6=\(3 * inputs * outputs / group)\(group == 1 ? "" : " 7=\(group)")"
              + random.choice(["", " 9=1", " 9=4"])
          ], [inputs, random.integer(1...40)]
        )
      }
    ),
  ]

  @Test(arguments: makers.map(\.name))
  func agreesWithTheInterpreter(name: String) throws {
    let maker = try #require(Self.makers.first { $0.name == name })
    var random = SeededGenerator(seed: UInt64(name.utf8.count))
    var runs = 0
    for round in 0..<Rounds.few(30, of: 200) {
      let (layers, shape) = maker.make(&random)
      let network = try Network(layers: layers, random: &random)
      let input = try Tensor(shape: shape, random: &random)
      // Sums of products in another order, and an exponential with an error of 4e-6.
      try requireAgreement(
        network, ["data": input], threads: 1 + round % 2, within: 3e-5, "\(layers) of \(shape)"
      ) { engine in
        if engine.stepNames.contains(maker.step) { runs += 1 }
      }
    }
    #expect(runs >= 5 * KernelTable.available.count)
  }

  /// A comparison with NaN keeps the other number, in rows that are merged many elements side by side, too.
  @Test(arguments: [31, 32, 40])
  func aNaNSwallowsNoOtherNumber(columns: Int) throws {
    let network = try Network(layers: ["Reduction r 1 1 data out 0=4 1=0 -23303=1,1 4=1 5=1"])
    var values = [Float](repeating: 0, count: columns)
    (values[0], values[16]) = (.nan, 5)
    let input = try Tensor(shape: [1, columns], values: values)
    try requireAgreement(network, ["data": input], within: 0)
    let result = try Interpreter(network).run(["data": input], extracting: ["out"])["out"]
    #expect(result?.values == [5])
  }

  /// Where a mask leaves nothing of a row, fast and plain arithmetic divide by the same sum of 0.
  @Test func maskedNumbersCountForNothing() throws {
    let network = try Network(layers: ["Softmax s 1 1 data out 0=1 1=1"])
    let input = try Tensor(
      shape: [2, 3],
      values: [-.infinity, -.infinity, -.infinity, 1, -.infinity, 1])
    try requireAgreement(network, ["data": input], within: 1e-6) { engine in
      let result = try engine.run(["data": input], extracting: ["out"])["out"]
      #expect(result?.values.prefix(3).allSatisfy { $0.isNaN } == true)
      #expect(result.map { Array($0.values.suffix(3)) } == [0.5, 0, 0.5])
    }
  }
}
