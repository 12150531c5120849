import Testing

@testable import NCNN

@Suite struct InterpTests {
  @Test func interp() throws {
    let plain: Interp = try readOperation("Interp", "0=1")
    #expect(plain.method == .nearest)
    #expect(plain.target == .scaled(height: 1, width: 1))
    #expect(!plain.alignsCorners)
    let scaled: Interp = try readOperation("Interp", "0=2 1=2.0 2=1.5 6=1")
    #expect(scaled.method == .bilinear)
    #expect(scaled.target == .scaled(height: 2, width: 1.5))
    #expect(scaled.alignsCorners)
    let cubic: Interp = try readOperation("Interp", "0=3 1=2.0 2=2.0")
    #expect(cubic.method == .bicubic)
    let sized: Interp = try readOperation("Interp", "0=1 1=2.0 2=2.0 3=30 4=40")
    #expect(sized.target == .size(Extent(width: 40, height: 30)))
    let open: Interp = try readOperation("Interp", #"0=1 3=30 4=40 9="1w,*(0h,2)""#, inputs: 2)
    #expect(open.target == .expression(try #require(ShapeExpression("1w,*(0h,2)"))))
    #expect(throws: ModelError.self) { try readLayer("Interp", #"0=1 9="1,2,3""#) }
    let halfSized: Interp = try readOperation("Interp", "0=1 1=2.0 2=3.0 4=40")
    #expect(halfSized.target == .scaled(height: 2, width: 3), "ncnn wants both sizes or neither")
  }
}
