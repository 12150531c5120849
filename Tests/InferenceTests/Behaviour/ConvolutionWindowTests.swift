import NCNN
import TestSupport
import Testing

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
