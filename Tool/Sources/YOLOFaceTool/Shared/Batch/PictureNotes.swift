// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace
import YOLOFaceFormatting
import YOLOFaceReport

extension PictureResult {
  /// Notes what a picture lacks, and what may be why it shows no face.
  ///
  /// - Parameters:
  ///   - stored: as it was read.
  ///   - image: as it was searched.
  ///   - isSmoothed: whether a picture made of dots was also looked at smoothed.
  mutating func note(_ stored: Picture.Stored, _ image: RGBImage, isSmoothed: Bool) {
    report.damage = stored.damage.map { .init($0) }
    remarks[.disputed] = stored.stated.dispute
    let used = stored.usedRange.map { "\(fixed(100 * $0, decimals: 1)) %" }
    if stored.isStretched { remarks[.stretched] = used }
    guard faces.isEmpty else { return }
    if !stored.isStretched, stored.usedRange.map({ $0 < 0.5 }) == true { remarks[.narrow] = used }
    if let alpha = stored.largestAlpha, alpha < 8 {
      remarks[.invisible] = "alpha \(alpha) of 255 at most"
    }
    if !isSmoothed, image.isScreened { remarks[.screened] = "" }
  }

  /// That the picture is damaged, and what that means for what was hidden; nil if it is whole.
  var damageMessage: String? {
    guard let damage = report.damage else { return nil }
    return
      "\(report.image): \(counted(damage.rows, "row")) (\(fixed(damage.percent, decimals: 1)) %) missing or wrong: "
      + damage.reason
      + (report.output == nil
        ? "" : "; faces there may be missed, and stay visible: look at \(report.output ?? "")")
  }
}
