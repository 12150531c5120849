// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFilms

struct HidingOptions: ParsableArguments {
  /// By how much the hidden part is larger than the grown box on each side, in pixels of the network's input, and
  /// at most, as a share of the face.
  static let (margin, largestMargin) = (4.0, 0.3)
  private static let factors = 1.0...4

  @Option(
    help: "blur, smooth colours; pixelate, squares; solid, black. No sharpening undoes any of them."
  )
  var style = Hiding.Style.blur

  @Option(help: "Hide an ellipse, or the whole box.")
  var shape = Hiding.Shape.ellipse

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      How large the hidden part is: a multiple of the face's box, \(Self.factors.words). It is larger by \
      \(Int(HidingOptions.margin)) pixels of the network's input on each side, since boxes of small faces \
      may be off by as much, or by \(Int(100 * HidingOptions.largestMargin)) % of the face, if that is less.
      """, valueName: "factor"))
  var grow = 1.3

  func validate() throws { try requireNumber("--grow", grow, in: Self.factors) }

  /// Hides boxes of a picture; the scale is pixels of the network's input for each of the picture.
  func hide(_ boxes: [Box], in image: inout RGBImage, scale: Double) {
    for box in boxes {
      let margin = 2 * min(Self.margin / scale, Self.largestMargin * box.area.squareRoot())
      let size = Size2D(width: grow * box.width + margin, height: grow * box.height + margin)
      image.hide(Box(center: box.center, size: size), by: Hiding(style: style, shape: shape))
    }
  }
}

struct KeepingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Leave faces as they are whose box has its centre in this rectangle, in pixels.",
      valueName: "x,y,width,height"))
  var keepArea: Box?

  @Flag(help: "Leave the largest face as it is.")
  var keepLargest = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Leave faces as they are whose box has a side shorter than this.", valueName: "pixels"))
  var minSize = 0.0

  func validate() throws { try requireNumber("--min-size", minSize, in: 0...) }

  func kept(_ faces: [Face]) -> [Bool] {
    let largest = keepLargest ? faces.indices.max { faces[$0].box.area < faces[$1].box.area } : nil
    return faces.indices.map { index in
      let box = faces[index].box
      return index == largest || box.shorterSide < minSize
        || keepArea.map { $0.contains(box.center) } == true
    }
  }
}

struct FilmHidingOptions: ParsableArguments {
  @Flag(
    help: "The pictures are the frames of a film, in the order of the numbers in their names.")
  var film = false

  @Flag(
    help: """
      Keep a film's sound, with all its tracks, compressed again without its comments. Voices can be recognised, too.
      """)
  var sound = false

  @Flag(
    help: """
      Keep what may tell whose film it is: its tags, such as title, place and time, its chapters, and with --sound \
      the sound as it is stored, with its comments.
      """)
  var keepMetadata = false

  @Option(
    help: ArgumentHelp(
      """
      In films: leave the face with this ID as it is; may be given several times. IDs are those that \
      anonymise --json or --report says with the same options, not those of track. Where someone else may have \
      come into its place, the face is hidden, under a new ID.
      """, valueName: "id"))
  var keepID: [Int] = []

  @Option(
    help: ArgumentHelp(
      """
      In films: hide only faces with this ID, even if --boxes keeps them, and faces that may be others than \
      before; may be given several times.
      """, valueName: "id"))
  var hideID: [Int] = []

  @Option(
    help: ArgumentHelp(
      """
      In films: search for nothing, and hide the boxes that this file says, which --json has written for all \
      frames of the film, and a person may have corrected; not with --min-size, --keep-area and --bridge.
      """, valueName: "jsonl"), completion: .file())
  var boxes: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The constant rate factor of a written film, \(FilmWriter.qualities.words): the lower, the better and the \
      larger; 18 by default, and 24 for .webm.
      """, valueName: "number"))
  var quality: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      In films: for how many frames a face stays hidden where it was before it is first seen and after it is \
      lost; by default as many as last a third of a second: 10 of 30 in a second, 20 of 60.
      """, valueName: "frames"))
  var bridge: Int?

  @Option(
    help: ArgumentHelp(
      """
      In films: the number of frames per second, such as 25 or 30000/1001; by default a film's own, and 30 \
      for other frames.
      """, valueName: "number"))
  var frameRate: PositiveFraction?

  var isGiven: Bool {
    bridge != nil || frameRate != nil || sound || keepMetadata || quality != nil || boxes != nil
      || !(keepID + hideID).isEmpty
  }

  var keptParts: KeptParts { KeptParts(sound: sound, metadata: keepMetadata) }

  /// Whether a face stays as it is: not one without a number, whose box a person has drawn, nor one of all others that
  /// may be a face to hide.
  func isKept(_ place: FrameHidingReport.Place) -> Bool {
    guard !place.numbers.isEmpty else { return false }
    return place.numbers.allSatisfy(keepID.contains)
      || !hideID.isEmpty && !isNamedToHide(place) && place.former == nil
  }

  func isNamedToHide(_ place: FrameHidingReport.Place) -> Bool {
    place.numbers.contains(where: hideID.contains)
  }

  func validate() throws {
    try requireNumber("--bridge", bridge, in: FaceBridge.lengths)
    guard keepID.isEmpty || hideID.isEmpty else {
      throw ValidationError("Give either --keep-id or --hide-id.")
    }
    try requireNumber("--quality", quality, in: FilmWriter.qualities)
  }
}

extension Hiding.Style: @retroactive ExpressibleByArgument {}
extension Hiding.Shape: @retroactive ExpressibleByArgument {}
