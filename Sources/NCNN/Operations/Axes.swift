/// Parameters of Squeeze: a blob without some of its axes, by their numbers or by ncnn's names of them.
public struct Squeeze: Hashable, Sendable {
  /// The selected axes.
  public var axes: [AxisReference]

  init(_ reader: ParameterReader) throws(ModelError) {
    axes = try reader.integers(3, "axes", in: axisRange).map { .number($0) }
    guard axes.isEmpty else { return }
    let keys: [(Int, BlobAxis)] = [(0, .columns), (1, .rows), (11, .depth), (2, .channels)]
    for (key, name) in keys where try reader.flag(key, "squeeze") {
      axes.append(.named(name))
    }
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
    public var axis: AxisReference
    /// The first position.
    public var position: Int
  }

  /// Where the part begins along the axes that are named; 0 along the others.
  public var starts: [Start]

  init(_ reader: ParameterReader) throws(ModelError) {
    let positions = -Limits.integerParameter...Limits.integerParameter
    let starts = try reader.integers(9, "starts", in: positions)
    guard !starts.isEmpty else {
      self.starts = []
      let keys: [(Int, BlobAxis)] = [(0, .columns), (1, .rows), (13, .depth), (2, .channels)]
      for (key, name) in keys {
        let position = try reader.integer(key, "offset", default: 0)
        if position != 0 { self.starts.append(Start(axis: .named(name), position: position)) }
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
        axis: .number(axes.isEmpty ? index : axes[index]),
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
