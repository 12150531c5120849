import FaceDecoding
import Inference
import NCNN
import Raster

/// Why faces could not be searched for in a picture.
public enum DetectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The size of the picture or of the network's input is out of bounds.
  case size(LetterboxError)
  /// A resized picture would be too large.
  case picture(RasterError)
  /// The model does not fit the input, or needs too much memory or work.
  case network(InferenceError)
  /// The network's outputs are not those of the recipe.
  case outputs(FaceHeadError)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .size(let error): error.description
    case .picture(let error): error.description
    case .network(let error): error.description
    case .outputs(let error): error.description
    }
  }
}

/// Runs a function, and wraps its error in a case of `DetectionError`.
func naming<Result, Failure>(
  _ name: (Failure) -> DetectionError, _ body: () throws(Failure) -> Result
) throws(DetectionError) -> Result {
  do throws(Failure) { return try body() } catch { throw name(error) }
}
