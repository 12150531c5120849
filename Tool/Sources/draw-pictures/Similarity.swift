import YOLOFace

/// Similarity: the photo compared with its mirror image, as `yoloface compare --mirrored` draws it.
func drawSimilarity() throws -> RGBImage {
  let astronaut = try Astronaut()
  let mirrored = try astronaut.photo.rendered(
    in: ViewSpace(imageSize: astronaut.photo.size, isMirrored: true))
  guard let seen = try FaceDetector().detect(in: mirrored).first, let shape = seen.landmarks,
    let first = astronaut.face.landmarks
  else { throw NothingFound() }
  let similarity = try LandmarkSimilarity(of: first, and: shape, isMirrored: true)
  let picture = try similarity.picture(
    of: astronaut.face, in: astronaut.photo, and: seen, in: mirrored)
  return try picture.resized(width: 400, height: 200, filter: .area)
}
