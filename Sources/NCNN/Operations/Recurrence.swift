/// Parameters of LSTM (Hochreiter and Schmidhuber, 1997), GRU (Cho et al., 2014) and RNN (Elman, 1990): rows
/// read one after the other.
///
/// Inputs are the rows and, perhaps, the first state of each direction, and of LSTM the first cell; outputs are
/// the results and, perhaps, the last of these.
public struct Recurrence: Hashable, Sendable {
  /// How a row changes the state.
  public enum Unit: Hashable, Sendable {
    /// By gates for input, forgetting and output, and a candidate for the cell behind the state.
    case lstm
    /// By gates for reset and update, and a candidate.
    case gru
    /// By a sum.
    case rnn

    /// Rows of weights for each number of a cell.
    var gates: Int {
      switch self {
      case .lstm: 4
      case .gru: 3
      case .rnn: 1
      }
    }
  }

  /// The order in which rows are read, numbered as in ncnn.
  public enum Direction: Int, Hashable, Sendable {
    /// From the first row.
    case forward = 0
    /// From the last row.
    case backward
    /// In both orders; the results stand side by side.
    case both
  }

  /// How a row changes the state.
  public var unit: Unit
  /// The numbers of a result of one direction.
  public var outputCount: Int
  /// The numbers of a cell; other than those of a result in LSTM alone.
  public var cellCount: Int
  /// The numbers of a row of the input.
  public var inputCount: Int
  /// The order in which rows are read.
  public var direction: Direction
  /// The number of directions.
  public var directions: Int { direction == .both ? 2 : 1 }
  /// Rows of weights of one direction.
  public var gateCount: Int { unit.gates * cellCount }

  init(_ reader: ParameterReader, _ unit: Unit) throws(ModelError) {
    self.unit = unit
    try reader.requireUnused(8, "int8_scale_term")
    let sizes = 1...(1 << 20)
    outputCount = try reader.integer(0, "num_output", default: 0, in: sizes)
    cellCount =
      unit == .lstm
      ? try reader.integer(3, "hidden_size", default: outputCount, in: sizes) : outputCount
    let number = try reader.integer(2, "direction", default: 0, in: 0...2)
    direction = Direction(rawValue: number) ?? .forward
    let count = try reader.size(1, "weight_data_size")
    let cells = unit.gates * cellCount * (number == 2 ? 2 : 1)
    guard count % cells == 0, let states = checkedProduct(cells, outputCount),
      states <= Limits.integerParameter
    else {
      throw reader.refusal(
        "weight_data_size \(count), num_output \(outputCount) and hidden_size \(cellCount)",
        expected: "\(unit.gates) rows of weights for each number of a cell")
    }
    inputCount = count / cells
  }

  var traits: OperationTraits {
    let gates = directions * gateCount
    // The candidate of GRU has two biases: the reset counts for one of them.
    let biases = unit == .gru ? gates + directions * cellCount : gates
    var requests = [
      WeightRequest("input weights", shape: [gates, inputCount], isTagged: true),
      WeightRequest("bias", shape: [biases], isTagged: true),
      WeightRequest("state weights", shape: [gates, outputCount], isTagged: true),
    ]
    if cellCount != outputCount {
      requests.append(
        WeightRequest(
          "projection", shape: [directions * outputCount, cellCount], isTagged: true))
    }
    let most = unit == .lstm ? 3 : 2
    return OperationTraits(inputs: 1...most, outputs: 1...most, weights: requests)
  }
}
