import ArgumentParser
import FaceReport
import Files
import YOLOFace

/// The options that write each face as a picture of its own, cut out or aligned.
///
/// Both come from the upright picture, so that `--orientation` turns them. The other view options
/// change nothing: a mirror image is for a screen, while what is cut out is kept and compared with
/// other pictures, as recognition models do.
///
/// The face number 2 of photo.png becomes photo.2.png. A file that is there already is never
/// replaced, be it a picture of the input or of an earlier run.
struct CutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Write each face's box, cut from the upright picture, never mirrored, as DIR/NAME.NUMBER.png, \
      after the picture and the face's place in the results; existing files are not replaced.
      """, valueName: "dir"))
  var crop: String?

  @Option(
    help: ArgumentHelp(
      "With --crop: the fraction of the box added on each side, 0 to 10; 0.2 by default.",
      valueName: "fraction"))
  var margin: Double?

  @Flag(help: "With --crop: widen boxes to squares.")
  var square = false

  @Flag(
    help:
      "With --crop: pad what lies beyond the picture's edges with black instead of cutting it off.")
  var pad = false

  @Option(
    help: ArgumentHelp(
      """
      Write each face turned, scaled and shifted as recognition models expect it, never mirrored, \
      as DIR/NAME.NUMBER.png, except faces that are upside down; existing files are not replaced.
      """, valueName: "dir"))
  var align: String?

  @Option(
    help: ArgumentHelp(
      "With --align: width and height of those pictures, 112 by default.", valueName: "pixels"))
  var alignSize: Int?

  func validate() throws {
    guard crop != nil || (margin == nil && !square && !pad) else {
      throw ValidationError("--margin, --square and --pad say how to crop: give --crop too.")
    }
    guard align != nil || alignSize == nil else {
      throw ValidationError("--align-size says how to align: give --align too.")
    }
    guard (0...10).contains(margin ?? 0) else {
      throw ValidationError("--margin \(margin ?? 0): give a number from 0 to 10.")
    }
    guard FaceAlignment.sides.contains(alignSize ?? 1) else {
      throw ValidationError(
        "--align-size \(alignSize ?? 1): give a number from \(FaceAlignment.sides.lowerBound) to "
          + "\(FaceAlignment.sides.upperBound).")
    }
    guard crop != "", align != "" else {
      throw ValidationError("--crop and --align: give the path of a directory.")
    }
    try requireDirectoryName(crop, option: "--crop")
    try requireDirectoryName(align, option: "--align")
    guard crop == nil || crop != align else {
      throw ValidationError("--crop and --align name their files alike: give two directories.")
    }
  }

  /// Where the pictures of one face were written; nil where none was asked for, or the face has none:
  /// a box outside of the picture, landmarks all in one place or of a face that is upside down.
  struct Paths {
    var crop: String?
    var aligned: String?
  }

  /// Writes the pictures of each face of a picture; nothing where none are asked for.
  ///
  /// - Parameters:
  ///   - faces: in pixels of the stored picture.
  ///   - stored: the picture.
  ///   - orientation: how that must be turned to be upright.
  ///   - name: the files', without number and suffix, perhaps with directories.
  ///   - isResuming: whether files that are there are an earlier run's, and stay.
  ///   - outputs: writes the others.
  /// - Throws: `ExistingFile`, `FileError` or `RasterError`; what was written before stays.
  func write(
    _ faces: [Face], of stored: RGBImage, orientation: Orientation, name: String,
    isResuming: Bool, by outputs: Outputs
  ) throws -> [Paths] {
    if crop == nil && align == nil { return [] }
    let space = try ViewSpace(imageSize: stored.size, orientation: orientation)
    let image = stored.upright(from: orientation)
    return try faces.map { space.map($0) }.enumerated().map { index, face in
      func write(_ image: RGBImage, to directory: String) throws -> String {
        let target = path(of: "\(name).\(index + 1).png", in: directory)
        try outputs.writeNew(image, to: target, in: directory, isResuming: isResuming)
        return target
      }
      var paths = Paths()
      if let crop, let part = shape.rectangle(around: face.box, in: image.size) {
        paths.crop = try write(try image.cropped(to: part), to: crop)
      }
      if let align, !face.isUpsideDown, let landmarks = face.landmarks,
        let alignment = try? FaceAlignment(
          landmarks, side: alignSize ?? FaceAlignment.templateSide)
      {
        paths.aligned = try write(try image.aligned(by: alignment), to: align)
      }
      return paths
    }
  }

  private var shape: FaceCrop {
    FaceCrop(margin: margin ?? 0.2, isSquare: square, isClipped: !pad)
  }
}

extension DetectionReport {
  /// Adds to each face where its pictures were written.
  mutating func add(_ paths: [CutOptions.Paths]) {
    for (index, paths) in zip(faces.indices, paths) {
      faces[index].crop = paths.crop
      faces[index].aligned = paths.aligned
    }
  }
}
