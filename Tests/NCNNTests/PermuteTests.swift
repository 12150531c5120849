import Testing

@testable import NCNN

@Suite struct PermuteTests {
  @Test func permute() throws {
    let plain: Permute = try readOperation("Permute")
    #expect(plain.order == 0)
    for order in 0...5 {
      let permute: Permute = try readOperation("Permute", "0=\(order)")
      #expect(permute.order == order)
    }
  }
}
