import LibC
import NCNN

extension LSTM: LayerKind {
  /// Rows × numbers of all directions; then the last states and cells, a row for each direction.
  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]] {
    let input = inputs[0]
    let states = [[directions, outputCount], [directions, cellCount]]
    guard input.count == 2, input[1] == inputCount,
      inputs.count == 1 || inputs.dropFirst() == states[...],
      count != 2
    else {
      throw InferenceError(
        .shape, found: "shapes \(inputs), and \(count) outputs",
        expected: "rows of \(inputCount), perhaps with states of \(states), and one output or three"
      )
    }
    return Array(([[input[0], directions * outputCount]] + states).prefix(count))
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]) -> [Tensor] {
    let rows = inputs[0].rows
    var results = [Tensor(shapes[0])]
    var (states, cells): ([Float], [Float]) = ([], [])
    for number in 0..<directions {
      var run = Run(lstm: self, number: number, weights)
      if inputs.count == 3 {
        run.state = Array(inputs[1].values[number * outputCount..<(number + 1) * outputCount])
        run.cell = Array(inputs[2].values[number * cellCount..<(number + 1) * cellCount])
      }
      let isBackward = direction == .backward || number == 1
      for index in 0..<rows {
        let row = isBackward ? rows - 1 - index : index
        run.read(inputs[0].values[row * inputCount..<(row + 1) * inputCount])
        let start = (row * directions + number) * outputCount
        for (column, value) in run.state.enumerated() { results[0].values[start + column] = value }
      }
      states += run.state
      cells += run.cell
    }
    if shapes.count == 3 { results += [Tensor(shapes[1], states), Tensor(shapes[2], cells)] }
    return results
  }

  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost {
    let gates = inputCount + outputCount + (cellCount == outputCount ? 0 : outputCount / 4 + 1)
    let multiplyAdds = work(inputs[0][0], 4 * directions * cellCount, gates)
    return Cost(
      steps: multiplyAdds + work(inputs[0][0], 5 * directions * cellCount, Int(Cost.exponential)),
      multiplyAdds: multiplyAdds, scratchElements: Int64(8 * cellCount + 4 * outputCount))
  }

  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    outputs.map { _ in .wholeInput }
  }

  /// What a direction remembers.
  private struct Run {
    let lstm: LSTM
    let inputWeights: ArraySlice<Float>
    let biases: ArraySlice<Float>
    let stateWeights: ArraySlice<Float>
    let projection: ArraySlice<Float>?
    var state: [Float]
    var cell: [Float]

    init(lstm: LSTM, number: Int, _ weights: [[Float]]) {
      func part(_ array: [Float]) -> ArraySlice<Float> {
        let size = array.count / lstm.directions
        return array[number * size..<(number + 1) * size]
      }
      self.lstm = lstm
      inputWeights = part(weights[0])
      biases = part(weights[1])
      stateWeights = part(weights[2])
      projection = weights.count > 3 ? part(weights[3]) : nil
      state = [Float](repeating: 0, count: lstm.outputCount)
      cell = [Float](repeating: 0, count: lstm.cellCount)
    }

    /// Reads a row: the gates for input, forgetting, output and candidate give the next cell and state.
    mutating func read(_ row: ArraySlice<Float>) {
      let count = lstm.cellCount
      let gates = (0..<4 * count).map { gate in
        let sum = dot(inputWeights, gate, row, startingWith: biases[biases.startIndex + gate])
        return dot(stateWeights, gate, state[...], startingWith: sum)
      }
      func sigmoid(_ x: Float) -> Float { 1 / (1 + exp(-x)) }
      var results: [Float] = []
      for index in 0..<count {
        let (input, forget) = (sigmoid(gates[index]), sigmoid(gates[count + index]))
        cell[index] = forget * cell[index] + input * tanh(gates[3 * count + index])
        results.append(sigmoid(gates[2 * count + index]) * tanh(cell[index]))
      }
      guard let projection else {
        state = results
        return
      }
      state = state.indices.map { dot(projection, $0, results[...], startingWith: 0) }
    }

    /// A row of weights times numbers, added up.
    private func dot(
      _ weights: ArraySlice<Float>, _ row: Int, _ numbers: ArraySlice<Float>,
      startingWith start: Float
    ) -> Float {
      let first = weights.startIndex + row * numbers.count
      return zip(weights[first..<first + numbers.count], numbers).reduce(start) { $0 + $1.0 * $1.1 }
    }
  }
}

/// A kind for rows and columns applied to rows of numbers: H × W stands for H × 1 × W.
struct AlongRows<Kind: SingleOutputKind>: SingleOutputKind {
  let kind: Kind

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs[0].count == 2 else {
      throw InferenceError(.shape, found: "shape \(inputs[0])", expected: "two axes")
    }
    let shape = try kind.outputShape([raised(inputs[0])])
    return shape.count == 3 ? [shape[0], shape[2]] : shape
  }

  private func raised(_ shape: [Int]) -> [Int] {
    shape.count == 2 ? [shape[0], 1, shape[1]] : shape
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let input = Tensor(raised(inputs[0].shape), inputs[0].values)
    return Tensor(shape, try kind.apply([input], weights: weights, shape: raised(shape)).values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    kind.cost(inputs: [raised(inputs[0])], output: raised(output))
  }
}
