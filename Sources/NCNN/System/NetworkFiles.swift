// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles

extension Network {
  /// Reads the structure of a network without its weights.
  ///
  /// - Throws: `FileError` where the file cannot be read, else `ModelError`.
  public init(param path: String, limits: Limits = Limits()) throws {
    try self.init(
      param: try readFile(path, limit: limits.parameterFileBytes), source: path, limits: limits)
  }

  /// Reads a network with its weights.
  ///
  /// - Throws: `FileError` where a file cannot be read, else `ModelError`.
  public init(param: String, bin: String, limits: Limits = Limits()) throws {
    try self.init(param: param, limits: limits)
    try loadWeights(try readFile(bin, limit: limits.weightFileBytes), source: bin)
  }
}
