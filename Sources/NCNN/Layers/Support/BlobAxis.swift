// SPDX-License-Identifier: Apache-2.0

/// An axis of a blob, by ncnn's name. A blob has columns; rows and columns; channels, rows and columns;
/// or channels, depth, rows and columns.
enum BlobAxis: String {
  case channels = "c"
  case depth = "d"
  case rows = "h"
  case columns = "w"

  /// The axes of a blob with one to four of them, the outermost first.
  static func axes(_ count: Int) -> [BlobAxis] {
    count == 4 ? [.channels, .depth, .rows, .columns] : [.channels, .rows, .columns].suffix(count)
  }

  /// The size of a shape along the axis; 1 where the shape lacks it.
  func size(in shape: [Int]) -> Int {
    zip(Self.axes(shape.count), shape).first { $0.0 == self }?.1 ?? 1
  }
}

/// An axis of a blob, as a layer refers to it.
enum AxisReference: Hashable {
  /// The outermost is 0, and negative ones count from the innermost.
  case number(Int)
  case named(BlobAxis)

  /// The number of the axis among those of a blob; nil where the blob lacks it.
  func index(among count: Int) -> Int? {
    switch self {
    case .number(let number):
      let index = number < 0 ? count + number : number
      return (0..<count).contains(index) ? index : nil
    case .named(let name): return BlobAxis.axes(count).firstIndex(of: name)
    }
  }
}

/// ncnn's axis numbers, for up to four axes; negative ones count from the innermost.
let axisRange = -4...3

extension Int {
  /// Whether an axis number is that of the channels, in a blob of three axes.
  var isChannels: Bool { self == 0 || self == -3 }

  /// An axis number, which has been checked, counted from the outermost: see `resolvedAxis`.
  func resolved(in shape: [Int]) -> Int {
    shape.count == 1 ? 0 : self < 0 ? self + shape.count : self
  }
}
