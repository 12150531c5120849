import FaceDecoding
import Geometry
import Raster

/// What a detection looks for, and how.
public struct DetectionOptions: Sendable, Hashable {
  /// How to turn the stored picture upright, which is how the network expects faces; upright by
  /// default. Faces are in pixels of the stored picture whatever the orientation.
  public var orientation = Orientation.up
  /// How the picture is fitted into the network's input; a long side of 640 by default. Larger
  /// inputs find smaller faces and take longer.
  public var letterbox = Letterbox.Mode.longSide(640)
  /// How the picture is resized; bilinear by default, as in training, and by the mean of the pixels
  /// where it shrinks to less than half.
  public var resizeFilter = ResizeFilter.automatic
  /// Faces of a lower score, 0 to 1, are left out.
  public var scoreThreshold: Float = 0.5
  /// Of boxes with a larger intersection over union, 0 to 1, only the best stays.
  public var overlapThreshold = 0.45
  /// At most this many faces, the best, are returned.
  public var maximumFaces = Int.max
  /// At most this many candidates, the best, enter suppression, whose cost grows with their square: a
  /// bound on what a hostile model can waste. It matters only where tens of thousands reach the score
  /// threshold.
  public var maximumCandidates = Suppression.maximumCandidates
  /// Whether boxes are clipped to the picture.
  public var clipsToImage = false

  /// The defaults.
  public init() {}
}
