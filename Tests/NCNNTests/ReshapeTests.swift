import Testing

@testable import NCNN

@Suite struct ReshapeTests {
  @Test(arguments: [
    ("0=6", [6]), ("0=6 1=5", [5, 6]), ("0=6 1=5 2=4", [4, 5, 6]), ("0=-1 1=16", [16, -1]),
    ("0=0 1=-1 2=0", [0, -1, 0]), ("0=6 1=-233 2=-233 11=-233 3=0", [6]),
  ])
  func reshape(_ parameters: String, _ sizes: [Int]) throws {
    let reshape: Reshape = try readOperation("Reshape", parameters)
    #expect(reshape.sizes == sizes)
  }
}
