// SPDX-License-Identifier: Apache-2.0

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): the
/// same numbers in every run.
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  package mutating func choice<Element>(_ elements: [Element]) -> Element {
    elements[integer(0...elements.count - 1)]
  }

  /// A number in [−2, 2].
  package mutating func float() -> Float { Float.random(in: -2...2, using: &self) }

  /// Numbers in [−2, 2].
  package mutating func floats(_ count: Int) -> [Float] { (0..<count).map { _ in float() } }
}
