import Testing

@testable import NCNN

@Suite struct BinaryOpTests {
  @Test func binaryOp() throws {
    let plain: BinaryOp = try readOperation("BinaryOp", inputs: 2)
    #expect(plain.arithmetic == .add)
    #expect(plain.scalar == nil)
    let full: BinaryOp = try readOperation("BinaryOp", "0=2 1=1 2=.5")
    #expect(full.arithmetic == .multiply)
    #expect(full.scalar == 0.5)
    let defaultScalar: BinaryOp = try readOperation("BinaryOp", "1=1")
    #expect(defaultScalar.scalar == 0)
    let unusedScalar: BinaryOp = try readOperation("BinaryOp", "2=.5", inputs: 2)
    #expect(unusedScalar.scalar == nil)
  }

  @Test(arguments: [
    (0, BinaryOp.Arithmetic.add), (1, .subtract), (2, .multiply), (3, .divide), (4, .maximum),
    (5, .minimum), (6, .power), (7, .subtractReversed), (8, .divideReversed), (9, .powerReversed),
    (10, .arcTangent), (11, .arcTangentReversed),
  ])
  func arithmeticNumbers(_ number: Int, _ arithmetic: BinaryOp.Arithmetic) throws {
    let operation: BinaryOp = try readOperation("BinaryOp", "0=\(number)", inputs: 2)
    #expect(operation.arithmetic == arithmetic)
  }
}
