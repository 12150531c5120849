// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceNCNN

extension FamilyRecipe {
  /// Refuses numbers that no detector has, before anything is computed from them.
  func requireBounds() throws(ValueError) {
    func require(_ isFine: Bool, _ key: String, _ expected: String) throws(ValueError) {
      if !isFine { throw ValueError("found another value of \(key), expected \(expected)") }
    }
    try require(
      mean.count == 3 && mean.allSatisfy { (-1e4...1e4).contains($0) }, "mean",
      "three numbers from -10000 to 10000")
    try require(
      (1e-4...1e6).contains(divisor.magnitude), "divisor",
      "a number from 0.0001 to 1000000, or its negative")
    try require(
      divisors.map { $0.count == 3 && $0.allSatisfy { (1e-4...1e6).contains($0.magnitude) } }
        ?? true, "divisors", "three numbers from 0.0001 to 1000000, or their negatives")
    let multiple = size.multiple
    try require((1...1024).contains(multiple), "size.multipleOf", "1 to 1024")
    let longest = Letterbox.maximumInputSide
    switch size {
    case .multiples: break
    case .fixed(let size, _), .usual(let size, _, _):
      try require(
        [size.width, size.height].allSatisfy {
          (1...longest).contains($0) && $0.isMultiple(of: multiple)
        }, "size",
        "sides from 1 to \(longest)" + (multiple > 1 ? ", multiples of \(multiple)" : ""))
    case .area(let area, _):
      try require(
        (1...longest * longest).contains(area), "size.area", "1 to \(longest * longest)")
    }
    try require(
      variances.map { $0.count == 2 && $0.allSatisfy { (1e-4...1e4).contains($0) } } ?? true,
      "variances", "two numbers from 0.0001 to 10000")
    try require(
      anchorCenter.map { (-1e4...1e4).contains($0) } ?? true, "anchorCenter",
      "a number from -10000 to 10000")
    try require((1...16).contains(levels.count), "levels", "1 to 16 levels")
    let blobs = levels.flatMap { $0.blobs }
    try require(Set(blobs).count == blobs.count, "blobs", "another blob for each key of all levels")
    for level in levels {
      try require((1...1024).contains(level.stride), "stride", "1 to 1024")
      try require((1...1024).contains(level.proposals ?? 1), "proposals", "1 to 1024")
      try require(
        level.anchors.map { anchors in
          (1...64).contains(anchors.count)
            && anchors.allSatisfy { $0.count == 2 && $0.allSatisfy { (1e-3...1e5).contains($0) } }
        } ?? true, "anchors", "1 to 64 pairs of width and height, from 0.001 to 100000")
    }
  }
}

extension FamilyRecipe.Size {
  /// What the sides of all sizes are multiples of.
  fileprivate var multiple: Int {
    switch self {
    case .multiples(let number), .usual(_, _, let number), .area(_, let number): number
    case .fixed: 1
    }
  }
}
