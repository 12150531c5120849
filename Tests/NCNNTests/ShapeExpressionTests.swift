import Testing

@testable import NCNN

@Suite struct ShapeExpressionTests {
  /// The input is 2 × 3 × 5.
  @Test(arguments: [
    ("1,*(0c,0h)", [6, 1]), ("4,-1", [-1, 4]), ("0w", [5]), ("0w,0h,0c", [2, 3, 5]),
    ("+(0w,-(0h,1))", [7]), ("//(0w,2),*(2,*(3,4))", [24, 2]),
  ])
  func computesSizes(text: String, sizes: [Int]) throws {
    #expect(try #require(ShapeExpression(text)).sizes(for: [2, 3, 5]) == sizes)
  }

  @Test func axesThatTheInputLacksAreOne() throws {
    #expect(try #require(ShapeExpression("0w,0h,0c")).sizes(for: [7]) == [1, 1, 7])
  }

  @Test(arguments: [
    "", ",", "0w,", "0w,,0h", "1w", "0q", "*(0w)", "*(0w,0h", "*0w,0h)", "sqrt(0w)", "1.5", "--1",
    "0w,0h,0c,0w", "99999999999999999999", "/(0w,2)", "0w 0h",
    String(repeating: "+(1,", count: 9) + "1" + String(repeating: ")", count: 9),
    String(repeating: "1", count: 300),
  ])
  func refusesOtherForms(text: String) {
    #expect(ShapeExpression(text) == nil)
  }

  @Test(arguments: ["*(200000000,*(200000000,200000000))", "//(0w,0)", "//(-(0,5),2)"])
  func givesNothingWhereNumbersAreImpossible(text: String) throws {
    #expect(try #require(ShapeExpression(text)).sizes(for: [2, 3, 5]) == nil)
  }
}
