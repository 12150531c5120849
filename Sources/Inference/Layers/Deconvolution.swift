import NCNN

extension Deconvolution: SingleOutputKind {
  /// C × H × W → `outputChannels` × H′ × W′. With fewer axes, upstream's results depend on how it
  /// interleaves channels.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3, input[0] == inputChannels else {
      throw InferenceError(
        .shape, found: "shape \(input)",
        expected: "three axes, and \(inputChannels) channels, as the weights imply")
    }
    let whole = wholeSize(input)
    let sides = sides(of: whole)
    let rows = whole.rows - sides.top - sides.bottom
    let columns = whole.columns - sides.left - sides.right
    guard sides.top >= 0, sides.left >= 0, rows > 0, columns > 0 else {
      throw InferenceError(
        .shape, found: "shape \(input), \(whole.rows) × \(whole.columns) before it is cut",
        expected: "more pixels than are cut off, and at least as many as are left")
    }
    guard Int(exactly: whole.rows) != nil, Int(exactly: whole.columns) != nil,
      let rows = Int(exactly: rows), let columns = Int(exactly: columns)
    else {
      throw InferenceError(.limit, found: "\(rows) × \(columns)", expected: "sizes that fit an Int")
    }
    return [outputChannels, rows, columns]
  }

  /// Rows and columns of all windows together; in 64 bits, which a blob's size times a stride fits.
  private func wholeSize(_ input: [Int]) -> (rows: Int64, columns: Int64) {
    func size(_ count: Int, _ side: (Extent) -> Int) -> Int64 {
      Int64(count - 1) * Int64(side(stride))
        + Int64(side(dilation)) * Int64(side(kernel) - 1) + 1
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

  /// output[o][y][x] = activation(bias[o] + Σ weight[o][i][ky][kx] · input[i][v][u]) over all pixels
  /// with v·s + ky·d − top = y and u·s + kx·d − left = x.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let sides = sides(of: wholeSize(input.shape))
    let inputsPerGroup = inputChannels / group
    let outputsPerGroup = outputChannels / group
    var result = Tensor(shape)
    for y in 0..<shape[1] {
      let rows = taps(at: y + Int(sides.top), over: input.rows, { $0.height })
      for x in 0..<shape[2] {
        let columns = taps(at: x + Int(sides.left), over: input.columns, { $0.width })
        // Where no window falls, there is nothing to add, whatever the number of channels.
        let addedInputs = rows.isEmpty || columns.isEmpty ? 0 : inputsPerGroup
        for output in 0..<outputChannels {
          let firstInput = output / outputsPerGroup * inputsPerGroup
          var sum = hasBias ? weights[1][output] : 0
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
          result.values[(output * shape[1] + y) * shape[2] + x] = activation.apply(sum)
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
    (0..<side(kernel)).compactMap { sample in
      let start = position - sample * side(dilation)
      let (source, rest) = start.quotientAndRemainder(dividingBy: side(stride))
      return start >= 0 && rest == 0 && source < size ? (sample, source) : nil
    }
  }

  /// The products of all windows, whether cut off or not, and the search for them.
  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let multiplyAdds = product(inputs[0].suffix(2)) * Int64(weightCount)
    let pixels = product(output.suffix(2))
    return Cost(
      steps: multiplyAdds + product(output) * activation.steps + pixels * Int64(kernel.width)
        + Int64(output[1]) * Int64(kernel.height), multiplyAdds: multiplyAdds)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    let sides = sides(of: wholeSize(inputs[0]))
    func reading(_ side: (Extent) -> Int, cut: Int64) -> PixelWindows.Reading {
      let (stride, span) = (side(stride), side(dilation) * (side(kernel) - 1))
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
