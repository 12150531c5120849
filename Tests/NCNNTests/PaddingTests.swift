import Testing

@testable import NCNN

@Suite struct PaddingTests {
  @Test func paddingDefaults() throws {
    let padding: Padding = try readOperation("Padding")
    #expect(padding.before == [0, 0, 0] && padding.behind == [0, 0, 0])
    #expect(padding.content == .constant(0))
    #expect(try weights("Padding") == [])
  }

  @Test func everyPaddingParameter() throws {
    let padding: Padding = try readOperation("Padding", "0=1 1=2 2=3 3=4 4=0 5=.5 7=5 8=6")
    #expect(padding.before == [5, 1, 3] && padding.behind == [6, 2, 4])
    #expect(padding.content == .constant(0.5))
    let perChannel: Padding = try readOperation("Padding", "0=1 5=.5 6=8")
    #expect(perChannel.content == .constantPerChannel && perChannel.storedCount == 8)
    #expect(try weights("Padding", "0=1 6=8") == ["border values 8"])
    // ncnn reads the values whether they are used or not.
    #expect(try weights("Padding", "0=1 4=1 6=8") == ["border values 8"])
    let replicated: Padding = try readOperation("Padding", "4=1")
    #expect(replicated.content == .replicated)
    let reflected: Padding = try readOperation("Padding", "4=2")
    #expect(reflected.content == .reflected)
  }
}
