// SPDX-License-Identifier: Apache-2.0

/// Writes RGB pixels `step` bytes apart.
func copyRow(
  _ row: UnsafeBufferPointer<UInt8>, into pixels: UnsafeMutableBufferPointer<UInt8>,
  from target: Int, by step: Int
) {
  if step == 3 {
    _ = pixels[target...].update(fromContentsOf: row)
    return
  }
  var target = target
  for source in stride(from: 0, to: row.count, by: 3) {
    pixels[target] = row[source]
    pixels[target + 1] = row[source + 1]
    pixels[target + 2] = row[source + 2]
    target += step
  }
}

/// Writes RGBA pixels, composited over `background`, `step` bytes apart, and returns the largest alpha.
@discardableResult
func compositeRow(
  _ row: UnsafeBufferPointer<UInt8>, over background: RGBColor,
  into pixels: UnsafeMutableBufferPointer<UInt8>, from target: Int, by step: Int
) -> UInt8 {
  var (target, largest): (Int, UInt8) = (target, 0)
  for source in stride(from: 0, to: row.count, by: 4) {
    let alpha = row[source + 3]
    largest = max(largest, alpha)
    pixels[target] = background.red.blended(with: row[source], alpha: alpha)
    pixels[target + 1] = background.green.blended(with: row[source + 1], alpha: alpha)
    pixels[target + 2] = background.blue.blended(with: row[source + 2], alpha: alpha)
    target += step
  }
  return largest
}
