import Foundation
@testable import NCNN
import TestSupport
import Testing

/// Random networks of blobs with one to four axes, and of sizes that are computed from those of other blobs,
/// against upstream ncnn, whose outputs `Fixtures/make_random_shapes.py` recorded.
@Suite struct RandomShapesTests {
  static let recording = Result { try RecordedNetwork.read("RandomShapes") }

  @Test(arguments: 0..<Rounds.few(40, of: 300)) func agreesWithUpstream(number: Int) throws {
    try Self.recording.get()[number].requireAgreement(number: number, within: 5e-5)
  }
}
