// SPDX-License-Identifier: Apache-2.0

/// The cost of computing a layer.
///
/// Each number stays below 2⁶², since a shape has less than 2³¹ elements, a layer at most 2²⁸
/// weights, and a file fewer than 2²³ bytes.
package struct Cost {
  /// The approximate number of multiply-adds; moving an element counts as one.
  package var steps: Int64 = 0
  /// Those of them that multiply by a weight.
  package var multiplyAdds: Int64 = 0
  /// Elements of a copy that exists only while the layer is computed.
  package var scratchElements: Int64 = 0

  /// The steps that an exponential, a logarithm or an angle counts as.
  static let exponential: Int64 = 16

  /// The same number of steps for each element of an output.
  static func perElement(of output: [Int], steps: Int64 = 1) -> Cost {
    Cost(steps: product(output) * steps)
  }
}
