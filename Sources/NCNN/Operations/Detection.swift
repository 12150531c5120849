/// Parameters of PriorBox, the boxes of SSD (Liu et al., 2016) around each pixel of the first input.
public struct PriorBox: Hashable, Sendable {
  /// The sides of squares; in `Form.relative`, relative to the picture's height.
  public var smallSizes: [Float]
  /// For each of them, a larger side: there is a square of their geometric mean.
  public var largeSizes: [Float]
  /// Widths divided by heights of further boxes of each size.
  public var aspectRatios: [Float]
  /// What detections multiply differences by: of x, y, width and height.
  public var variances: [Float]
  /// Whether each further box is also turned by 90°.
  public var flips: Bool
  /// Whether edges are clamped to the picture.
  public var clips: Bool
  /// The picture's width; nil for that of the second input.
  public var imageWidth: Int?
  /// The picture's height; nil for that of the second input.
  public var imageHeight: Int?
  /// The distance between neighbouring boxes; nil for what divides the picture evenly.
  public var stepWidth: Float?
  /// The distance between boxes above each other; nil for what divides the picture evenly.
  public var stepHeight: Float?
  /// Where the first box's centre is, in steps.
  public var offset: Float
  /// Whether steps are rounded up, as in mmdetection.
  public var roundsStepsUp: Bool
  /// Whether the centre is `offset` times a step less one, as in mmdetection.
  public var takesOneFromSteps: Bool

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
}

/// Parameters of DetectionOutput: SSD's boxes decoded, sorted by their scores and thinned out.
public struct DetectionOutput: Hashable, Sendable {
  /// The number of classes, the background among them; nil where scores come as classes × boxes.
  public var classes: Int?
  /// Of two boxes of a class that overlap by more, the one with the lower score is left out.
  public var overlap: Float
  /// How many boxes of a class are looked at.
  public var mostOfClass: Int
  /// How many boxes there are at most.
  public var mostBoxes: Int
  /// The score that a box must exceed.
  public var threshold: Float
  /// What differences are multiplied by where the boxes come without.
  public var variances: [Float]

  init(_ reader: ParameterReader) throws(ModelError) {
    let classes = try reader.integer(
      0, "num_class", default: 0, in: ParamFormat.placeholder...(1 << 16))
    guard classes == ParamFormat.placeholder || classes > 0 else {
      throw reader.refusal("num_class \(classes)", expected: "a number, or -233")
    }
    self.classes = classes > 0 ? classes : nil
    let counts = 1...(1 << 16)
    overlap = try reader.real(1, "nms_threshold", default: 0.05)
    mostOfClass = try reader.integer(2, "nms_top_k", default: 300, in: counts)
    mostBoxes = try reader.integer(3, "keep_top_k", default: 100, in: counts)
    threshold = try reader.real(4, "confidence_threshold", default: 0.5)
    variances = [
      try reader.real(5, "variance", default: 0.1), try reader.real(6, "variance", default: 0.1),
      try reader.real(7, "variance", default: 0.2), try reader.real(8, "variance", default: 0.2),
    ]
  }
}

/// Parameters of YoloDetectionOutput and Yolov3DetectionOutput: maps of cells decoded, sorted by their scores
/// and thinned out.
public struct YoloDetectionOutput: Hashable, Sendable {
  /// The number of classes.
  public var classes: Int
  /// The boxes of each cell of a map.
  public var boxes: Int
  /// The score that a box must reach.
  public var threshold: Float
  /// Of two boxes that overlap by more, the one with the lower score is left out.
  public var overlap: Float
  /// Width and height of each kind of box: in cells or, with `strides`, in pixels.
  public var anchors: [Anchor]
  /// For each map and box, its kind.
  public var kinds: [Int]
  /// For each map, the pixels of a cell; empty for the second version, whose scores are a softmax.
  public var strides: [Float]

  /// The width and the height of a kind of box.
  public struct Anchor: Hashable, Sendable {
    /// The width.
    public var width: Float
    /// The height.
    public var height: Float
  }

  init(_ reader: ParameterReader, version: Int) throws(ModelError) {
    classes = try reader.integer(0, "num_class", default: 20, in: 1...(1 << 16))
    boxes = try reader.integer(1, "num_box", default: 5, in: 1...(1 << 10))
    threshold = try reader.real(2, "confidence_threshold", default: 0.01)
    overlap = try reader.real(3, "nms_threshold", default: 0.45)
    let sizes = try reader.reals(4, "biases")
    anchors = stride(from: 0, to: sizes.count - 1, by: 2).map {
      Anchor(width: sizes[$0], height: sizes[$0 + 1])
    }
    strides = version == 3 ? try reader.reals(6, "anchors_scale") : []
    let given = version == 3 ? try reader.reals(5, "mask") : (0..<boxes).map { Float($0) }
    let count = anchors.count
    kinds = given.compactMap { Int(exactly: $0) }.filter { (0..<count).contains($0) }
    guard kinds.count == given.count, kinds.count % boxes == 0, !kinds.isEmpty,
      version != 3 || strides.count >= kinds.count / boxes
    else {
      throw reader.refusal(
        "\(count) biases, \(given.count) masks and \(strides.count) scales",
        expected: "a mask for each of \(boxes) boxes of each map, which names a bias, and its scale"
      )
    }
  }
}
