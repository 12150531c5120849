// SPDX-License-Identifier: Apache-2.0
import Header
import YOLOFace

/// See `yoloface.h`.
@_cdecl("yoloface_detector_open")
public func openDetector(
  _ param: UnsafePointer<CChar>?, _ bin: UnsafePointer<CChar>?, _ recipe: UnsafePointer<CChar>?,
  _ precision: Int32, _ threads: Int32
) -> UInt64 {
  opening {
    let threads = try required(threads, "threads", in: 1...256)
    guard param != nil || bin != nil || recipe != nil else {
      let precision = try required(precision, "precision", in: 0...1)
      return .detector(
        try FaceDetector(precision: precision == 0 ? .fp32 : .int8, threads: threads))
    }
    return .detector(
      try FaceDetector(
        param: try text(param, "param"),
        bin: try text(bin, "bin"),
        recipe: try recipe.map { try FamilyRecipe(path: try text($0, "recipe")).recipe() },
        threads: threads))
  }
}

/// See `yoloface.h`.
@_cdecl("yoloface_detect")
public func detect(
  _ handle: UInt64, _ picture: UnsafePointer<yoloface_picture>?,
  _ options: UnsafePointer<yoloface_options>?, _ faces: UnsafeMutableRawPointer?,
  _ faceSize: Int, _ room: Int64
) -> Int64 {
  answering(-1) {
    let faceSize = try required(
      faceSize, "face_size", in: MemoryLayout<yoloface_face>.size...Int(Int32.max))
    let detector = try resource(handle, "detector") {
      if case .detector(let detector) = $0 { detector } else { nil }
    }
    let room = try required(room, "room", in: 0...Int64(Int32.max))
    if room > 0 { _ = try required(faces, "faces") }
    let found = try detector.detect(
      in: RGBImage(try required(picture, "picture").pointee),
      options: try options.map { try DetectionOptions($0) } ?? DetectionOptions())
    for (place, face) in found.prefix(room).enumerated() {
      faces?.storeBytes(
        of: yoloface_face(face), toByteOffset: place * faceSize, as: yoloface_face.self)
    }
    return Int64(found.count)
  }
}

/// A picture of a handle.
struct LoadedPicture: Sendable {
  let width, height: Int
  let pixels: CValues<UInt8>

  init(_ image: RGBImage) {
    (width, height, pixels) = (image.width, image.height, CValues(image.pixels))
  }
}

/// See `yoloface.h`.
@_cdecl("yoloface_picture_open")
public func openPicture(_ path: UnsafePointer<CChar>?) -> UInt64 {
  opening { .picture(LoadedPicture(try Picture.read(path: try text(path, "path")))) }
}

/// See `yoloface.h`.
@_cdecl("yoloface_picture_decode")
public func decodePicture(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> UInt64 {
  opening {
    let bytes = UnsafeBufferPointer(
      start: try required(bytes, "bytes"),
      count: try required(size, "size", in: 0...Picture.Limits().maximumFileBytes))
    return .picture(LoadedPicture(try Picture.decode(Array(bytes))))
  }
}

/// See `yoloface.h`.
@_cdecl("yoloface_picture_pixels")
public func picturePixels(_ picture: UInt64, _ pixels: UnsafeMutablePointer<yoloface_picture>?)
  -> Int32
{
  answering(-1) {
    let picture = try resource(picture, "picture") {
      if case .picture(let picture) = $0 { picture } else { nil }
    }
    let buffer = picture.pixels.buffer
    try required(pixels, "pixels").pointee = yoloface_picture(
      bytes: UnsafePointer(buffer.baseAddress), size: buffer.count, width: Int64(picture.width),
      height: Int64(picture.height), stride: 3 * Int64(picture.width), format: 0)
    return 0
  }
}

extension RGBImage {
  fileprivate init(_ picture: yoloface_picture) throws {
    let formats: [PixelFormat] = [.rgb, .bgr, .rgba, .bgra, .gray]
    let format = try required(picture.format, "format", in: 0...Int32(formats.count - 1))
    let sides: ClosedRange<Int64> = 1...Int64(RGBImage.maximumPixels)
    try self.init(
      copying: UnsafeRawBufferPointer(
        start: try required(picture.bytes, "bytes"),
        count: try required(picture.size, "size", in: 0...Int.max)),
      width: try required(picture.width, "width", in: sides),
      height: try required(picture.height, "height", in: sides), format: formats[format],
      bytesPerRow: try required(picture.stride, "stride", in: 1...Int64.max))
  }
}

extension DetectionOptions {
  fileprivate init(_ options: UnsafePointer<yoloface_options>) throws {
    self.init()
    let known = MemoryLayout<yoloface_options>.size
    let size = try required(options.pointee.size, "the options' size", in: known...1 << 16)
    guard
      UnsafeRawBufferPointer(start: options, count: size).dropFirst(known).allSatisfy({ $0 == 0 })
    else {
      throw CallError("found options that version \(FaceDetector.libraryVersion) does not know")
    }
    let given = options.pointee
    func share(_ number: Double, _ name: String) throws(CallError) -> Double? {
      if number < 0 { return nil }
      guard (0...1).contains(number) else {
        throw CallError(
          "found \(number) as \(name), expected from 0 to 1, or less for the usual one")
      }
      return number
    }
    scoreThreshold = Float(
      try share(given.score_threshold, "score_threshold") ?? Double(scoreThreshold))
    overlapThreshold = try share(given.overlap_threshold, "overlap_threshold") ?? overlapThreshold
    let longSide = try required(given.long_side, "long_side", in: 0...Int64(Int32.max))
    if longSide > 0 { letterbox = .longSide(longSide) }
    guard let effortName = given.effort else { return }
    let name = try name(effortName, "effort")
    guard let known = SearchEffort(name: name) else {
      let names = SearchEffort.names.joined(separator: ", ")
      throw CallError("found \(name) as effort, expected one of \(names)")
    }
    effort = known
  }
}

extension yoloface_face {
  fileprivate init(_ face: Face) {
    self.init()
    (x, y, width, height) = (face.box.x, face.box.y, face.box.width, face.box.height)
    score = Double(face.score)
    is_upside_down = face.isMarkedUpsideDown ? 1 : 0
    guard let points = face.landmarks else { return }
    has_landmarks = 1
    func point(_ point: Point2D) -> yoloface_point { yoloface_point(x: point.x, y: point.y) }
    (right_eye, left_eye, nose) = (
      point(points.rightEye), point(points.leftEye), point(points.nose)
    )
    (right_mouth, left_mouth) = (point(points.rightMouth), point(points.leftMouth))
  }
}
