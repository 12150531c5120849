// SPDX-License-Identifier: Apache-2.0

/// The boxes of SSD (Liu et al., 2016) around each pixel of the first input; only sizes are read.
///
/// The result has two rows: the edges of the boxes, relative to the picture, and their variances.
/// Without a second input, or sizes of the picture, boxes are as in MXNet, and there is no second
/// row.
package struct PriorBox: SingleOutputKind, Hashable {
  /// The sides of squares; as in MXNet, relative to the picture's height.
  package let smallSizes: [Float]
  /// For each of them, a larger side, or none: there is a square of their geometric mean.
  let largeSizes: [Float]
  /// Widths divided by heights of further boxes of each size.
  let aspectRatios: [Float]
  /// What detections multiply differences by: of x, y, width and height.
  let variances: [Float]
  /// Whether each further box is also turned by 90°.
  let flips: Bool
  /// Whether edges are clamped to the picture.
  let clips: Bool
  /// The picture's; nil for that of the second input.
  package let imageWidth, imageHeight: Int?
  /// The distance between neighbouring boxes; nil for what divides the picture evenly.
  let stepWidth, stepHeight: Float?
  /// Where the first box's centre is, in steps.
  let offset: Float
  /// Whether steps are rounded up, as in mmdetection.
  let roundsStepsUp: Bool
  /// Whether the centre is `offset` times a step less one, as in mmdetection.
  let takesOneFromSteps: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    let absent = ParamFormat.placeholder
    func size(_ key: Int, _ name: String) throws(ModelError) -> Int? {
      let size = try reader.integer(key, name, default: 0, in: absent...Limits.integerParameter)
      return size == absent ? nil : size
    }
    func step(_ key: Int, _ name: String) throws(ModelError) -> Float? {
      let step = try reader.real(key, name, default: Float(absent))
      return step == Float(absent) ? nil : step
    }
    smallSizes = try reader.reals(0, "min_sizes")
    largeSizes = try reader.reals(1, "max_sizes")
    aspectRatios = try reader.reals(2, "aspect_ratios")
    variances = [
      try reader.real(3, "variance", default: 0.1), try reader.real(4, "variance", default: 0.1),
      try reader.real(5, "variance", default: 0.2), try reader.real(6, "variance", default: 0.2),
    ]
    flips = try reader.flag(7, "flip", default: true)
    clips = try reader.flag(8, "clip")
    imageWidth = try size(9, "image_width")
    imageHeight = try size(10, "image_height")
    stepWidth = try step(11, "step_width")
    stepHeight = try step(12, "step_height")
    offset = try reader.real(13, "offset", default: 0)
    roundsStepsUp = try reader.flag(14, "step_mmdetection")
    takesOneFromSteps = try reader.flag(15, "center_mmdetection")
    guard !smallSizes.isEmpty, largeSizes.isEmpty || largeSizes.count == smallSizes.count else {
      throw reader.refusal(
        "\(smallSizes.count) min_sizes and \(largeSizes.count) max_sizes",
        expected: "sizes, and as many larger ones or none")
    }
  }

  package var traits: LayerTraits { LayerTraits(inputs: 1...2, fourAxes: nil) }

  package func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (width, height) = size(of: inputs[0])
    let isRelative = isRelative(inputs.count)
    guard isRelative || inputs.count == 2 || imageWidth != nil && imageHeight != nil else {
      throw .shape("one input", expected: "the picture as a second one")
    }
    let boxes = boxes(isRelative: isRelative)
    guard let count = elementCount([width, height, 4 * boxes]) else {
      throw .shape(
        "\(boxes) boxes for each of \(width) × \(height) pixels", expected: "a number that fits")
    }
    return isRelative ? [count] : [2, count]
  }

  /// Whether sizes are relative to the picture, as in MXNet.
  private func isRelative(_ inputs: Int) -> Bool {
    inputs == 1 && imageWidth == nil && imageHeight == nil && largeSizes.isEmpty
  }

  /// The boxes of a pixel.
  private func boxes(isRelative: Bool) -> Int {
    isRelative
      ? smallSizes.count + max(0, aspectRatios.count - 1)
      : smallSizes.count * (1 + (flips ? 2 : 1) * aspectRatios.count) + largeSizes.count
  }

  private func size(of shape: [Int]) -> (width: Int, height: Int) {
    (shape[shape.count - 1], shape.count > 1 ? shape[shape.count - 2] : 1)
  }

  package func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (width, height) = size(of: inputs[0].shape)
    let isRelative = isRelative(inputs.count)
    let picture = isRelative ? (width: 1, height: 1) : size(of: inputs[inputs.count - 1].shape)
    let imageWidth = Float(imageWidth ?? picture.width)
    let imageHeight = Float(imageHeight ?? picture.height)
    func step(_ given: Float?, _ size: Float, _ count: Int) -> Float {
      if roundsStepsUp && !isRelative { return (size / Float(count)).rounded(.up) }
      return given ?? size / Float(count)
    }
    let (across, down) = (step(stepWidth, imageWidth, width), step(stepHeight, imageHeight, height))
    let less: Float = takesOneFromSteps && !isRelative ? 1 : 0
    let sizes = isRelative ? relativeSizes(Float(height) / Float(width)) : absoluteSizes
    return Tensor(appending: shape) { values in
      for y in 0..<height {
        let centerY = offset * (down - less) + Float(y) * down
        for x in 0..<width {
          let centerX = offset * (across - less) + Float(x) * across
          for (boxWidth, boxHeight) in sizes {
            values.append((centerX - boxWidth / 2) / imageWidth)
            values.append((centerY - boxHeight / 2) / imageHeight)
            values.append((centerX + boxWidth / 2) / imageWidth)
            values.append((centerY + boxHeight / 2) / imageHeight)
          }
        }
      }
      if clips { for index in values.indices { values[index] = min(max(values[index], 0), 1) } }
      if !isRelative { for index in values.indices { values.append(variances[index % 4]) } }
    }
  }

  private var absoluteSizes: [(Float, Float)] {
    smallSizes.enumerated().flatMap { index, size in
      let middle = largeSizes.isEmpty ? [] : [(size * largeSizes[index]).squareRoot()]
      return ([size] + middle).map { ($0, $0) }
        + aspectRatios.flatMap { ratio in
          let box = (size * ratio.squareRoot(), size / ratio.squareRoot())
          return flips ? [box, (box.1, box.0)] : [box]
        }
    }
  }

  private func relativeSizes(_ aspect: Float) -> [(Float, Float)] {
    smallSizes.map { ($0 * aspect, $0) }
      + aspectRatios.dropFirst().map {
        (smallSizes[0] * aspect * $0.squareRoot(), smallSizes[0] / $0.squareRoot())
      }
  }

  package func reading(inputs: [[Int]], output: [Int]) -> CellReading { .nothing }
}
