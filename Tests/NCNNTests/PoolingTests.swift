import Testing

@testable import NCNN

@Suite struct PoolingTests {
  @Test func poolingDefaults() throws {
    let pooling: Pooling = try readOperation("Pooling", "1=2")
    #expect(pooling.method == .maximum)
    #expect(!pooling.countsBorder)
    #expect(
      pooling.windows
        == .sliding(
          kernel: Extent(width: 2, height: 2), stride: Extent(width: 1, height: 1),
          border: .none, coversRest: true))
  }

  @Test func everyPoolingParameter() throws {
    let pooling: Pooling = try readOperation(
      "Pooling", "0=1 1=2 11=3 2=4 12=5 3=1 13=2 14=3 15=4 5=1 6=1")
    #expect(pooling.method == .average)
    #expect(pooling.countsBorder)
    #expect(
      pooling.windows
        == .sliding(
          kernel: Extent(width: 2, height: 3), stride: Extent(width: 4, height: 5),
          border: .explicit(left: 1, right: 3, top: 2, bottom: 4), coversRest: false))
  }

  @Test(arguments: [
    ("4=1", Pooling.Windows.global),
    ("7=1 8=3", .adaptive(columns: 3, rows: 3)),
    ("7=1 8=3 18=2", .adaptive(columns: 3, rows: 2)),
    ("7=1 8=-233 18=2", .adaptive(columns: nil, rows: 2)),
    ("7=1 8=-233", .adaptive(columns: nil, rows: nil)),
    ("4=1 7=1 8=3", .global),
  ])
  func otherWindows(_ parameters: String, _ windows: Pooling.Windows) throws {
    let pooling: Pooling = try readOperation("Pooling", parameters)
    #expect(pooling.windows == windows)
  }

  @Test(
    arguments: [
      (0, .none, true), (1, .none, false), (2, .sameUpper, false), (3, .sameLower, false),
    ] as [(Int, Border, Bool)])
  func padModes(_ mode: Int, _ border: Border, _ coversRest: Bool) throws {
    let pooling: Pooling = try readOperation("Pooling", "1=3 2=2 5=\(mode)")
    let size = Extent(width: 3, height: 3)
    let stride = Extent(width: 2, height: 2)
    #expect(
      pooling.windows
        == .sliding(kernel: size, stride: stride, border: border, coversRest: coversRest))
  }

  /// ncnn leaves them out of averages.
  @Test func padsWithSame() throws {
    let pooling: Pooling = try readOperation("Pooling", "0=1 1=5 3=1 13=2 5=3")
    #expect(pooling.pads == .explicit(left: 1, right: 1, top: 2, bottom: 2))
    #expect(
      pooling.windows
        == .sliding(
          kernel: Extent(width: 5, height: 5), stride: Extent(width: 1, height: 1),
          border: .sameLower, coversRest: false))
  }
}
