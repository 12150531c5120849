/// Parameters of Squeeze: a blob without some of its axes, by their numbers or by ncnn's names of them.
public struct Squeeze: Hashable, Sendable {
  /// Numbers of axes, negative ones from the innermost; empty where names are given.
  private var numbers: [Int]
  /// Whether w, h, d and c are selected.
  private var names: [Bool]

  init(_ reader: ParameterReader) throws(ModelError) {
    numbers = try reader.integers(3, "axes", in: axisRange)
    names = [
      try reader.flag(0, "squeeze_w"), try reader.flag(1, "squeeze_h"),
      try reader.flag(11, "squeeze_d"), try reader.flag(2, "squeeze_c"),
    ]
  }

  /// Which axes of a shape of `count` are selected, the outermost being 0.
  public func axes(of count: Int) -> Set<Int> {
    if !numbers.isEmpty {
      return Set(numbers.map { $0 < 0 ? count + $0 : $0 }).intersection(0..<count)
    }
    // Only a blob of four axes has a depth.
    let names = count == 4 ? names : [names[0], names[1], names[3]]
    return Set(names.prefix(count).enumerated().filter { $0.element }.map { count - 1 - $0.offset })
  }
}

/// Parameters of Tile: a blob repeated along its axes.
public struct Tile: Hashable, Sendable {
  /// The axis that `repeats` alone is for; nil where it lists those of the innermost axes.
  public var axis: Int?
  /// How often the blob is repeated, the outermost axis first.
  public var repeats: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    let counts = 1...Limits.integerParameter
    repeats = try reader.integers(2, "repeats", in: counts)
    guard repeats.count <= 4 else {
      throw reader.refusal("\(repeats.count) repeats", expected: "at most 4")
    }
    if repeats.isEmpty {
      axis = try reader.integer(0, "axis", default: 0, in: 0...3)
      repeats = [try reader.integer(1, "tiles", default: 1, in: counts)]
    }
  }
}

/// Parameters of CopyTo: the first blob, with the second in place of a part of it.
public struct CopyTo: Hashable, Sendable {
  /// Where the part begins along an axis; negative positions count from the end, as negative axes do.
  public struct Start: Hashable, Sendable {
    /// The axis.
    public var axis: Int
    /// The first position.
    public var position: Int
  }

  /// Where the part begins along the axes that are named; 0 along the others.
  public var starts: [Start]

  init(_ reader: ParameterReader) throws(ModelError) {
    let positions = -Limits.integerParameter...Limits.integerParameter
    let starts = try reader.integers(9, "starts", in: positions)
    guard !starts.isEmpty else {
      try reader.requireUnused(13, "doffset")
      self.starts = []
      for (key, axis) in [(2, -3), (1, -2), (0, -1)] {
        let position = try reader.integer(key, "offset", default: 0)
        if position != 0 { self.starts.append(Start(axis: axis, position: position)) }
      }
      return
    }
    let axes = try reader.integers(11, "axes", in: axisRange)
    guard axes.isEmpty || axes.count == starts.count, starts.count <= 4,
      Set(axes).count == axes.count
    else {
      throw reader.refusal(
        "\(starts.count) starts and axes \(axes)", expected: "distinct axes, as many as starts")
    }
    self.starts = starts.enumerated().map { index, start in
      Start(
        axis: axes.isEmpty ? index : axes[index],
        position: start == ParamFormat.placeholder ? 0 : start)
    }
  }
}

/// Parameters of Unfold: the windows of each channel as rows, one for each place in a window.
public struct Unfold: Hashable, Sendable {
  /// The window, in samples.
  public var kernel: Extent
  /// The distance between neighbouring samples of a window.
  public var dilation: Extent
  /// The distance between neighbouring windows.
  public var stride: Extent
  /// The border added to the input first.
  public var border: Border
  /// The value of the border's pixels.
  public var borderValue: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    kernel = try Extent(reader, 1, 11, "kernel", default: 0)
    dilation = try Extent(reader, 2, 12, "dilation", default: 1)
    stride = try Extent(reader, 3, 13, "stride", default: 1)
    border = try Border(reader, left: 4, top: 14, right: 15, bottom: 16)
    borderValue = try reader.real(18, "pad_value", default: 0)
    guard checkedProduct(dilation.width, kernel.width) != nil,
      checkedProduct(dilation.height, kernel.height) != nil,
      let taps = checkedProduct(kernel.width, kernel.height), taps <= Limits.integerParameter
    else {
      throw reader.refusal(
        "kernel \(kernel.width) × \(kernel.height)", expected: "a window whose sides fit an Int")
    }
  }
}

/// Parameters of Fold, which adds up what Unfold's rows hold of each pixel.
public struct Fold: Hashable, Sendable {
  /// The windows; their border is cut off.
  public var windows: Unfold
  /// The rows and columns of the result.
  public var size: Extent

  init(_ reader: ParameterReader) throws(ModelError) {
    windows = try Unfold(reader)
    size = try Extent(reader, 20, 21, "output", default: 0)
    guard case .explicit = windows.border else {
      throw reader.refusal("a SAME border", expected: "numbers of pixels")
    }
  }
}
