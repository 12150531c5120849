// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceNCNN

struct ConvolutionWindowTests {
  /// Its sums are the interpreter's, to the bit, for every cell.
  @Test(arguments: [
    "Convolution c 1 1 data out 0=4 1=3 4=1 5=1 6=216 9=1",
    "Convolution c 1 1 data out 0=3 1=3 3=2 4=1 5=0 6=162",
    "Convolution c 1 1 data out 0=2 1=2 11=3 2=2 12=1 3=1 13=2 4=2 14=1 15=0 16=1 18=0.5 5=1 6=72",
    "Convolution c 1 1 data out 0=5 1=1 5=1 6=30 9=2 -23310=1,0.1",
    "Convolution c 1 1 data out 0=2 1=3 3=2 4=-233 5=1 6=108",
    "ConvolutionDepthWise c 1 1 data out 0=6 1=3 4=1 5=1 6=54 7=6",
    "ConvolutionDepthWise c 1 1 data out 0=4 1=3 4=1 5=1 6=108 7=2",
  ])
  func isWhatTheInterpreterComputes(layer: String) throws {
    var random = SeededGenerator(seed: 4)
    let network = try Network(layers: [layer], random: &random)
    let input = try Tensor(shape: [6, 7, 9], random: &random)
    let output = try #require(
      try Interpreter(network).run(["data": input], extracting: ["out"])["out"])
    let (rows, columns) = (output.shape[1], output.shape[2])
    for (place, value) in output.values.enumerated() {
      let cell = (place / columns / rows, place / columns % rows, place % columns)
      let window = try network.window(of: 1, at: cell, input: input)
      try #require(window.result == value, "\(cell)")
      #expect(window.terms.count == network.layers[1].weights[0].count / output.shape[0])
    }
  }

  /// In int8, of a layer that reads floats and hands on int8, and of one that reads that.
  @Test func isWhatTheInterpreterComputesInInt8() throws {
    var random = SeededGenerator(seed: 4)
    func weights(_ count: Int, scales: [Float]) -> [UInt8] {
      // A tag for int8, then the numbers, padded to four bytes; then biases and scales.
      let numbers = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      return [0x38, 0x4B, 0x0D, 0] + numbers + floatBytes(scales)
    }
    let network = try Network(
      layers: [
        "Convolution a 1 1 data b 0=4 1=3 3=2 4=1 5=1 6=72 8=101 9=1",
        "ConvolutionDepthWise c 1 1 b out 0=4 1=3 4=1 18=1.5 5=1 6=36 7=4 8=1",
      ],
      weights: weights(72, scales: [1, -2, 3, 0, 40, 50, 60, 0, 20, 3])
        + weights(36, scales: [0.5, 0, -1, 2, 30, 31, 32, 33, 3]))
    let input = try Tensor(shape: [2, 7, 9], random: &random)
    let blobs = try Interpreter(network).run(["data": input], extracting: ["b", "out"])
    for (layer, read, made) in [(1, input, "b"), (2, try #require(blobs["b"]), "out")] {
      let output = try #require(blobs[made])
      for (place, value) in output.values.enumerated() {
        let (rows, columns) = (output.shape[1], output.shape[2])
        let cell = (place / columns / rows, place / columns % rows, place % columns)
        let window = try network.window(of: layer, at: cell, input: read)
        try #require(window.result == value, "\(made) \(cell)")
        let sum = window.terms.reduce(0) { $0 + Int($1.value) * Int($1.weight) }
        #expect(Float(sum) == window.sum)
        #expect(
          window.terms.allSatisfy {
            (-127...127).contains($0.value) && $0.value == $0.value.rounded()
          })
        #expect(window.scales?.outputScale == (layer == 1 ? 3 : nil))
      }
    }
  }

  @Test func refusesOtherLayersAndCells() throws {
    var random = SeededGenerator(seed: 4)
    let network = try Network(
      layers: ["Convolution c 1 1 data a 0=4 1=1 5=0 6=8", "ReLU r 1 1 a out"], random: &random)
    let input = try Tensor(shape: [2, 3, 3], random: &random)
    for (layer, cell) in [
      (0, (0, 0, 0)), (2, (0, 0, 0)), (-1, (0, 0, 0)), (1, (4, 0, 0)), (1, (0, 3, 0)),
      (1, (0, 0, -1)),
    ] {
      #expect(throws: InferenceError.self) {
        try network.window(of: layer, at: cell, input: input)
      }
    }
    let other = try Tensor(shape: [3, 3, 3], random: &random)
    #expect(throws: InferenceError.self) { try network.window(of: 1, at: (0, 0, 0), input: other) }
  }
}
