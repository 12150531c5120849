import Testing

@testable import NCNN

@Suite struct MemoryDataTests {
  @Test func memoryData() throws {
    let data: MemoryData = try readOperation("MemoryData", "0=5 1=4 2=3", inputs: 0)
    #expect(data.sizes == [3, 4, 5])
    #expect(!data.isTagged)
    let tagged: MemoryData = try readOperation("MemoryData", "0=5 21=0", inputs: 0)
    #expect(tagged.sizes == [5])
    #expect(tagged.isTagged)
    #expect(try weights("MemoryData", "0=5 1=4 2=3", inputs: 0) == ["data 60"])
    #expect(try weights("MemoryData", "0=5 1=4 21=0", inputs: 0) == ["data 20*"])
  }
}
