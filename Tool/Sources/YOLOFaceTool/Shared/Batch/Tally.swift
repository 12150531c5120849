// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceFormatting
import YOLOFaceReport

/// Counts the pictures of a batch, measures its rate and shows its progress.
struct Tally {
  private(set) var failed = 0
  private var searched = 0
  /// Pictures done by an earlier run.
  private(set) var held = 0
  private var faces = 0
  /// Pictures in which a larger input would probably show more faces, by what says so, and that input.
  private var hinted: [SearchHint.Reason: Int] = [:]
  private var longSide = 0
  /// How many pictures are enlarged because the user asked for it, and how many times at most.
  private var enlarged: (pictures: Int, most: Double) = (0, 1)
  /// How many pictures have each remark, the first of them, and what is particular to it.
  private var remarked: [PictureRemark: (count: Int, first: String)] = [:]
  private var coverage = HidingCoverage()
  private let pictures: PictureQueue
  private let progress: Progress?
  private let start = ContinuousClock.now
  private var nextShow = ContinuousClock.now
  /// The number of pictures that may be looked up to find out how many there are.
  private var horizon = 0

  init(_ pictures: PictureQueue, _ progress: Progress?) {
    self.pictures = pictures
    self.progress = progress
  }

  mutating func add(_ result: PictureResult) {
    searched += 1
    faces += result.faces.count
    for (remark, detail) in result.remarks {
      let image = result.report.image
      remarked[remark, default: (0, detail.isEmpty ? image : "\(image): \(detail)")].count += 1
    }
    if let enlargement = result.enlargement {
      enlarged = (enlarged.pictures + 1, max(enlarged.most, enlargement))
    }
    if let scale = result.scale {
      let size = Size2D(width: Double(result.report.width), height: Double(result.report.height))
      coverage.add(size, scale: scale)
    }
    if let hint = result.hint {
      hinted[hint.reason, default: 0] += 1
      longSide = max(longSide, hint.longSide)
    }
    show()
  }

  mutating func addHeld(hasFailed: Bool) {
    if hasFailed { failed += 1 } else { held += 1 }
    show()
  }

  mutating func addFailure() {
    failed += 1
    clear()
  }

  var count: Int { searched + failed + held }

  func clear() { progress?.clear() }

  var summary: String {
    "\(counted(count, "picture")): \(searched) searched, \(counted(faces, "face"))"
      + (failed > 0 ? ", \(failed) failed" : "")
      + (held > 0 ? ", \(held) done before" : "")
      + ", \(fixed(elapsed, decimals: 1)) s, \(fixed(rate, decimals: 1)) pictures/s"
  }

  var hint: String? {
    if hinted.isEmpty { return nil }
    var said: [String] = []
    if let count = hinted[.manyAreSmall] {
      said.append(
        "\(counted(count, "picture")) \(count == 1 ? "has" : "have") many faces near the smallest size that is found"
      )
    }
    if let count = hinted[.isMuchShrunk] {
      said.append(
        "\(counted(count, "picture")) \(count == 1 ? "is" : "are") shrunk to less than a sixth, so that small faces "
          + "may be missed")
    }
    return said.joined(separator: "; ") + "; --long-side \(longSide) or --thorough may find more"
  }

  /// What to do where a detector of a family, which may be fed otherwise than its authors do, finds no face at all.
  func advice(on detector: FaceDetector) -> String? {
    guard searched > 0, faces == 0, let family = detector.recipe.family?.family,
      family != .yolo5Face
    else { return nil }
    return
      "\(family.name) finds nothing: networks of a family differ in how they are fed. `yoloface inspect --recipe` "
      + "prints what is assumed, and --recipe takes it corrected"
  }

  var enlargement: String? {
    guard enlarged.pictures > 0 else { return nil }
    func whole(_ number: Double) -> Int { Int(number.rounded(.up)) }
    return "--long-side enlarges \(counted(enlarged.pictures, "picture")), up to "
      + "\(whole(enlarged.most)) times: that shows no more detail, and takes up to "
      + "\(whole(enlarged.most * enlarged.most)) times as long"
  }

  var coverageOfHiding: String? { coverage.text }

  var remarks: [String] {
    PictureRemark.allCases.compactMap { remark in
      remarked[remark].map { remark.text($0.count, first: $0.first) }
    }
  }

  private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

  private var rate: Double { Double(searched + failed) / max(elapsed, 1e-9) }

  private mutating func show() {
    guard let progress, progress.isShown, ContinuousClock.now >= nextShow else { return }
    nextShow = ContinuousClock.now + .milliseconds(100)
    // A few at a time, so that no result waits while a large tree is walked.
    horizon += 1000
    guard let total = pictures.total(atMost: horizon) else {
      return progress.show("\(counted(count, "picture")), \(fixed(rate, decimals: 1))/s")
    }
    let left = duration(rate > 0 ? Double(total - count) / rate : 0)
    progress.show("\(count) of \(total) pictures, \(fixed(rate, decimals: 1))/s, \(left) left")
  }
}

/// A duration in readable units: 2 h 5 min, 3 min 20 s, 12 s.
func duration(_ seconds: Double) -> String {
  let seconds = Int(min(max(seconds, 0), 1e9).rounded())
  let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
  if hours > 0 { return "\(hours) h \(minutes) min" }
  return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
}
