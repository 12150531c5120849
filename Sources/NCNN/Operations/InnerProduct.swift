/// Parameters of InnerProduct, a fully connected layer.
///
/// The input's elements, whatever its shape, are one vector of `inputCount`; weights are stored as
/// `outputCount` × `inputCount`. A two-dimensional input with rows of `inputCount` is processed row
/// by row.
public struct InnerProduct: Hashable, Sendable {
  /// Elements of the output.
  public var outputCount: Int
  /// Elements of the input, implied by the number of weights.
  public var inputCount: Int
  /// Whether a bias per output follows the weights.
  public var hasBias: Bool
  /// The activation applied to the result.
  public var activation: Activation
  /// ncnn's int8 scheme: 0 means floating point.
  public var int8ScaleTerm: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    outputCount = try reader.size(0, "num_output")
    hasBias = try reader.flag(1, "bias_term")
    activation = try Activation(reader)
    let weightCount = try reader.size(2, "weight_data_size")
    guard weightCount % outputCount == 0 else {
      throw reader.refusal(
        "weight_data_size \(weightCount)", expected: "a multiple of num_output \(outputCount)")
    }
    inputCount = weightCount / outputCount
    int8ScaleTerm = try reader.int8ScaleTerm(weights: weightCount, outputs: outputCount)
  }

  var weightRequests: [WeightRequest] {
    var requests = [WeightRequest("weights", shape: [outputCount, inputCount], isTagged: true)]
    if hasBias { requests.append(WeightRequest("bias", count: outputCount)) }
    if int8ScaleTerm != 0 {
      requests.append(WeightRequest("weight scales", count: outputCount, areScales: true))
      requests.append(WeightRequest("input scale", count: 1, areScales: true))
    }
    return requests
  }
}
