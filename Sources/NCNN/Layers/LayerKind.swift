// SPDX-License-Identifier: Apache-2.0

/// A kind of layer: its parameters, what it takes and makes, and its arithmetic, to be read beside ncnn's
/// documentation of operators.
///
/// Each kind is a file below this folder and a line of `layerKinds`. A shape lists its sizes from the outermost
/// axis in.
package protocol LayerKind: Sendable {
  /// What the layer takes, makes and hands on.
  var traits: LayerTraits { get }

  /// What the parameters say, for people to read, such as `kernel` and `3 × 3`; nil for the parameters as the
  /// file has them.
  var attributes: [LayerAttribute]? { get }

  /// What the engine may compute in place of `apply`, for a layer with these weights and a number of inputs.
  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering

  /// The layer that computes in int8; nil where the kind computes in floats.
  ///
  /// - Parameter readsInt8: whether its inputs are int8, see `Int8Blobs.swift`.
  func inInt8(readsInt8: Bool) -> LayerOperation?

  /// The shapes of the outputs, of which there are `count`.
  ///
  /// - Throws: `InferenceError` where the layer cannot work on inputs of these shapes.
  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]]

  /// The outputs, whose shapes have been inferred.
  func apply(
    _ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]
  ) throws(InferenceError) -> [Tensor]

  /// The cost of computing the outputs.
  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost

  /// How the cells of each output read those of the inputs.
  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading]
}

extension LayerKind {
  package var traits: LayerTraits { LayerTraits() }
  package var attributes: [LayerAttribute]? { nil }
  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .plain }
  package func inInt8(readsInt8: Bool) -> LayerOperation? { nil }
}

/// The name of something that a layer's parameters say, and its value.
public typealias LayerAttribute = (name: String, value: String)

/// A kind with one output at most: all but Slice, Split and the recurrent ones.
protocol SingleOutputKind: LayerKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int]
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  func cost(inputs: [[Int]], output: [Int]) -> Cost
  func reading(inputs: [[Int]], output: [Int]) -> CellReading
}

extension SingleOutputKind {
  package func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]] {
    [try outputShape(inputs)]
  }

  package func apply(
    _ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]
  ) throws(InferenceError) -> [Tensor] {
    [try apply(inputs, weights: weights, shape: shapes[0])]
  }

  /// Nothing where the only output is left out.
  package func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost {
    outputs.first.map { cost(inputs: inputs, output: $0) } ?? Cost()
  }

  package func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    outputs.map { reading(inputs: inputs, output: $0) }
  }

  /// A step for each element.
  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

  /// Any element may read all of the inputs.
  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .wholeInput }
}
