// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceKernels

@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

struct ByteActivationTests {
  /// Activations, and what they are.
  private static let activations: [(VectorActivation, @Sendable (Double) -> Double)] = [
    (.swish, { $0 / (1 + exp(-$0)) }),
    (.sigmoid, { 1 / (1 + exp(-$0)) }),
    (.clip(minimum: -1, maximum: 6), { max(-1, min($0, 6)) }),
    (.hardSigmoid(alpha: 0.2, beta: 0.5), { max(0, min(0.2 * $0 + 0.5, 1)) }),
  ]

  @Test(arguments: activations.indices, [Float(1), 2.1, 6.35, 21, 42, 120])
  func aCurveIsOffByAStepNextToTiesOnly(_ index: Int, _ scale: Float) throws {
    let (kind, function) = Self.activations[index]
    let activation = try #require(ByteActivation(kind, scale: scale))
    let curve = try #require(activation.curve)
    let bytes = curve.bytes
    var smallest = 127
    for number in stride(from: -300.0, through: 300, by: 0.0037) {
      let place = ((number - activation.center) * activation.factor).rounded()
      let result = bytes.withUnsafeBufferPointer { bytes in
        ByteCurve.result(
          at: Int16(max(-32768, min(place, 32767))), of: bytes.baseAddress.unsafelyUnwrapped)
      }
      let integer = Int(result) + Int(activation.smallest)
      smallest = min(smallest, integer)
      let exact = max(-127, min(function(number) * Double(scale), 127))
      try #require(
        abs(Double(integer) - exact) < 1, "\(kind) at \(number), scale \(scale): \(exact)")
    }
    #expect(smallest == Int(activation.smallest))
  }

  /// A corner within a line, a slope that shows only far from 0, and a function that turns back there.
  @Test(arguments: [
    (VectorActivation.leakyReLU(slope: 0.1), Float(21)), (.leakyReLU(slope: 0.0009), 1),
    (.hardSwish(alpha: -1e-5, beta: 1), 1),
  ])
  func someHaveNoCurve(_ kind: VectorActivation, _ scale: Float) {
    #expect(ByteActivation(kind, scale: scale) == nil)
  }

  /// As the kernels clip: the maximum prevails.
  @Test func boundsInTheWrongOrderAreTheMaximum() throws {
    let activation = try #require(ByteActivation(.clip(minimum: 1, maximum: 0.5), scale: 100))
    #expect(activation.smallest == 50)
  }

  @Test func aReLUNeedsNoCurve() throws {
    let activation = try #require(ByteActivation(.relu, scale: 21))
    #expect(activation.curve == nil && activation.smallest == 0)
    #expect(activation.factor == 21 && activation.center == 0)
  }
}
