// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceInference
import YOLOFaceNCNN

/// A blob's channels as small grey pictures in one PNG.
struct FeatureMaps: Encodable, Sendable {
  /// The number of the blob's channels, and how many of them are shown, from the first.
  var channels, shown: Int
  /// The size of one channel's picture, in pixels.
  var width, height: Int
  /// A pixel is the mean of `reduction` × `reduction` elements.
  var reduction: Int
  var columns: Int
  /// For each picture the values that black and white stand for, fp32.
  var ranges: Base64
  var png: Base64

  static let maximumShown = 24

  /// The pixels that each of `count` blobs may take, so that a page stays within a few MiB.
  static func pixels(forEachOf count: Int) -> Int { min(28_000, 8_000_000 / max(1, count)) }

  /// The maps of a blob, each of whose planes of rows and columns is a channel, in roughly this many pixels. A blob that
  /// holds the values of a head's cells is shown as the head's grid.
  init(of tensor: Tensor, head: HeadBlob? = nil, pixels: Int) throws(PictureError) {
    let planes = Planes(of: tensor, head: head)
    channels = planes.count
    shown = min(planes.count, Self.maximumShown)
    var reduction = 1
    func size(_ count: Int) -> Int { (count + reduction - 1) / reduction }
    while shown * size(planes.rows) * size(planes.columns) > pixels,
      max(planes.rows, planes.columns) > reduction
    {
      reduction += 1
    }
    self.reduction = reduction
    width = size(planes.columns)
    height = size(planes.rows)
    columns = min(shown, 8)
    let rows = (shown + columns - 1) / columns
    var samples = [UInt8](repeating: 0, count: rows * height * columns * width)
    var ranges: [Float] = []
    for channel in 0..<shown {
      let means = planes.means(of: channel, reduction: reduction)
      let finite = means.filter(\.isFinite)
      let (low, high) = (finite.min() ?? 0, finite.max() ?? 0)
      ranges += [low, high]
      let origin = (channel / columns * height * columns + channel % columns) * width
      for (index, mean) in means.enumerated() where mean.isFinite && high > low {
        let (row, column) = index.quotientAndRemainder(dividingBy: width)
        // In Double the difference of two Floats is neither infinite nor rounded to 0.
        let fraction = (Double(mean) - Double(low)) / (Double(high) - Double(low))
        samples[origin + row * columns * width + column] = UInt8((fraction * 255).rounded())
      }
    }
    self.ranges = Base64(ranges)
    png = Base64(try PNG.encode(gray: samples, width: columns * width, height: rows * height))
  }
}

/// A tensor as channels of rows and columns.
private struct Planes {
  var count, rows, columns: Int
  var values: [Float]

  init(of tensor: Tensor, head: HeadBlob?) {
    let shape = tensor.shape
    values = tensor.values
    count = shape.dropLast(2).reduce(1, *)
    rows = shape.count > 1 ? shape[shape.count - 2] : 1
    columns = shape[shape.count - 1]
    guard let head else { return }
    let (width, cells) = (head.width, head.grid.count)
    guard values.count == count * width * cells else { return }
    if head.order == .valuesOfCells {
      values = (0..<values.count).map { index in
        let (plane, cell) = index.quotientAndRemainder(dividingBy: cells)
        return tensor.values[(plane / width * cells + cell) * width + plane % width]
      }
    }
    (count, rows, columns) = (count * width, head.grid.rows, head.grid.columns)
  }

  /// The means of squares of `reduction` × `reduction` elements of a channel, row by row.
  func means(of channel: Int, reduction: Int) -> [Float] {
    let start = channel * rows * columns
    if reduction == 1 { return Array(values[start..<start + rows * columns]) }
    var means: [Float] = []
    for top in stride(from: 0, to: rows, by: reduction) {
      for left in stride(from: 0, to: columns, by: reduction) {
        let (bottom, right) = (min(top + reduction, rows), min(left + reduction, columns))
        var sum: Float = 0
        for row in top..<bottom {
          for index in start + row * columns + left..<start + row * columns + right {
            sum += values[index]
          }
        }
        means.append(sum / Float((bottom - top) * (right - left)))
      }
    }
    return means
  }
}
