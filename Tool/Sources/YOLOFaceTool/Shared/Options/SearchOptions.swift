import ArgumentParser
import YOLOFace

/// The options that say how faces are detected, and with how many threads.
struct SearchOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("imgsz")],
    help: """
      The picture's long side in the network's input, a multiple of 32. (default: 640, or \(HidingSearch.longSide) \
      for anonymise without --tiles or --thorough, or the model's only size)
      """)
  var longSide: Int?

  @Option(
    name: [.long, .customLong("conf")],
    help: """
      Leave out faces with a lower score, 0 to 1. (default: 0.5; \(HidingSearch.score) for anonymise, but \
      \(HidingSearch.smallFaceScore) for small faces, or \(HidingSearch.closeScore) with --tiles or --thorough; \
      0.02 for evaluate)
      """)
  var scoreThreshold: Float?

  @Option(
    name: [.long, .customLong("iou")],
    help: """
      Of boxes that overlap with a higher IoU, 0 to 1, keep only the best. Several looks (--thorough, \
      --tiles, --rotations 4) keep none above \(SearchEffort.largestOverlap).
      """)
  var iouThreshold = 0.45

  @Option(
    help: "Threads that share the work, 1 to 256; by default one for each processor, up to 8.")
  var threads = min(processorCount(), 8)

  func validate() throws {
    try requireLongSide(longSide)
    if let scoreThreshold, !(0...1).contains(scoreThreshold) {
      throw ValidationError("--score-threshold \(scoreThreshold): give a number from 0 to 1.")
    }
    guard (0...1).contains(iouThreshold) else {
      throw ValidationError("--iou-threshold \(iouThreshold): give a number from 0 to 1.")
    }
    try requireThreads(threads)
  }

  /// The options as a detector takes them.
  ///
  /// - Parameters:
  ///   - space: the view of the picture, which sets the orientation; nil for upright.
  ///   - usual: what holds where no option says otherwise.
  ///   - closely: how closely the picture is searched; nil for one look.
  func detection(
    in space: ViewSpace? = nil, usual: DetectionOptions = DetectionOptions(),
    closely: EffortOptions? = nil
  ) -> DetectionOptions {
    var options = usual
    if let longSide { options.letterbox = .longSide(longSide) }
    if let scoreThreshold {
      options.scoreThreshold = scoreThreshold
      options.smallFaceScoreThreshold = nil
    }
    options.overlapThreshold = iouThreshold
    options.effort = closely?.effort ?? .once
    options.refinesFaces = closely?.refine ?? false
    options.orientation = space?.orientation ?? .up
    return options
  }
}

/// Refuses a `--long-side` that a network's input cannot have.
func requireLongSide(_ longSide: Int?) throws {
  guard let longSide else { return }
  guard (32...Letterbox.maximumInputSide).contains(longSide), longSide % 32 == 0 else {
    throw ValidationError(
      "--long-side \(longSide): give a multiple of 32 up to \(Letterbox.maximumInputSide).")
  }
}

/// Refuses a number of `--threads` outside 1 to 256.
func requireThreads(_ threads: Int) throws {
  guard (1...256).contains(threads) else {
    throw ValidationError("--threads \(threads): give a number from 1 to 256.")
  }
}
