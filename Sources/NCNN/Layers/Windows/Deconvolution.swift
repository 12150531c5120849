// SPDX-License-Identifier: Apache-2.0

/// Each pixel of the input adds a window to the result, `stride` pixels from the next one's; then the borders
/// are cut off. Also called transposed convolution.
///
///     output[o][y][x] = activation(bias[o] + Σ weight[o][i][ky][kx] · input[i][v][u])
///
/// over all pixels with v·s + ky·d − top = y and u·s + kx·d − left = x. C × H × W → `outputChannels` × H′ × W′.
/// Weights are stored as for Convolution.
package struct Deconvolution: BlobWeightsKind, Hashable {
  static let hasInputsFirst = true

  /// One with the same channels, window, weights and activation, and no border.
  package let convolution: Convolution
  /// Pixels added at the right and at the bottom, before any are cut off.
  let extra: Extent
  let cut: Cut

  /// What is cut off the result of all windows.
  enum Cut: Hashable {
    /// A number of pixels on each side.
    case sides(left: Int, right: Int, top: Int, bottom: Int)
    /// All but this size, as much on both sides; an odd pixel comes off the right and the bottom,
    /// or off the left and the top.
    case toSize(Extent, oddPixelFirst: Bool)
  }

  init(_ reader: ParameterReader, grouped: Bool) throws(ModelError) {
    convolution = try Convolution(
      reader.replacing([4, 14, 15, 16, 8, 18, 19], by: nil), grouped: grouped)
    let extraColumns = try reader.integer(18, "output_pad_right", default: 0, in: 0...1 << 20)
    extra = Extent(
      width: extraColumns,
      height: try reader.integer(19, "output_pad_bottom", default: extraColumns, in: 0...1 << 20))
    cut = try Cut(reader)
  }

  package var traits: LayerTraits { convolution.traits }

  package var attributes: [LayerAttribute]? { convolution.attributes }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .deconvolution(self) }

  /// With fewer axes, upstream's results depend on how it interleaves channels.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3, input[0] == convolution.inputChannels else {
      throw .shape(
        "shape \(input)",
        expected: "three axes, and \(convolution.inputChannels) channels, as the weights imply")
    }
    let whole = wholeSize(input)
    let sides = sides(of: whole)
    let rows = whole.rows - sides.top - sides.bottom
    let columns = whole.columns - sides.left - sides.right
    guard sides.top >= 0, sides.left >= 0, rows > 0, columns > 0 else {
      throw .shape(
        "shape \(input), \(whole.rows) × \(whole.columns) before it is cut",
        expected: "more pixels than are cut off, and at least as many as are left")
    }
    guard Int(exactly: whole.rows) != nil, Int(exactly: whole.columns) != nil else {
      throw InferenceError(.limit, found: "\(rows) × \(columns)", expected: "sizes that fit an Int")
    }
    return [convolution.outputChannels, Int(rows), Int(columns)]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let sides = sides(of: wholeSize(input.shape))
    let kernel = convolution.kernel
    let inputsPerGroup = convolution.inputChannels / convolution.group
    let outputsPerGroup = convolution.outputChannels / convolution.group
    var result = Tensor(shape)
    for y in 0..<shape[1] {
      let rows = taps(at: y + Int(sides.top), over: input.rows, { $0.height })
      for x in 0..<shape[2] {
        let columns = taps(at: x + Int(sides.left), over: input.columns, { $0.width })
        // Where no window falls, there is nothing to add, whatever the number of channels.
        let addedInputs = rows.isEmpty || columns.isEmpty ? 0 : inputsPerGroup
        for output in 0..<convolution.outputChannels {
          let firstInput = output / outputsPerGroup * inputsPerGroup
          var sum = convolution.hasBias ? weights[1][output] : 0
          for i in 0..<addedInputs {
            let window = (output * inputsPerGroup + i) * kernel.height
            for row in rows {
              let line = ((firstInput + i) * input.rows + row.source) * input.columns
              for column in columns {
                sum +=
                  weights[0][(window + row.sample) * kernel.width + column.sample]
                  * input.values[line + column.source]
              }
            }
          }
          result.values[(output * shape[1] + y) * shape[2] + x] = convolution.activation.apply(sum)
        }
      }
    }
    return result
  }

  /// The samples of windows that fall on a position along an axis, each with the input's position
  /// that has this window.
  private func taps(
    at position: Int, over size: Int, _ side: (Extent) -> Int
  ) -> [(sample: Int, source: Int)] {
    (0..<side(convolution.kernel)).compactMap { sample in
      let start = position - sample * side(convolution.dilation)
      let (source, rest) = start.quotientAndRemainder(dividingBy: side(convolution.stride))
      return start >= 0 && rest == 0 && source < size ? (sample, source) : nil
    }
  }

  /// The products of all windows, whether cut off or not, and the search for them.
  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let multiplyAdds = product(inputs[0].suffix(2)) * Int64(convolution.weightCount)
    let pixels = product(output.suffix(2))
    return Cost(
      steps: multiplyAdds + product(output) * convolution.activation.steps + pixels
        * Int64(convolution.kernel.width)
        + Int64(output[1]) * Int64(convolution.kernel.height), multiplyAdds: multiplyAdds)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    let sides = sides(of: wholeSize(inputs[0]))
    func reading(_ side: (Extent) -> Int, cut: Int64) -> PixelWindows.Reading {
      let (stride, span) = (
        side(convolution.stride), side(convolution.dilation) * (side(convolution.kernel) - 1)
      )
      return PixelWindows.Reading(cells: stride) { cell in
        let last = floorQuotient(cell + Int(cut), stride)
        // Between windows that do not meet, a cell reads nothing.
        return min(last, -floorQuotient(span - cell - Int(cut), stride))...last
      }
    }
    return .windows(
      rows: reading({ $0.height }, cut: sides.top), columns: reading({ $0.width }, cut: sides.left))
  }
}

