import Testing

@testable import NCNN

@Suite struct ReductionTests {
  @Test func reduction() throws {
    let plain: Reduction = try readOperation("Reduction", "")
    #expect(plain.summary == .sum && plain.coefficient == 1)
    #expect(plain.axes == nil && !plain.keepsAxes)
    let full: Reduction = try readOperation("Reduction", "0=10 1=0 2=.5 -23303=2,0,-1 4=1 5=1")
    #expect(full.summary == .logSumOfExponentials && full.coefficient == 0.5)
    #expect(full.axes == [0, -1] && full.keepsAxes)
  }

  /// Without the flag, ncnn counts the axes as it did when there was no batch axis.
  @Test(arguments: ["1=0 -23303=1,0", "1=0 5=1", "0=11", "1=0 -23303=1,9 5=1"])
  func refuses(parameters: String) throws {
    #expect(throws: ModelError.self) { try readLayer("Reduction", parameters) }
  }
}
