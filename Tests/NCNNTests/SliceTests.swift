import Testing

@testable import NCNN

@Suite struct SliceTests {
  @Test func slice() throws {
    let plain: Slice = try readOperation("Slice", "-23300=2,16,32", outputs: 2)
    #expect(plain.cuts == .sizes([16, 32]))
    #expect(plain.axis == 0)
    let even: Slice = try readOperation("Slice", "-23300=3,-233,4,-233 1=-2", outputs: 3)
    #expect(even.cuts == .sizes([nil, 4, nil]))
    #expect(even.axis == -2)
    let cut: Slice = try readOperation("Slice", "-23302=2,3,-5 1=1", outputs: 3)
    #expect(cut.cuts == .positions([3, -5]))
    #expect(cut.axis == 1)
    let one: Slice = try readOperation("Slice", "0=7")
    #expect(one.cuts == .sizes([7]))
  }
}
