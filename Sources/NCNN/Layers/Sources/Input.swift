// SPDX-License-Identifier: Apache-2.0

/// Blobs that the caller gives. Their shape may be declared in the file, as ncnn's w, h, d and c.
public struct DeclaredShape: LayerKind, Hashable {
  /// The sizes from the outermost axis in: `[w]`, `[h, w]`, `[c, h, w]` or `[c, d, h, w]`; empty
  /// where the file leaves the shape open.
  public let sizes: [Int]
  /// The channels where the file gives them, even if it leaves rows and columns open.
  public let channels: Int?

  init(_ reader: ParameterReader) throws(ModelError) {
    // A size of 0 or −1 means that it is known only at run time.
    let range = -1...Limits.integerParameter
    let width = try reader.integer(0, "w", default: 0, in: range)
    let height = try reader.integer(1, "h", default: 0, in: range)
    let depth = try reader.integer(11, "d", default: 0, in: range)
    let channels = try reader.integer(2, "c", default: 0, in: range)
    self.channels = channels > 0 ? channels : nil
    switch (width > 0, height > 0, depth > 0, channels > 0) {
    case (true, true, true, true): sizes = [channels, depth, height, width]
    case (true, true, false, true): sizes = [channels, height, width]
    case (true, true, false, false): sizes = [height, width]
    case (true, false, false, false): sizes = [width]
    default: sizes = []
    }
  }

  package var traits: LayerTraits { LayerTraits(inputs: 0...0, outputs: 1...Int.max) }

  package var attributes: [LayerAttribute]? { [] }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .input }

  /// The shapes as the caller gives them, or else the declared one; empty where there is neither, which not all may be.
  ///
  /// - Parameter inputs: for each blob the caller's, or an empty one.
  package func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]] {
    let shapes = inputs.map { $0.isEmpty ? sizes : $0 }
    guard !shapes.allSatisfy({ $0.isEmpty }) else {
      throw InferenceError(.input, found: "no shape for the input", expected: "a shape")
    }
    return shapes
  }

  /// What the caller gives counts as an input.
  package func apply(_ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]) -> [Tensor] { inputs }

  package func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost { Cost() }

  package func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    outputs.map { $0.count > 1 ? .pixels : .wholeInput }
  }
}
