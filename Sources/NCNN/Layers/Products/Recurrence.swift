// SPDX-License-Identifier: Apache-2.0

/// Rows read one after the other, each of which changes a state: LSTM (Hochreiter and Schmidhuber,
/// 1997), GRU (Cho et al., 2014) and RNN (Elman, 1990).
///
/// Inputs are the rows and, perhaps, the first state of each direction, and of LSTM the first cell;
/// outputs are the results and, perhaps, the last of these. Weights, for each direction: gates ×
/// input, biases, gates × state and, where cells have another size than results, result × cell.
struct Recurrence: LayerKind, Hashable {
  /// How a row changes the state, see `Run.read`.
  enum Unit {
    case lstm, gru, rnn

    /// Rows of weights for each number of a cell.
    var gates: Int { self == .lstm ? 4 : self == .gru ? 3 : 1 }
  }

  /// The order in which rows are read, in ncnn's order; results of both stand side by side.
  enum Direction: CaseIterable {
    case forward, backward, both

    var count: Int { self == .both ? 2 : 1 }
  }

  let unit: Unit
  /// The numbers of a result of one direction.
  let outputCount: Int
  /// The numbers of a cell; other than those of a result in LSTM alone.
  let cellCount: Int
  /// The numbers of a row of the input.
  let inputCount: Int
  let direction: Direction

  init(_ reader: ParameterReader, _ unit: Unit) throws(ModelError) {
    self.unit = unit
    try reader.requireUnused(8, "int8_scale_term")
    let sizes = 1...(1 << 20)
    outputCount = try reader.integer(0, "num_output", default: 0, in: sizes)
    cellCount =
      unit == .lstm
      ? try reader.integer(3, "hidden_size", default: outputCount, in: sizes) : outputCount
    direction = Direction.allCases[try reader.integer(2, "direction", default: 0, in: 0...2)]
    let count = try reader.size(1, "weight_data_size")
    let cells = unit.gates * cellCount * direction.count
    guard count % cells == 0, let states = checkedProduct(cells, outputCount),
      states <= Limits.integerParameter
    else {
      throw reader.refusal(
        "weight_data_size \(count), num_output \(outputCount) and hidden_size \(cellCount)",
        expected: "\(unit.gates) rows of weights for each number of a cell")
    }
    inputCount = count / cells
  }

  var traits: LayerTraits {
    let gates = directions * gateCount
    // The candidate of GRU has two biases: the reset counts for one of them.
    let biases = unit == .gru ? gates + directions * cellCount : gates
    var requests = [
      WeightRequest(name: "input weights", shape: [gates, inputCount], isTagged: true),
      WeightRequest(name: "bias", shape: [biases], isTagged: true),
      WeightRequest(name: "state weights", shape: [gates, outputCount], isTagged: true),
    ]
    if cellCount != outputCount {
      let shape = [directions * outputCount, cellCount]
      requests.append(WeightRequest(name: "projection", shape: shape, isTagged: true))
    }
    let most = unit == .lstm ? 3 : 2
    return LayerTraits(inputs: 1...most, outputs: 1...most, weights: requests, fourAxes: nil)
  }

  private var directions: Int { direction.count }
  /// Rows of weights of one direction.
  private var gateCount: Int { unit.gates * cellCount }

