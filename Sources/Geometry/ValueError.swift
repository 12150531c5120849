// SPDX-License-Identifier: Apache-2.0

/// Why a value cannot be made, or not be used where it is given.
public struct ValueError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was found and what was expected, in a sentence.
  public let description: String

  /// An error that says this.
  public init(_ description: String) { self.description = description }
}
