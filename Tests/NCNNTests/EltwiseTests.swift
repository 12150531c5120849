import Testing

@testable import NCNN

@Suite struct EltwiseTests {
  @Test(arguments: [
    ("", Eltwise.Combination.product, []), ("0=0", .product, []), ("0=1", .sum, []),
    ("0=1 -23301=2,.5,-1.", .sum, [0.5, -1]), ("0=1 -23301=2,1,-1", .sum, [1, -1]),
    ("0=2", .maximum, []),
  ])
  func eltwise(
    _ parameters: String, _ combination: Eltwise.Combination, _ coefficients: [Float]
  ) throws {
    let operation: Eltwise = try readOperation("Eltwise", parameters, inputs: 2)
    #expect(operation.combination == combination && operation.coefficients == coefficients)
  }
}
