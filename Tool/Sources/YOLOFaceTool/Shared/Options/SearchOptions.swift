// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace

struct FaceSearchOptions: ParsableArguments {
  @OptionGroup(visibility: .hidden) var model: ModelOptions
  @OptionGroup(title: "How faces are searched for") var looks: SearchOptions
  @OptionGroup(title: "How closely") var closely: EffortOptions

  /// - Parameter threads: nil for as many as were asked for.
  func detector(threads: Int? = nil) throws -> FaceDetector {
    try model.detector(threads: threads ?? looks.threads, longSide: looks.longSide)
  }
}

struct SearchOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("imgsz")], parsing: .unconditional,
    help: """
      The picture's long side in the network's input, a multiple of 32: larger finds smaller faces, and takes \
      longer. (default: 640 or the model's own size, unless said above)
      """)
  var longSide: Int?

  @Option(
    name: [.long, .customLong("conf")], parsing: .unconditional,
    help: "Leave out faces with a lower score, 0 to 1. (default: 0.5 unless said above)")
  var scoreThreshold: Float?

  @Option(
    name: [.long, .customLong("iou")], parsing: .unconditional,
    help: ArgumentHelp(
      """
      Of boxes that overlap with a higher IoU, 0 to 1, keep only the best. Several looks (--thorough, \
      --tiles, --rotations 4) keep none above \(SearchEffort.largestOverlap).
      """, visibility: .hidden))
  var iouThreshold = usualOverlap

  private static let usualOverlap = 0.45

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Threads that share the work, \(threadCounts.words); by default one for each processor, up to 8.",
      visibility: .hidden))
  var threads = min(processorCount, 8)

  func validate() throws {
    try requireLongSide(longSide)
    try requireNumber("--score-threshold", scoreThreshold, in: 0...1)
    try requireNumber("--iou-threshold", iouThreshold, in: 0...1)
    try requireNumber("--threads", threads, in: threadCounts)
  }

  var isAboutScores: Bool {
    longSide != nil || scoreThreshold != nil || iouThreshold != Self.usualOverlap
  }

  /// How many times as large as a picture the long side that was asked for is, if at least twice.
  func enlargement(of image: RGBImage) -> Double? {
    let factor = longSide.map { Double($0) / Double(max(image.width, image.height)) }
    return factor.flatMap { $0 < 2 ? nil : $0 }
  }

  /// The options as a detector takes them. The view of the picture sets the orientation; `usual` holds where no option
  /// says otherwise.
  func detection(
    in space: ViewSpace? = nil, usual: DetectionOptions = DetectionOptions(),
    effort: SearchEffort? = nil
  ) -> DetectionOptions {
    var options = usual
    if let effort { options.effort = effort }
    if let longSide { options.letterbox = .longSide(longSide) }
    if let scoreThreshold {
      options.scoreThreshold = scoreThreshold
      options.smallFaceScoreThreshold = nil
      options.companyScoreThreshold = nil
      options.crowdScoreThreshold = nil
    }
    options.overlapThreshold = iouThreshold
    options.orientation = space?.orientation ?? .up
    return options
  }
}

/// Refuses a `--long-side` that a network cannot take; before it is known, one that most cannot take.
func requireLongSide(_ longSide: Int?, by style: Letterbox.Style = .yolov5) throws {
  guard let longSide else { return }
  do throws(ValueError) { try style.requireAdmitted(.longSide(longSide)) } catch {
    let advice =
      if let size = style.fixedSize, (1...Letterbox.maximumInputSide).contains(longSide) {
        "the model takes inputs of \(size.width) × \(size.height) only; leave it out."
      } else {
        "give a multiple of \(style.granularity) up to \(Letterbox.maximumInputSide)."
      }
    throw ValidationError("--long-side \(longSide): \(advice)")
  }
}
