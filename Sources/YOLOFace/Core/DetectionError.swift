// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceInference
import YOLOFaceNCNN

/// Why faces could not be searched for in a picture.
public enum DetectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A size is out of bounds, or the network's outputs are not those of the recipe.
  case value(ValueError)
  /// The model does not fit the input, or needs too much memory or work.
  case network(InferenceError)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .value(let error): error.description
    case .network(let error): error.description
    }
  }
}

/// The value of an expression, whose error becomes one of a detection.
func namingValue<Result>(
  _ expression: @autoclosure () throws(ValueError) -> Result
) throws(DetectionError) -> Result {
  do throws(ValueError) { return try expression() } catch { throw .value(error) }
}

/// The value of an expression, whose error becomes one of a detection.
func namingNetwork<Result>(
  _ expression: @autoclosure () throws(InferenceError) -> Result
) throws(DetectionError) -> Result {
  do throws(InferenceError) { return try expression() } catch { throw .network(error) }
}
