// SPDX-License-Identifier: Apache-2.0
import YOLOFaceRaster

extension RGBImage {
  /// A picture of these red values, row by row; its greens and blues are others.
  init(reds: [[UInt8]]) {
    try! self.init(
      width: reds[0].count, height: reds.count,
      pixels: reds.joined().flatMap { [$0, 255 - $0, $0 ^ 0x55] })
  }

  /// The red values, row by row.
  var reds: [[UInt8]] {
    (0..<height).map { y in (0..<width).map { x in self[x, y].red } }
  }
}
