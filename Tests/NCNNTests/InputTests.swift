import Testing

@testable import NCNN

@Suite struct InputTests {
  @Test(
    arguments: [
      ("", []), ("0=5", [5]), ("0=5 1=4", [4, 5]), ("0=5 1=4 2=3", [3, 4, 5]),
      ("0=-1 1=-1 2=3", []), ("0=0 1=0 2=3", []), ("0=5 1=4 2=3 11=0", [3, 4, 5]),
      ("0=5 1=4 2=3 11=2", [3, 2, 4, 5]), ("0=5 1=4 11=2", []),
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

  @Test func memoryData() throws {
    let data: MemoryData = try readOperation("MemoryData", "0=5 1=4 2=3", inputs: 0)
    #expect(data.sizes == [3, 4, 5])
    #expect(!data.isTagged)
    let tagged: MemoryData = try readOperation("MemoryData", "0=5 21=0", inputs: 0)
    #expect(tagged.sizes == [5])
    #expect(tagged.isTagged)
    #expect(try weights("MemoryData", "0=5 1=4 2=3", inputs: 0) == ["data 60"])
    #expect(try weights("MemoryData", "0=5 1=4 21=0", inputs: 0) == ["data 20*"])
    #expect(try weights("MemoryData", "0=5 1=4 11=2 2=3", inputs: 0) == ["data 120"])
  }
}
