// SPDX-License-Identifier: Apache-2.0

/// What a model file may ask for before it is refused.
///
/// The limits are far above what published face models need, yet low enough that a hostile file
/// cannot exhaust memory.
public struct Limits: Hashable, Sendable {
  /// Bytes of a `.param` file; the default is 4 MiB.
  public var parameterFileBytes = 4 << 20
  /// Bytes of a `.bin` file; the default is 1 GiB.
  public var weightFileBytes = 1 << 30

  /// The default limits.
  public init() {}

  /// The largest integer parameter of any layer.
  static let integerParameter = 1 << 28
  /// The longest name or string value, as in ncnn.
  static let nameBytes = 255
  /// The longest text that an error repeats from a file.
  static let messageBytes = 4096
  /// The most texts of a list that an error repeats.
  static let messageItems = 12
}

/// The product of sizes that come from a file, or nil where it overflows.
func checkedProduct(_ factors: Int...) -> Int? {
  var product = 1
  for factor in factors {
    let (value, overflow) = product.multipliedReportingOverflow(by: factor)
    if overflow { return nil }
    product = value
  }
  return product
}