  /// Rows × numbers of all directions; then the last states and, of LSTM, cells, a row for each
  /// direction.
  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]] {
    let input = inputs[0]
    let states = [[directions, outputCount]] + (unit == .lstm ? [[directions, cellCount]] : [])
    guard input.count == 2, input[1] == inputCount,
      inputs.count == 1 || inputs.dropFirst() == states[...],
      count == 1 || count == 1 + states.count
    else {
      throw .shape(
        "shapes \(inputs), and \(count) outputs",
        expected:
          "rows of \(inputCount), perhaps with states of \(states), and as many outputs or one")
    }
    return Array(([[input[0], directions * outputCount]] + states).prefix(count))
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .rows { inputs, shapes, arithmetic in
      apply(inputs, weights: weights, shapes: shapes, by: arithmetic)
    }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]) -> [Tensor] {
    apply(inputs, weights: weights, shapes: shapes, by: .plain)
  }

  private func apply(
    _ inputs: [Tensor], weights: [[Float]], shapes: [[Int]], by arithmetic: RowArithmetic
  ) -> [Tensor] {
    let rows = inputs[0].rows
    var result = Tensor(shapes[0])
    var (states, cells): ([Float], [Float]) = ([], [])
    for number in 0..<directions {
      func part(_ array: [Float]) -> [Float] {
        let size = array.count / directions
        return Array(array[number * size..<(number + 1) * size])
      }
      /// A direction's part of an array of weights, transposed.
      func matrix(_ index: Int, rows: Int, columns: Int) -> Matrix {
        Matrix(
          weights[index], start: number * rows * columns, rows: rows, columns: columns,
          isTransposed: true, isStored: true)
      }
      var run = Run(
        unit: unit, biases: part(weights[1]),
        stateWeights: matrix(2, rows: outputCount, columns: gateCount),
        projection: weights.count == 3
          ? nil : matrix(3, rows: cellCount, columns: outputCount), arithmetic: arithmetic,
        state: [Float](repeating: 0, count: outputCount),
        cell: [Float](repeating: 0, count: cellCount))
      if inputs.count > 1 { run.state = part(inputs[1].values) }
      if inputs.count > 2 { run.cell = part(inputs[2].values) }
      let fromRows = arithmetic.multiply(
        inputs[0].matrix(), matrix(0, rows: inputCount, columns: gateCount),
        Array(run.biases.prefix(gateCount)))
      let isBackward = direction == .backward || number == 1
      for index in 0..<rows {
        let row = isBackward ? rows - 1 - index : index
        run.read(fromRows[row * gateCount..<(row + 1) * gateCount])
        let start = (row * directions + number) * outputCount
        for (column, value) in run.state.enumerated() { result.values[start + column] = value }
      }
      states += run.state
      cells += run.cell
    }
    return [result] + zip(shapes.dropFirst(), [states, cells]).map { Tensor($0, $1) }
  }

  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost {
    let gates = inputCount + outputCount + (cellCount == outputCount ? 0 : outputCount / 4 + 1)
    let multiplyAdds = product([inputs[0][0], directions * gateCount, gates])
    return Cost(
      steps: multiplyAdds
        + product([inputs[0][0], 5 * directions * cellCount, Int(Cost.exponential)]),
      multiplyAdds: multiplyAdds,
      scratchElements: Int64(8 * cellCount + 4 * outputCount)
        + product([gateCount, 3 * inputs[0][0] + inputCount]))
  }

  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    outputs.map { _ in .wholeInput }
  }

  /// What a direction remembers, and its weights.
  private struct Run {
    let unit: Unit
    let biases: [Float]
    let stateWeights: Matrix
    let projection: Matrix?
    let arithmetic: RowArithmetic
    var state: [Float]
    var cell: [Float]

    /// Reads a row's products with the weights, biases included, which give the next cell and state.
    mutating func read(_ row: ArraySlice<Float>) {
      let count = cell.count
      let fromRow = Array(row)
      // Of GRU, the reset scales the candidate's products with the state, which have a bias of their own.
      var start = fromRow
      if unit == .gru { start.replaceSubrange(2 * count..<3 * count, with: biases[(3 * count)...]) }
      let last = Matrix(state, rows: 1, columns: state.count)
      let sums = arithmetic.multiply(last, stateWeights, start)
      func mapped(_ function: Lowering.Function, _ numbers: some Sequence<Float>) -> [Float] {
        var results = Array(numbers)
        arithmetic.map(function, &results)
        return results
      }
      var results: [Float]
      switch unit {
      case .lstm:
        let gates = mapped(.activation(.sigmoid), sums[..<(3 * count)])
        let candidates = mapped(.tanh, sums[(3 * count)...])
        for index in 0..<count {
          cell[index] = gates[count + index] * cell[index] + gates[index] * candidates[index]
        }
        results = mapped(.tanh, cell)
        for index in 0..<count { results[index] *= gates[2 * count + index] }
      case .gru:
        let gates = mapped(.activation(.sigmoid), sums[..<(2 * count)])
        results = mapped(
          .tanh,
          (0..<count).map { fromRow[2 * count + $0] + gates[$0] * sums[2 * count + $0] })
        for (index, update) in gates[count...].enumerated() {
          results[index] = (1 - update) * results[index] + update * state[index]
        }
      case .rnn: results = mapped(.tanh, sums)
      }
      if let projection {
        results = arithmetic.multiply(Matrix(results, rows: 1, columns: count), projection, nil)
      }
      state = results
    }
  }
}
