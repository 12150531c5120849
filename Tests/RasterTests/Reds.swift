import Raster

extension RGBImage {
  /// The red values, row by row.
  var reds: [[UInt8]] {
    (0..<height).map { y in (0..<width).map { x in self[x, y].red } }
  }
}
