import Testing

@testable import NCNN

@Suite struct ScaleTests {
  @Test func scale() throws {
    let plain: Scale = try readOperation("Scale", "0=16")
    #expect(plain.channels == 16)
    #expect(!plain.hasBias)
    let full: Scale = try readOperation("Scale", "0=8 1=1")
    #expect(full.channels == 8)
    #expect(full.hasBias)
    let second: Scale = try readOperation("Scale", "0=-233", inputs: 2)
    #expect(second.channels == nil && !second.hasBias)
    #expect(throws: ModelError.self) { try readLayer("Scale", "0=-233 1=1", inputs: 2) }
    #expect(throws: ModelError.self) { try readLayer("Scale", "0=16", inputs: 2) }
    #expect(try weights("Scale", "0=-233", inputs: 2) == [])
    #expect(try weights("Scale", "0=16") == ["scales 16"])
    #expect(try weights("Scale", "0=8 1=1") == ["scales 8", "biases 8"])
  }
}
