import Testing

@testable import NCNN

@Suite struct ActivationTests {
  @Test(arguments: [
    ("9=0", Activation.none), ("9=1", .relu), ("9=2 10=.5,1", .leakyReLU(slope: 0.5)),
    ("9=3 -23310=2,-1.,6.", .clip(minimum: -1, maximum: 6)), ("9=4", .sigmoid), ("9=5", .mish),
    ("9=6 -23310=2,.2,.5", .hardSwish(alpha: 0.2, beta: 0.5)),
    ("9=2 10=.5", .leakyReLU(slope: 0.5)),
  ])
  func activations(_ parameters: String, _ activation: Activation) throws {
    let convolution: Convolution = try readOperation("Convolution", "0=1 1=1 6=1 " + parameters)
    #expect(convolution.activation == activation)
  }
}
