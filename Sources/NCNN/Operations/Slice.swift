/// Parameters of Slice: one blob cut into several along an axis.
public struct Slice: Hashable, Sendable {
  /// Where the cuts are.
  public enum Cuts: Hashable, Sendable {
    /// The size of each part; nil divides what is left evenly among the remaining parts. Anything
    /// after the last part is dropped.
    case sizes([Int?])
    /// The position where each part but the first begins; negative ones count from the end.
    case positions([Int])
  }

  /// Where the cuts are.
  public var cuts: Cuts
  /// The axis that is cut.
  public var axis: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    axis = try reader.integer(1, "axis", default: 0, in: axisRange)
    let range = -Limits.integerParameter...Limits.integerParameter
    let positions = try reader.integers(2, "indices", in: range)
    if !positions.isEmpty {
      cuts = .positions(positions)
      return
    }
    let sizes = try reader.integers(
      0, "slices", in: ParamFormat.placeholder...Limits.integerParameter)
    guard sizes.allSatisfy({ $0 > 0 || $0 == ParamFormat.placeholder }) else {
      throw reader.refusal(
        "slices \(sizes)", expected: "positive sizes or \(ParamFormat.placeholder)")
    }
    cuts = .sizes(sizes.map { $0 == ParamFormat.placeholder ? nil : $0 })
  }

  /// The number of parts that the cuts make.
  var partCount: Int {
    switch cuts {
    case .sizes(let sizes): sizes.count
    case .positions(let positions): positions.count + 1
    }
  }
}
