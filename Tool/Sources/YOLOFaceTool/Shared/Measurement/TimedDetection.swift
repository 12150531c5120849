import Inference
import YOLOFace

/// The time of each part of one detection, from a picture in memory to its faces.
///
/// The clock is read once where one part ends and the next begins. The only time not covered is
/// that between the letterboxed picture and the network's first step, in which the plan is looked
/// up.
struct TimedDetection {
  /// Resizing and padding the picture.
  var letterboxing: Duration
  /// The network's steps in the order in which they ran.
  var steps: [StepTime]
  /// From the network's outputs to candidates.
  var decoding: Duration
  /// From candidates to faces in the picture.
  var suppression: Duration
  /// From the beginning of the first part to the end of the last.
  var whole: Duration

  /// The network's steps together.
  var network: Duration { steps.reduce(.zero) { $0 + $1.time } }

  /// Detects faces once in a picture.
  ///
  /// - Throws: as `FaceDetector.detect`.
  init(
    in image: RGBImage, _ letterbox: Letterbox, by detector: FaceDetector,
    options: DetectionOptions
  ) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let input = try image.letterboxed(letterbox, filter: options.resizeFilter)
    let letterboxed = clock.now
    try self.init(of: input, letterbox, by: detector, options: options)
    letterboxing = letterboxed - start
    whole = clock.now - start
  }

  /// Detects faces once in a picture that is letterboxed already.
  ///
  /// - Throws: as `FaceDetector.detect`.
  init(
    of input: RGBImage, _ letterbox: Letterbox, by detector: FaceDetector,
    options: DetectionOptions
  ) throws {
    let clock = ContinuousClock()
    var steps: [StepTime] = []
    steps.reserveCapacity(256)
    let start = clock.now
    var networkEnd = start
    let candidates = try detector.candidates(in: input, options: options) { step in
      steps.append(step)
      networkEnd = clock.now
    }
    let decoded = clock.now
    _ = options.faces(among: candidates, in: letterbox)
    let end = clock.now
    letterboxing = .zero
    self.steps = steps
    decoding = decoded - networkEnd
    suppression = end - decoded
    whole = end - start
  }
}
