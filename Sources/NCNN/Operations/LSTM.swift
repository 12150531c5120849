/// Parameters of LSTM (Hochreiter and Schmidhuber, 1997): rows read one after the other.
///
/// Inputs are the rows and, perhaps, the first state and cell of each direction; outputs are the results
/// and, perhaps, the last state and cell.
public struct LSTM: Hashable, Sendable {
  /// The order in which rows are read, numbered as in ncnn.
  public enum Direction: Int, Hashable, Sendable {
    /// From the first row.
    case forward = 0
    /// From the last row.
    case backward
    /// In both orders; the results stand side by side.
    case both
  }

  /// The numbers of a result of one direction.
  public var outputCount: Int
  /// The numbers of a cell.
  public var cellCount: Int
  /// The numbers of a row of the input.
  public var inputCount: Int
  /// The order in which rows are read.
  public var direction: Direction
  /// The number of directions.
  public var directions: Int { direction == .both ? 2 : 1 }

  init(_ reader: ParameterReader) throws(ModelError) {
    try reader.requireUnused(8, "int8_scale_term")
    let sizes = 1...(1 << 20)
    outputCount = try reader.integer(0, "num_output", default: 0, in: sizes)
    cellCount = try reader.integer(3, "hidden_size", default: outputCount, in: sizes)
    let number = try reader.integer(2, "direction", default: 0, in: 0...2)
    direction = Direction(rawValue: number) ?? .forward
    let count = try reader.integer(
      1, "weight_data_size", default: 0, in: 1...Limits.integerParameter)
    let cells = 4 * cellCount * (number == 2 ? 2 : 1)
    guard count % cells == 0, let states = checkedProduct(cells, outputCount),
      states <= Limits.integerParameter
    else {
      throw reader.refusal(
        "weight_data_size \(count), num_output \(outputCount) and hidden_size \(cellCount)",
        expected: "four rows of weights for each number of a cell")
    }
    inputCount = count / cells
  }

  var traits: OperationTraits {
    let gates = directions * 4 * cellCount
    var requests = [
      WeightRequest("input weights", shape: [gates, inputCount], isTagged: true),
      WeightRequest("bias", shape: [gates], isTagged: true),
      WeightRequest("state weights", shape: [gates, outputCount], isTagged: true),
    ]
    if cellCount != outputCount {
      requests.append(
        WeightRequest(
          "projection", shape: [directions * outputCount, cellCount], isTagged: true))
    }
    return OperationTraits(inputs: 1...3, outputs: 1...3, weights: requests)
  }
}
