import Testing

@testable import NCNN

@Suite struct CropTests {
  @Test func cropSpans() throws {
    let crop: Crop = try readOperation("Crop", "0=1 1=2 2=3 3=4 4=5 5=-233 6=6 7=7 8=8")
    #expect(
      crop.part
        == .spans([
          .columns: .init(offset: 1, size: 4, offsetFromEnd: 6),
          .rows: .init(offset: 2, size: 5, offsetFromEnd: 7),
          .depth: .init(offset: 0, size: 0, offsetFromEnd: 0),
          .channels: .init(offset: 3, size: nil, offsetFromEnd: 8),
        ]))
    let deep: Crop = try readOperation("Crop", "3=1 4=1 5=1 13=1 14=-233 15=2")
    let one = Crop.Span(offset: 0, size: 1, offsetFromEnd: 0)
    #expect(
      deep.part
        == .spans([
          .columns: one, .rows: one, .depth: .init(offset: 1, size: nil, offsetFromEnd: 2),
          .channels: one,
        ]))
    let row: Crop = try readOperation("Crop", "3=4")
    let none = Crop.Span(offset: 0, size: 0, offsetFromEnd: 0)
    #expect(
      row.part
        == .spans([
          .columns: .init(offset: 0, size: 4, offsetFromEnd: 0), .rows: none, .depth: none,
          .channels: none,
        ]))
  }

  @Test func cropRanges() throws {
    let crop: Crop = try readOperation("Crop", "-23309=2,1,-233 -23310=2,-1,5 -23311=2,0,-1")
    #expect(
      crop.part
        == .intervals([.init(axis: 0, start: 1, end: -1), .init(axis: -1, start: -233, end: 5)]))
    guard case .intervals(let intervals) = crop.part else { return }
    #expect(intervals[1].start == nil)
    let counted: Crop = try readOperation("Crop", "-23309=2,1,2 -23310=2,-233,5")
    #expect(
      counted.part
        == .intervals([.init(axis: 0, start: 1, end: -233), .init(axis: 1, start: 2, end: 5)]))
    let extreme: Crop = try readOperation("Crop", "-23309=1,-2147483648 -23310=1,2147483647")
    #expect(
      extreme.part == .intervals([.init(axis: 0, start: -2_147_483_648, end: 2_147_483_647)]))
  }

  @Test func cropByExpressions() throws {
    let crop: Crop = try readOperation("Crop", #"19="1" 20="1w" 21="2""#, inputs: 2)
    guard case .expressions(let starts, let ends, let axes) = crop.part else {
      Issue.record("no expressions")
      return
    }
    let shapes = [[2, 3, 5], [4]]
    #expect(starts.values(for: shapes) == [1] && ends.values(for: shapes) == [4])
    #expect(axes.values(for: shapes) == [2])
    for (parameters, inputs) in [
      (#"19="1" 20="3""#, 1), (#"19="1" 20="3,2" 21="0""#, 1), (#"19="1" 20="1w" 21="2""#, 1),
      (#"19="1" 20="0w" 21="2""#, 2), (#"-23309=1,1 -23310=1,2 21="0""#, 1),
      (#"19="1" 20="q" 21="0""#, 1),
    ] {
      #expect(throws: ModelError.self) { try readLayer("Crop", parameters, inputs: inputs) }
    }
  }

  @Test func cropToASecondInput() throws {
    let crop: Crop = try readOperation("Crop", inputs: 2)
    #expect(crop.part == .reference([.columns: 0, .rows: 0, .depth: 0, .channels: 0]))
    let offset: Crop = try readOperation("Crop", "0=1 1=2 2=3 3=0", inputs: 2)
    #expect(offset.part == .reference([.columns: 1, .rows: 2, .depth: 0, .channels: 3]))
  }
}
