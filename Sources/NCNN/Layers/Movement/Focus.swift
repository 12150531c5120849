// SPDX-License-Identifier: Apache-2.0

/// Every second pixel as channels of its own: C × H × W becomes 4 · C × H/2 × W/2, of even rows and columns, odd rows,
/// odd columns, and both.
///
/// YOLOX and early YOLOv5 begin with it; ncnn has it as a custom layer, `YoloV5Focus`.
struct Focus: GatheringKind, Hashable {
  var traits: LayerTraits { LayerTraits(fourAxes: nil, movement: .rearranges) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3, input[1] % 2 == 0, input[2] % 2 == 0, input[0] <= Int(Int32.max) / 4
    else {
      throw .shape("shape \(input)", expected: "three axes, of even rows and columns")
    }
    return [4 * input[0], input[1] / 2, input[2] / 2]
  }

  func places(_ input: [Int], shape: [Int]) -> [[Int]] {
    let (rows, columns) = (input[1], input[2])
    let channels = (0..<shape[0]).map { index in
      let (part, channel) = index.quotientAndRemainder(dividingBy: input[0])
      return (channel * rows + part % 2) * columns + part / 2
    }
    return [
      channels, (0..<shape[1]).map { 2 * $0 * columns }, (0..<shape[2]).map { 2 * $0 },
    ]
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    let pairs = PixelWindows.Reading.window(of: 2, stride: 2, borderBefore: 0)
    return .windows(rows: pairs, columns: pairs)
  }
}
