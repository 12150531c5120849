import NCNN

/// What it takes to compute a layer.
///
/// Each number stays below 2⁶², since a shape has less than 2³¹ elements, a layer at most 2²⁸
/// weights, and a file fewer than 2²³ bytes.
struct Cost {
  /// About how many multiply-adds; an element that is only moved counts as one.
  var steps: Int64 = 0
  /// The multiplications with weights among them.
  var multiplyAdds: Int64 = 0
  /// Elements of the copy that exists only while the layer is computed.
  var scratchElements: Int64 = 0

  /// The steps of an exponential, a logarithm or an angle.
  static let exponential: Int64 = 16

  /// The same number of steps for each element of an output.
  static func perElement(of output: [Int], steps: Int64 = 1) -> Cost {
    Cost(steps: product(output) * steps)
  }
}

extension Activation {
  /// The steps of one element.
  var steps: Int64 { self == .sigmoid || self == .mish ? Cost.exponential : 1 }
}
