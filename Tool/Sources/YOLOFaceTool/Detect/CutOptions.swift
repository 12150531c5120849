// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFileSystem
import YOLOFaceReport

/// The options that write each face as a picture of its own, cropped or aligned.
///
/// Of the view options, only `--orientation` affects them: a mirror image is for a screen, whereas these pictures are
/// kept and compared with others, for example by recognition models.
struct CutOptions: ParsableArguments {
  private static let margins = 0.0...10

  @Option(
    help: ArgumentHelp(
      """
      Write each face's box, cut from the upright picture and never mirrored, as DIR/NAME.NUMBER.png, \
      where NUMBER is the face's place in the results; \(PictureDestination.naming). Existing files are not \
      replaced.
      """, valueName: "dir"), completion: .directory)
  var crop: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --crop: the fraction of the box added on each side, \(Self.margins.words); 0.2 by default.",
      valueName: "fraction", visibility: .hidden))
  var margin: Double?

  @Flag(help: ArgumentHelp("With --crop: widen boxes to squares.", visibility: .hidden))
  var square = false

  @Flag(
    help: ArgumentHelp(
      "With --crop: fill the part of a box beyond the picture's edges with black instead of clipping it.",
      visibility: .hidden))
  var pad = false

  @Option(
    help: ArgumentHelp(
      """
      Write each face rotated, scaled and shifted as recognition models expect it, and never \
      mirrored, as DIR/NAME.NUMBER.png. Faces without landmarks, or that seem upside down, are left out, \
      and existing files are not replaced.
      """, valueName: "dir"), completion: .directory)
  var align: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --align: the width and height of the pictures; 112 by default.", valueName: "pixels",
      visibility: .hidden))
  var alignSize: Int?

  func validate() throws {
    guard crop != nil || (margin == nil && !square && !pad) else {
      throw ValidationError("--margin, --square and --pad say how to crop: give --crop too.")
    }
    guard align != nil || alignSize == nil else {
      throw ValidationError("--align-size says how to align: give --align too.")
    }
    try requireNumber("--margin", margin, in: Self.margins)
    try requireNumber("--align-size", alignSize, in: FaceAlignment.sides)
    try requireDirectoryName(crop, option: "--crop")
    try requireDirectoryName(align, option: "--align")
    guard crop == nil || crop != align else {
      throw ValidationError(
        "--crop and --align give their files the same names: give two directories.")
    }
  }

  /// Writes the requested pictures of each face of a stored picture, as NAME.2.png of face 2, and notes their paths in a
  /// report. One is left out where the box is outside the picture, or where the landmarks coincide or belong to a face
  /// that is upside down.
  func write(
    _ faces: [Face], of stored: RGBImage, color: ColorDescription, orientation: Orientation,
    name: String, earlier: EarlierOutput, by outputs: Outputs, in report: inout DetectionReport
  ) throws {
    if crop == nil && align == nil { return }
    let space = try ViewSpace(imageSize: stored.size, orientation: orientation)
    let image = stored.upright(from: orientation)
    let shape = FaceCrop(margin: margin ?? 0.2, isSquare: square, isClipped: !pad)
    for (index, face) in faces.map({ space.map($0) }).enumerated() {
      func write(_ image: RGBImage, to directory: String) throws -> String {
        let target = path(of: "\(name).\(index + 1).png", in: directory)
        try outputs.write(image, color: color, to: target, in: directory, earlier: earlier)
        return target
      }
      if let crop, let part = shape.rectangle(around: face.box, in: image.size) {
        let cropped: RGBImage
        do { cropped = try image.cropped(to: part) } catch {
          throw Failure("\(name), crop of face \(index + 1): \(error); give a smaller --margin")
        }
        report.faces[index].crop = try write(cropped, to: crop)
      }
      if let align, !face.isMarkedUpsideDown, let landmarks = face.landmarks,
        let alignment = try? FaceAlignment(landmarks, side: alignSize ?? FaceAlignment.templateSide)
      {
        report.faces[index].aligned = try write(try image.aligned(by: alignment), to: align)
      }
    }
  }
}
