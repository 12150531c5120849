import TestSupport
import Testing

/// Random networks of int8 and float layers against upstream ncnn, whose outputs
/// `Fixtures/make_random_int8.py` recorded.
@Suite struct RandomInt8Tests {
  static let recording = Result { try RecordedNetwork.read("RandomInt8") }

  @Test(arguments: 0..<Rounds.few(60, of: 300)) func agreesWithUpstream(number: Int) throws {
    let recorded = try Self.recording.get()[number]
    try recorded.requireAgreement(number: number, within: recorded.takesCurves ? 0.05 : 5e-5)
  }
}

extension RecordedNetwork {
  /// Whether the engine may take an activation between two int8 layers from a `ByteCurve`, which is off
  /// by a step of int8 here and there.
  fileprivate var takesCurves: Bool {
    ["Swish", "Sigmoid", "HardSwish", "HardSigmoid", "Clip", " 9="].contains { param.contains($0) }
  }
}
