// SPDX-License-Identifier: Apache-2.0

/// Names in sets that grow by joining (union–find with path halving).
@_spi(Tool) public struct DisjointSets {
  private var parents: [String: String] = [:]

  /// Every name in a set of its own.
  public init() {}

  /// The name that stands for a name's set: itself where it was never joined.
  public mutating func root(of name: String) -> String {
    var name = name
    while let parent = parents[name] {
      if let above = parents[parent] { parents[name] = above }
      name = parent
    }
    return name
  }

  /// Makes one set of two names' sets.
  public mutating func join(_ one: String, _ other: String) {
    let (one, other) = (root(of: one), root(of: other))
    if one != other { parents[one] = other }
  }
}
