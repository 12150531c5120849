// SPDX-License-Identifier: Apache-2.0

/// What a network makes of a face by its size, the root of its box's area or its longer side, in pixels of the
/// network's input unless stated.
enum FaceSize {
  /// The smallest faces that a look is expected to find.
  static let smallestFound = 12.0
  /// The largest faces that a look at the whole picture is expected to find.
  static let largestFound = 400.0
  /// Below this, half of the faces and more are missed.
  static let hardlyFound = 20.0
  /// Smaller faces are small: they get lower scores.
  static let small = 32.0
  /// The landmarks of larger faces scatter.
  static let largestSteady = 200.0
  /// Smaller faces, in pixels of the picture, show too little for a second look.
  static let smallestLookedAt = 20.0
}
