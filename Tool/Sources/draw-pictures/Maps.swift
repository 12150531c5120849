// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceInference
import YOLOFaceNCNN

/// Backbone and neck: a map of each size on the way down, up, and down again, from the 1st to the 99th percentile.
func drawMaps() throws -> RGBImage {
  let photo = try examplePhoto().resized(width: 640, height: 640)
  let planes = (0..<3).flatMap { channel in
    stride(from: channel, to: photo.pixels.count, by: 3).map { Float(photo.pixels[$0]) / 255 }
  }
  let places: [(blob: String, channel: Int, column: Int, row: Int)] = [
    ("s1_3", 24, 1, 0), ("s2_7", 77, 2, 0), ("s3_3", 47, 3, 0), ("t1_s", 10, 3, 1),
    ("t2_s", 46, 2, 1), ("p2_c3_s", 50, 1, 1), ("p3_c3_s", 24, 2, 2), ("p4_c3_s", 37, 3, 2),
  ]
  let blobs = try Engine(Network.embedded()).run(
    ["data": Tensor(shape: [3, 640, 640], values: planes)], extracting: places.map(\.blob))
  let (side, step) = (160, 176)
  var picture = RGBImage(width: 4 * step, height: 3 * step, fill: .white)
  picture.draw(try photo.resized(width: side, height: side, filter: .area), atX: 0, y: 0)
  for place in places {
    guard let blob = blobs[place.blob] else { continue }
    let size = blob.shape[2]
    let map = Array(blob.values[(place.channel * size * size)...].prefix(size * size))
    let sorted = map.sorted()
    let (low, high) = (sorted[sorted.count / 100], sorted[sorted.count * 99 / 100])
    for pixel in 0..<side * side {
      let (x, y) = (pixel % side, pixel / side)
      let share = (map[y * size / side * size + x * size / side] - low) / (high - low)
      let shade = UInt8(255 * min(max(share, 0), 1))
      let gray = RGBColor(red: shade, green: shade, blue: shade)
      picture[place.column * step + x, place.row * step + y] = gray
    }
  }
  return picture
}
