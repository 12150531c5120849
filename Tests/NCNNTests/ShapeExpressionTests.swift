// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

@Suite struct ShapeExpressionTests {
  /// The inputs are 2 × 3 × 5 and 7 × 4 × 11 × 6; what upstream's Reshape makes of these, but for 0 and −1.
  @Test(arguments: [
    ("1,*(0c,0h)", [1, 6]), ("4,-1", [4, -1]), ("0w", [5]), ("0w,0h,0c", [5, 3, 2]),
    ("+(0w,-(0h,1))", [7]), ("//(0w,2),*(2,*(3,4))", [2, 24]), ("1w,1h,1d,1c", [6, 11, 4, 7]),
    ("/(1w,4)", [1]), ("ceil(/(1w,4)),round(/(1w,4)),floor(/(1w,4)),trunc(/(1w,4))", [2, 2, 1, 1]),
    ("min(0w,0h),max(0w,0h)", [3, 5]), ("neg(-6),abs(-6),square(2),sqrt(4)", [6, 6, 4, 2]),
    ("*(0w,0.5),//(0w,2.0),6.9", [2, 2, 6]),
    ("//(-7,2),//(-7.5,2),round(-2.5),sign(-3)", [-3, -4, -3, -1]),
    ("and(6,0h),or(6,0h),xor(6,0h),lshift(0h,29)", [2, 7, 5, 3 << 29]),
    ("rshift(-9,1),rshift(9,1),rshift(-1,31)", [-5, 4, -1]),
    ("pow(2,0h),fmod(-7,0h),remainder(-7,0h),*(9,atan2(1,1))", [8, -1, 2, 7]),
    ("*(100,exp(1)),*(100,log(0h)),*(100,sinh(1)),*(100,erf(0.5))", [271, 109, 117, 52]),
    ("(0w),,-1", [5, -1]), ("*,0w,0h", [15]), ("0d,1e1", [1, 10]),
  ])
  func computesNumbers(text: String, numbers: [Int]) throws {
    let expression = try #require(ShapeExpression(text))
    #expect(expression.values(for: [[2, 3, 5], [7, 4, 11, 6]]) == numbers)
    #expect(expression.count == numbers.count)
  }

  @Test func axesThatTheInputLacksAreOne() throws {
    #expect(try #require(ShapeExpression("0w,0h,0d,0c")).values(for: [[7]]) == [7, 1, 1, 1])
  }

  @Test func countsTheInputsThatItRefersTo() throws {
    #expect(try #require(ShapeExpression("-1")).inputCount == 0)
    #expect(try #require(ShapeExpression("+(0w,2h)")).inputCount == 3)
  }

  @Test(arguments: [
    "", ",", "()", "0q", "*(0w)", "sqrt", "+(1,max(2))", "sec(0w)", "--1", "0x6", "nan", "inf",
    "0w 0h", "10w",
    "n", "-n", "99999999999999999999,1e39", "1..2", "é", String(repeating: "+", count: 250),
  ])
  func refusesOtherForms(text: String) {
    #expect(ShapeExpression(text) == nil)
  }

  /// 120 operations in each other.
  @Test func nestsDeeply() throws {
    let text = String(repeating: "neg(", count: 120) + "0w" + String(repeating: ")", count: 120)
    #expect(try #require(ShapeExpression(text)).values(for: [[5]]) == [5])
  }

  @Test(arguments: [
    "*(200000000,200000000)", "//(0w,0)", "/(0w,0)", "//(0w,-(0h,3))", "sqrt(-1)",
    "square(square(square(0.5e9)))",
    "neg(-(-2147483647,1))", "//(-(-2147483647,1),-1)", "trunc(1e20)", "1e20", "+(2147483647,1)",
    "1w", "9c", "lshift(3,30)", "lshift(1,32)", "lshift(1,-1)", "rshift(1,32)", "and(7.5,3)",
    "lshift(0.5,1)", "log(0)", "log(-1)", "acos(2)", "fmod(7,0)", "pow(10,99)", "exp(99)",
    "reciprocal(0)",
    "logaddexp(3e38,1)", "atanh(1)", "xor(1e10,1)",
  ])
  func givesNothingWhereNumbersAreImpossible(text: String) throws {
    #expect(try #require(ShapeExpression(text)).values(for: [[2, 3, 5]]) == nil)
  }
}
