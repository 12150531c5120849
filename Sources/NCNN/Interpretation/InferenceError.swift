// SPDX-License-Identifier: Apache-2.0

/// Why a network cannot be run: in which layer, what was found and what was expected.
public struct InferenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of error, for programs that react to it.
  public enum Reason: Hashable, Sendable {
    /// An input is missing or unknown, or its shape does not match its values.
    case input
    /// The network does not have a blob that is asked for.
    case blob
    /// A layer cannot work on a blob of this shape.
    case shape
    /// A layer has an option that can be read but not run.
    case unsupported
    /// The run would take more memory or arithmetic than allowed.
    case limit
    /// A function that a run calls asks for another run of the same engine.
    case nested
  }

  /// The kind of error.
  public let reason: Reason
  /// The limit that the run would exceed, where the caller may raise it.
  public private(set) var limit: RunLimit?
  /// The layer, as `kind name (line n)`, where one is the cause.
  public internal(set) var layer: String?
  /// What was found.
  public let found: String
  /// What would have been right.
  public let expected: String

  package init(_ reason: Reason, found: String, expected: String) {
    self.reason = reason
    self.found = found.cutForMessage
    self.expected = expected.cutForMessage
  }

  /// The error of a layer that cannot work on its inputs' shapes.
  static func shape(_ found: String, expected: String) -> InferenceError {
    InferenceError(.shape, found: found, expected: expected)
  }

  /// A limit that the caller may raise.
  package init(_ limit: RunLimit, found: String, most: Int64) {
    self.init(.limit, found: found, expected: "at most \(most)")
    self.limit = limit
  }

  package func at(_ layer: Layer) -> InferenceError {
    var error = self
    error.layer = layer.title
    return error
  }

  /// The error of a layer that joins blobs of sizes that differ, perhaps because one before it does not resize.
  func at(_ layer: Layer, perhapsBecauseOf resize: Layer?) -> InferenceError {
    guard let resize else { return at(layer) }
    let cause = "; \(resize.title), which resizes by 1, may have lost its scale"
    return InferenceError(reason, found: found, expected: expected + cause).at(layer)
  }

  /// One sentence: `layer: found …, expected …`.
  public var description: String {
    "\(layer.map { "\($0): " } ?? "")found \(found), expected \(expected)"
  }
}

extension Layer {
  /// `kind name (line n)`, as messages name it.
  public var title: String { "\(kind) \(name) (line \(line))" }
}
