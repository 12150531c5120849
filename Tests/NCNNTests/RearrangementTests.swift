import Testing

@testable import NCNN

@Suite struct RearrangementTests {
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

  @Test func shuffleChannel() throws {
    let plain: ShuffleChannel = try readOperation("ShuffleChannel")
    #expect(plain.group == 1)
    #expect(!plain.isReversed)
    let full: ShuffleChannel = try readOperation("ShuffleChannel", "0=2 1=1")
    #expect(full.group == 2)
    #expect(full.isReversed)
  }

  @Test(arguments: [
    ("0=6", [6]), ("0=6 1=5", [5, 6]), ("0=6 1=5 2=4", [4, 5, 6]), ("0=-1 1=16", [16, -1]),
    ("0=0 1=-1 2=0", [0, -1, 0]), ("0=6 1=-233 2=-233 11=-233 3=0", [6]),
  ])
  func reshape(_ parameters: String, _ sizes: [Int]) throws {
    let reshape: Reshape = try readOperation("Reshape", parameters)
    #expect(reshape.sizes == sizes)
  }

  @Test func permute() throws {
    let plain: Permute = try readOperation("Permute")
    #expect(plain.order == 0)
    for order in 0...5 {
      let permute: Permute = try readOperation("Permute", "0=\(order)")
      #expect(permute.order == order)
    }
  }

  @Test func paddingDefaults() throws {
    let padding: Padding = try readOperation("Padding")
    #expect([padding.top, padding.bottom, padding.left, padding.right] == [0, 0, 0, 0])
    #expect([padding.front, padding.behind] == [0, 0])
    #expect(padding.content == .constant(0))
    #expect(try weights("Padding") == [])
  }

  @Test func everyPaddingParameter() throws {
    let padding: Padding = try readOperation("Padding", "0=1 1=2 2=3 3=4 4=0 5=.5 7=5 8=6")
    #expect([padding.top, padding.bottom, padding.left, padding.right] == [1, 2, 3, 4])
    #expect([padding.front, padding.behind] == [5, 6])
    #expect(padding.content == .constant(0.5))
    let perChannel: Padding = try readOperation("Padding", "0=1 5=.5 6=8")
    #expect(perChannel.content == .constantPerChannel(count: 8))
    #expect(try weights("Padding", "0=1 6=8") == ["border values 8"])
    let replicated: Padding = try readOperation("Padding", "4=1")
    #expect(replicated.content == .replicated)
    let reflected: Padding = try readOperation("Padding", "4=2")
    #expect(reflected.content == .reflected)
  }

  @Test func cropSpans() throws {
    let crop: Crop = try readOperation("Crop", "0=1 1=2 2=3 3=4 4=5 5=-233 6=6 7=7 8=8")
    #expect(
      crop.part
        == .spans(
          columns: .init(offset: 1, size: 4, offsetFromEnd: 6),
          rows: .init(offset: 2, size: 5, offsetFromEnd: 7),
          channels: .init(offset: 3, size: nil, offsetFromEnd: 8)))
    let row: Crop = try readOperation("Crop", "3=4")
    let none = Crop.Span(offset: 0, size: 0, offsetFromEnd: 0)
    #expect(
      row.part
        == .spans(
          columns: .init(offset: 0, size: 4, offsetFromEnd: 0), rows: none, channels: none))
  }

  @Test func cropRanges() throws {
    let crop: Crop = try readOperation("Crop", "-23309=2,1,-233 -23310=2,-1,5 -23311=2,0,-1")
    #expect(
      crop.part
        == .intervals([.init(axis: 0, start: 1, end: -1), .init(axis: -1, start: nil, end: 5)]))
    let counted: Crop = try readOperation("Crop", "-23309=2,1,2 -23310=2,-233,5")
    #expect(
      counted.part
        == .intervals([.init(axis: 0, start: 1, end: nil), .init(axis: 1, start: 2, end: 5)]))
    let extreme: Crop = try readOperation("Crop", "-23309=1,-2147483648 -23310=1,2147483647")
    #expect(
      extreme.part == .intervals([.init(axis: 0, start: -2_147_483_648, end: 2_147_483_647)]))
  }

  @Test func cropToASecondInput() throws {
    let crop: Crop = try readOperation("Crop", inputs: 2)
    #expect(crop.part == .reference(column: 0, row: 0, channel: 0))
    let offset: Crop = try readOperation("Crop", "0=1 1=2 2=3 3=0", inputs: 2)
    #expect(offset.part == .reference(column: 1, row: 2, channel: 3))
  }
}
