import Testing

@testable import NCNN

@Suite struct InputTests {
  @Test(
    arguments: [
      ("", []), ("0=5", [5]), ("0=5 1=4", [4, 5]), ("0=5 1=4 2=3", [3, 4, 5]),
      ("0=-1 1=-1 2=3", []), ("0=0 1=0 2=3", []), ("0=5 1=4 2=3 11=0", [3, 4, 5]),
    ] as [(String, [Int])])
  func inputShape(_ parameters: String, _ sizes: [Int]) throws {
    let shape: DeclaredShape = try readOperation("Input", parameters, inputs: 0)
    #expect(shape.sizes == sizes)
  }

  @Test(arguments: [("0=-1 1=-1 2=1", 1), ("0=5 1=4 2=3", 3), ("0=5 1=4", nil), ("2=-1", nil)])
  func inputChannels(_ parameters: String, _ channels: Int?) throws {
    let shape: DeclaredShape = try readOperation("Input", parameters, inputs: 0)
    #expect(shape.channels == channels)
  }
}
