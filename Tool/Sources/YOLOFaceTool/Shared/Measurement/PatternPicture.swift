import YOLOFace

extension RGBImage {
  /// A picture of smooth gradients with noise, the same in every run.
  static func pattern(width: Int, height: Int) -> RGBImage {
    var image = RGBImage(width: width, height: height)
    var state: UInt32 = 1
    for y in 0..<height {
      for x in 0..<width {
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = UInt8(state >> 27)
        image[x, y] = Color(
          red: UInt8(x * 223 / width) + noise, green: UInt8(y * 223 / height) + noise,
          blue: UInt8((x + y) % 224) + noise)
      }
    }
    return image
  }
}
