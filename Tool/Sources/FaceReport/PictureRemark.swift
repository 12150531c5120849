// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting

/// What a user should know of pictures, besides their faces, at the end of a run.
package enum PictureRemark: CaseIterable, Sendable {
  /// Their file, and the sidecar beside it, say in several ways how they are turned.
  case disputed
  /// They use little of their 16 bits, which was stretched.
  case stretched
  /// They show no face, and use little of their 16 bits.
  case narrow
  /// They show no face, and are transparent everywhere.
  case invisible
  /// They show no face, and seem to be made of dots.
  case screened
  /// They have more frames than were searched, or written.
  case unsearchedFrames, unwrittenFrames

  /// What is said of so many pictures.
  ///
  /// - Parameter first: one of them, and what is particular to it.
  package func text(_ count: Int, first: String) -> String {
    let isOne = count == 1
    let pictures = counted(count, "picture")
    return switch self {
    case .disputed:
      "\(pictures): not all say the same of how \(isOne ? "it is" : "they are") turned, and what is named first "
        + "counts (\(first))"
    case .stretched:
      "\(pictures) \(isOne ? "uses" : "use") so little of 16 bits that it was stretched to the whole range (\(first))"
    case .narrow:
      "\(pictures) without faces \(isOne ? "uses" : "use") little of 16 bits (\(first)); --stretch may show more"
    case .invisible:
      "\(pictures) \(isOne ? "is" : "are") transparent everywhere, and read as white (\(first)); take the alpha "
        + "channel away, for example with ImageMagick's -alpha off"
    case .screened:
      "\(pictures) without faces \(isOne ? "seems" : "seem") dithered or printed in dots (\(first)); --effort checked "
        + "also looks at \(isOne ? "it" : "them") smoothed"
    case .unsearchedFrames:
      "\(counted(count, "animated picture")): only the first frame is searched (\(first)); given alone, track "
        + "searches all"
    case .unwrittenFrames:
      "\(counted(count, "animated picture")): only the first frame is written; "
        + "given alone, with a film as --output, all are"
    }
  }
}
