// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceInference
import YOLOFaceLibC

/// The time of each part of one look, from a picture in memory to its faces.
///
/// The clock is read once where one part ends and the next begins. The only time not covered is that between the
/// letterboxed picture and the network's first step, in which the plan is looked up.
struct TimedDetection {
  /// The network's, in the order in which they ran.
  let steps: [StepTime]
  /// Resizing and padding the picture, making candidates of the network's outputs, and faces of candidates.
  let letterboxing, decoding, suppression: Duration
  let whole: Duration

  var network: Duration { steps.reduce(.zero) { $0 + $1.time } }

  init(
    of image: RGBImage, by look: Look, with detector: FaceDetector, options: DetectionOptions
  ) throws {
    let clock = ContinuousClock()
    var steps: [StepTime] = []
    steps.reserveCapacity(256)
    let start = clock.now
    var (letterboxed, ran, decoded, end) = (start, start, start, start)
    _ = try detector.faces(in: image, by: look, options: options) { stage in
      switch stage {
      case .letterboxed: letterboxed = clock.now
      case .ran(let step):
        steps.append(step)
        ran = clock.now
      case .decoded: decoded = clock.now
      case .suppressed: end = clock.now
      }
    }
    self.steps = steps
    letterboxing = letterboxed - start
    decoding = decoded - ran
    suppression = end - decoded
    whole = end - start
  }
}

extension FaceDetector {
  /// Says where one look at the whole of a long picture is shown, of which `detect` sees windows.
  func sayParts(of image: RGBImage, named name: String, options: DetectionOptions) throws {
    let parts = try looks(at: image, options: options).count
    guard parts > 1 else { return }
    printError(
      "\(name): one look at the whole picture is shown; detect looks at \(parts) parts of it")
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
        image[x, y] = RGBColor(
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
    let name = lines.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    return name.map { String($0.drop { $0 == " " }) } ?? "unknown processor"
  #else
    var size = 0
    sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
    var name = [CChar](repeating: 0, count: max(size, 1))
    sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0)
    return String(cString: name)
  #endif
}
