import FaceDecoding

/// The settings of a search for faces to hide, where they differ from the usual ones.
public enum HidingSearch {
  /// The long side of the input. Smaller faces are found than at 640.
  public static let longSide = 800
  /// The lowest score of faces that are not small. Few large detections that score less are faces, and each
  /// would hide much of the picture for nothing.
  public static let score: Float = 0.34
  /// The lowest score of small faces, see `DetectionOptions.smallFaceScoreThreshold`.
  public static let smallFaceScore: Float = 0.2
  /// The lowest score of small faces among others, see `DetectionOptions.crowdScoreThreshold`.
  public static let crowdScore: Float = 0.12
  /// The lowest score where the picture is also enlarged.
  public static let closeScore: Float = 0.25
}

extension FaceDetector {
  /// How faces are searched for in order to hide them, where a false detection does less harm than a missed
  /// face.
  ///
  /// One look, in one direction or four, has a long side of 800, unless the network has only one size. Another has
  /// 224, for faces that fill the picture or are blurred. Faces count from a score of 0.34, small ones from 0.2, or
  /// from 0.12 among others. Looks at the enlarged picture begin at the usual size, and their faces count from 0.25.
  ///
  /// - Parameter effort: how many looks are taken.
  public func optionsForHiding(effort: SearchEffort = .once) -> DetectionOptions {
    var options = DetectionOptions()
    options.effort = effort
    options.effort.looksSmall = true
    guard effort.tiles == 1 else {
      options.scoreThreshold = HidingSearch.closeScore
      return options
    }
    if case .longSide = recipe.letterbox.standardMode {
      options.letterbox = .longSide(recipe.letterbox.roundedUp(HidingSearch.longSide))
    }
    options.scoreThreshold = HidingSearch.score
    options.smallFaceScoreThreshold = HidingSearch.smallFaceScore
    options.crowdScoreThreshold = HidingSearch.crowdScore
    return options
  }
}