extension Deconvolution {
  /// Rows and columns of all windows together; in 64 bits, which a blob's size times a stride fits.
  private func wholeSize(_ input: [Int]) -> (rows: Int64, columns: Int64) {
    func size(_ count: Int, _ side: (Extent) -> Int) -> Int64 {
      Int64(count - 1) * Int64(side(convolution.stride))
        + Int64(side(convolution.dilation)) * Int64(side(convolution.kernel) - 1) + 1
        + Int64(side(extra))
    }
    return (size(input[1], { $0.height }), size(input[2], { $0.width }))
  }

  /// What is cut off each side; negative where there is too little.
  private func sides(
    of whole: (rows: Int64, columns: Int64)
  ) -> (left: Int64, right: Int64, top: Int64, bottom: Int64) {
    switch cut {
    case .sides(let left, let right, let top, let bottom):
      return (Int64(left), Int64(right), Int64(top), Int64(bottom))
    case .toSize(let size, let oddPixelFirst):
      let (across, down) = (whole.columns - Int64(size.width), whole.rows - Int64(size.height))
      guard across >= 0, down >= 0 else { return (-1, -1, -1, -1) }
      return oddPixelFirst
        ? (across - across / 2, across / 2, down - down / 2, down / 2)
        : (across / 2, across - across / 2, down / 2, down - down / 2)
    }
  }
}

extension Deconvolution {
  /// A part of the result, every `stride` pixels, which is a convolution of the input with some samples of the
  /// window.
  package struct Phase {
    /// One of stride 1.
    package let convolution: Convolution
    /// The sample of the whole window for each of its own, row by row.
    package let samples: [Int]
    /// How far its first window begins above and left of the input.
    package let padTop, padLeft: Int
    /// The size of the part.
    package let rows, columns: Int
  }

  /// The parts of the result, row by row and column by column of the first `stride` pixels; nil where one of them
  /// is no convolution: where the window is dilated, leaves gaps, or is cut off whole.
  package func phases(of input: [Int], output: [Int]) -> [[Phase]]? {
    guard convolution.dilation == .one else { return nil }
    let sides = sides(of: wholeSize(input))
    let columns = lines(of: output[2], cut: sides.left, { $0.width })
    let rows = lines(of: output[1], cut: sides.top, { $0.height })
    guard let columns, let rows else { return nil }
    return rows.map { row in
      columns.map { column in
        var part = convolution
        part.kernel = Extent(width: column.samples.count, height: row.samples.count)
        part.stride = .one
        let samples = row.samples.flatMap { y in
          column.samples.map { y * convolution.kernel.width + $0 }
        }
        return Phase(
          convolution: part, samples: samples, padTop: row.pad, padLeft: column.pad,
          rows: row.count, columns: column.count)
      }
    }
  }

  /// Along one axis, the samples that make each of the first `stride` pixels, from the first pixel of the input on,
  /// how far they begin before it, and the number of such pixels.
  private func lines(
    of size: Int, cut: Int64, _ side: (Extent) -> Int
  ) -> [(samples: [Int], pad: Int, count: Int)]? {
    let (stride, kernel) = (side(convolution.stride), side(convolution.kernel))
    guard cut <= kernel, stride <= min(kernel, 16) else { return nil }
    var lines: [(samples: [Int], pad: Int, count: Int)] = []
    for first in 0..<min(stride, size) {
      let (start, sample) = (first + Int(cut)).quotientAndRemainder(dividingBy: stride)
      let samples = Array(Swift.stride(from: sample, to: kernel, by: stride).reversed())
      let pad = samples.count - 1 - start
      guard pad >= 0 else { return nil }
      lines.append((samples, pad, (size - first + stride - 1) / stride))
    }
    return lines
  }
}

extension Deconvolution.Cut {
  private static let none = sides(left: 0, right: 0, top: 0, bottom: 0)

  /// Upstream ignores a size beside pads, and SAME without a size.
  fileprivate init(_ reader: ParameterReader) throws(ModelError) {
    let width = try reader.integer(20, "output_w", default: 0, in: 0...1 << 20)
    let height = try reader.integer(21, "output_h", default: width, in: 0...1 << 20)
    let size = width > 0 && height > 0 ? Extent(width: width, height: height) : nil
    let border = try Border(reader, left: 4, top: 14, right: 15, bottom: 16)
    switch border {
    case .none where size != nil:
      throw reader.refusal(
        "output_w \(width) and output_h \(height) without SAME", expected: "pads of -233 or -234")
    case .explicit(let left, let right, let top, let bottom):
      self = .sides(left: left, right: right, top: top, bottom: bottom)
    case .sameUpper, .sameLower:
      self = size.map { .toSize($0, oddPixelFirst: border == .sameLower) } ?? .none
    }
  }
}
