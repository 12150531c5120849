import Files
import Inference
import LibC
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

extension RGBImage {
  /// A picture of smooth gradients with noise, the same in every run.
  static func pattern(width: Int, height: Int) -> RGBImage {
    var image = RGBImage(width: width, height: height)
    var state: UInt32 = 1
    for y in 0..<height {
      for x in 0..<width {
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = UInt8(state >> 27)
        image[x, y] = Color(
          red: UInt8(x * 223 / width) + noise, green: UInt8(y * 223 / height) + noise,
          blue: UInt8((x + y) % 224) + noise)
      }
    }
    return image
  }
}

func processorName() -> String {
  #if os(Linux)
    let lines = (try? readPseudoFile("/proc/cpuinfo"))?.split(separator: "\n") ?? []
    let line = lines.first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last.map { $0.drop { $0 == " " } }.map(String.init)
      ?? "unknown processor"
  #else
    var size = 0
    sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
    var name = [CChar](repeating: 0, count: max(size, 1))
    sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0)
    return String(cString: name)
  #endif
}
