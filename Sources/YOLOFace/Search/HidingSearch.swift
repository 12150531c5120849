// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// The settings of a search for faces to hide, where they differ from the usual ones.
@_spi(Tool) public enum HidingSearch {
  /// The least and the largest long side of the input; between them, it is the picture's own.
  public static let longSides = 800...3200
  /// The lowest score of faces that are not small, alone in a picture. Few large detections that score less are
  /// faces, and each would hide much of the picture for nothing.
  public static let score: Float = 0.46
  /// The lowest score of small faces, see `DetectionOptions.smallFaceScoreThreshold`.
  public static let smallFaceScore: Float = 0.34
  /// The lowest score of faces in company, see `DetectionOptions.companyScoreThreshold`, and of any in a film.
  public static let companyScore: Float = 0.34
  /// The lowest score of small faces in a film: frames follow each other, and in some the face scores more.
  public static let smallFaceScoreInFilms: Float = 0.2
  /// The lowest score of small faces in company, see `DetectionOptions.crowdScoreThreshold`.
  public static let crowdScore: Float = 0.1
  /// The lowest score where the picture is also enlarged.
  public static let closeScore: Float = 0.25
  /// The smallest faces of which nearly all are found, in pixels of the input, and of the picture where it is enlarged.
  private static let smallestFound = 16.0

  /// The size of faces, in pixels of a picture, from which on they are covered: nearly all that show a face.
  ///
  /// - Parameter scale: pixels of the network's input for each of the picture.
  public static func smallestCovered(atScale scale: Double) -> Double {
    smallestFound / min(scale, 1)
  }
}

extension FaceDetector {
  /// How faces are searched for in order to hide them, where a false detection does less harm than a missed
  /// face.
  ///
  /// One look, in one direction or four, has the picture's own long side, from 800 to 3200, so that faces from 20
  /// pixels on are found in pictures of up to 4000, unless the network has only one size. Another look has 224, for
  /// faces that fill the picture or are blurred. Faces alone in a picture count from a score of 0.46, small ones from
  /// 0.34; beside another that is sure, from 0.34 and 0.1. In films, all count from 0.34, and small ones from 0.2.
  /// Looks at the enlarged picture begin at the usual size, and their faces count from 0.25.
  ///
  /// - Parameters:
  ///   - picture: the size of the picture; nil for one of no more than 800 pixels.
  ///   - isFrame: whether the picture is a frame of a film.
  ///   - effort: how many looks are taken.
  public func optionsForHiding(
    in picture: Size2D? = nil, isFrame: Bool = false, effort: SearchEffort = .once
  ) -> DetectionOptions {
    var options = DetectionOptions()
    options.effort = effort
    options.effort.looksSmall = true
    guard effort.tiles == 1 else {
      options.scoreThreshold = HidingSearch.closeScore
      return options
    }
    if case .longSide = recipe.letterbox.standardMode {
      let limits = HidingSearch.longSides
      let own = picture.map { max($0.width, $0.height) } ?? 0
      let side = Int(min(max(own, Double(limits.lowerBound)), Double(limits.upperBound)))
      options.letterbox = .longSide(recipe.letterbox.roundedUp(side))
    }
    options.scoreThreshold = isFrame ? HidingSearch.companyScore : HidingSearch.score
    options.smallFaceScoreThreshold =
      isFrame ? HidingSearch.smallFaceScoreInFilms : HidingSearch.smallFaceScore
    options.companyScoreThreshold = HidingSearch.companyScore
    options.crowdScoreThreshold = HidingSearch.crowdScore
    return options
  }
}
