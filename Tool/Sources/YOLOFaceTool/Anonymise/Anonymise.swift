// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace
import YOLOFaceFileSystem
import YOLOFaceFilms

struct Anonymise: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hides faces in pictures and films.",
    discussion: """
      Writes each picture again as PNG with its faces blurred. Outside the faces no pixel changes, except \
      that transparency becomes white, and 16 bits become 8; the picture is upright, and what its file says of \
      its colours is kept. Nothing else of the file is copied: neither \
      Exif data nor a thumbnail that would still show the face. Hiding too much does less harm than \
      missing a face, so the long side is the picture's own, from \(HidingSearch.longSides.lowerBound) to \(HidingSearch.longSides.upperBound): faces from about 20 \
      pixels on are covered in pictures and films of up to 4000, and a line says so of larger ones. --long-side sets another. Scores \
      count from \(HidingSearch.score), and from \(HidingSearch.smallFaceScore) for faces under 32 × 32 pixels of the network's input; beside a face that is sure, \
      and in films, from less; a second, small look finds faces that fill the picture or are blurred; --score-threshold sets one \
      limit for all. --tiles and --thorough look more closely, from a long side of 640 on, for scores from \(HidingSearch.closeScore).

      Prints what was hidden and what was not, so that a person can check, of a film in one line; --json prints \
      an object for each picture or frame, one per line.

      In a film, a face stays hidden while the detector loses it: for --bridge frames after it was last \
      seen and before it is seen next, but not beyond a cut. A film's file is read and written through \
      ffmpeg, if it is on the path, without sound unless --sound is given. Its pictures are written with 8 bits \
      and its colours, high dynamic range as BT.709, interlaced ones as whole ones. Frames may also come from a \
      pipe (--raw) and leave on standard output in the same form, or be pictures (--film).

      yoloface anonymise --help-hidden lists all options.

      Examples:
        yoloface anonymise photo.png -o hidden.png
        yoloface anonymise photos -o hidden --style pixelate --json > hidden.jsonl
        yoloface anonymise photos -o hidden --thorough --resume
        yoloface anonymise party.png -o hidden.png --keep-largest
        yoloface anonymise film.mp4 -o hidden.mp4
        yoloface anonymise film.mp4 -o hidden.mp4 --sound --quality 23 --style pixelate --tiles 2
        yoloface anonymise film.mp4 -o hidden.mp4 --boxes corrected.jsonl --keep-id 3
        yoloface anonymise films/*.mp4 -o hidden
        yoloface anonymise dance.gif -o hidden.gif
        yoloface anonymise frames --film -o hidden
        ffmpeg -i film.mp4 -f rawvideo -pix_fmt bgra - | yoloface anonymise --raw 1280x720 | \
      ffmpeg -f rawvideo -pix_fmt bgra -s 1280x720 -r 30 -i - hidden.mp4
      """,
    aliases: ["anonymize"])

  @Argument(
    help: ArgumentHelp(
      """
      \(Picture.formats) pictures; directories, whose pictures, including those in subdirectories, \
      are taken in the order of their paths; quoted patterns such as 'photos/**/*.png'; - for one \
      picture on standard input; or films, such as film.mp4, or a directory that has nothing else.
      """, valueName: "image"), completion: .file())
  var images: [String] = []

  @Option(
    name: [.short, .long],
    help: ArgumentHelp(
      """
      Where the pictures go: a PNG file, which may replace any file but the picture itself, or a \
      directory, as DIR/NAME.png; \(PictureDestination.naming). Existing files in it are not replaced. A \
      film's frames: a film, such as out.mp4, or out.gif, which may replace an older one, or a directory. Several films: \
      a directory, as DIR/NAME.
      """, valueName: "png, film or dir"), completion: .file())
  var output: String?

  @OptionGroup(title: "How faces are hidden") var hiding: HidingOptions
  @OptionGroup(title: "Which faces stay") var keeping: KeepingOptions
  @OptionGroup(title: "Films") var film: FilmHidingOptions
  @OptionGroup(title: "Raw frames", visibility: .hidden) var rawFrames: RawFrameOptions
  @OptionGroup(visibility: .hidden) var picture: PictureOptions
  @OptionGroup(visibility: .hidden) var walk: WalkOptions
  @OptionGroup(visibility: .hidden) var turning: OrientationOptions
  @OptionGroup var search: FaceSearchOptions
  @OptionGroup(title: "Many pictures", visibility: .hidden) var batchOptions: BatchOptions

  @Flag(
    help: """
      Accept that directories also hold films, files other than text that are not read, hidden directories \
      and links to others. Otherwise the status is 1 if any are left out, since they may show faces.
      """)
  var ignoreOthers = false

  @Flag(help: "Print a JSON object for each picture or frame, one per line.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Write the report to a file, as JSON objects, one per line, instead of standard output.",
      valueName: "path"), completion: .file())
  var report: String?

  @Flag(
    help: """
      Continue an earlier run with the same options: skip what has an output, or with --report, the pictures \
      that it holds.
      """)
  var resume = false

  @Flag(
    help: ArgumentHelp(
      "Begin anew: replace the pictures and the report that an earlier run has written, whole or not.",
      visibility: .hidden))
  var restart = false

  var earlier: EarlierOutput { EarlierOutput(isResuming: resume, isRestarting: restart) }

  /// The only input, if it is a film's file. An animated picture is one where a film is made of it.
  var sourceFilm: String? = nil

  private(set) var severalFilms: [String]? = nil

  mutating func validate() throws {
    severalFilms = films()
    if severalFilms == nil {
      let mayBePicture = output.map { isWritableFilmName($0) || writesAnimatedPNG($0) } == true
      sourceFilm = try onlyFilm(images, mayBePicture: !film.film && mayBePicture)
    }
    try requireFittingOptions()
    try rawFrames.require(atMost: picture.maxPixels)
    guard rawFrames.raw == nil else { return try requireRawFrames() }
    if !isFilm {
      if let output, isWritableFilmName(output) { try requireKnownNames(images) }
      try requirePictureName(output, option: "--output", mayBeDirectory: true)
    }
    guard !images.isEmpty else { throw ValidationError("Give a picture, a directory, or --raw.") }
    guard images.count(where: { $0 == "-" }) <= 1 else {
      throw ValidationError("Standard input can be read only once: give one - at most.")
    }
    guard output != nil else {
      let kinds = isFilm ? "film, such as hidden.mp4," : "PNG file"
      throw ValidationError("Give the path of a \(kinds) or of a directory with --output.")
    }
    if isFilm { try requireFilmOptions() } else { try requireNoFilmOptions() }
  }

  /// Refuses options that do not go together, whatever is read and written.
  private func requireFittingOptions() throws {
    guard search.closely.search().closeLooks == .none else {
      throw ValidationError(
        "--refine and --effort checked or refined are for landmarks: hide faces without them.")
    }
    guard !restart || !resume && !isFilm else {
      throw ValidationError(
        "--restart replaces pictures: give it without --resume, and remove films that are to be made anew."
      )
    }
    guard !isFilm || batchOptions.jobs == nil && !batchOptions.failFast else {
      throw ValidationError(
        "--jobs and --fail-fast are for pictures that are not frames of a film.")
    }
    guard !isFilm || !keeping.keepLargest else {
      throw ValidationError(
        "--keep-largest: where a film's largest face is missed, the next would be shown; give pictures, or "
          + "--keep-area.")
    }
    guard
      film.boxes == nil
        || keeping.minSize == 0 && keeping.keepArea == nil && film.bridge == nil
          && !search.looks.isAboutScores
    else {
      throw ValidationError(
        "--boxes says which places are hidden: give it without --min-size, --keep-area, --bridge, "
          + "--score-threshold, --iou-threshold and --long-side.")
    }
  }

  private func requireNoFilmOptions() throws {
    guard !film.isGiven else {
      throw ValidationError(
        "--bridge, --frame-rate, --quality, --sound, --keep-metadata, --boxes, --keep-id and --hide-id are for "
          + "films: give a film, --film or --raw. Of a picture's data, which may hold a smaller one with the face, "
          + "exiftool -TagsFromFile copies what you choose.")
    }
  }

  private func requireFilmOptions() throws {
    if let severalFilms { try requireSeveralFilms(severalFilms) }
    let writesFilm = writtenFilm != nil || severalFilms != nil
    guard film.quality == nil || writesFilm && writtenFilm.map(FilmWriter.hasQuality) != false
    else {
      throw ValidationError(
        "--quality is for a film that is written, and neither GIF nor PNG: give its path with --output."
      )
    }
    guard
      !film.sound && !film.keepMetadata
        || writesFilm && (sourceFilm != nil || severalFilms != nil)
    else {
      throw ValidationError(
        "--sound and --keep-metadata are for a film that is made of a film: give both.")
    }
    guard !resume || severalFilms != nil else {
      throw ValidationError(
        "--resume: a film's faces are followed from its first frame; give it without --resume.")
    }
    if writtenFilm == nil {
      try requireDirectoryName(output, option: "--output", mayBeFilm: true)
    }
  }

  /// Whether frames follow each other.
  private var isFilm: Bool {
    film.film || rawFrames.raw != nil || sourceFilm != nil || severalFilms != nil
  }

  var writtenFilm: String? {
    output.flatMap {
      isFilm && isWritableFilmName($0) || sourceFilm != nil && writesAnimatedPNG($0) ? $0 : nil
    }
  }

  /// Whether a path is that of a PNG for all frames of a PNG or a GIF, the only input.
  private func writesAnimatedPNG(_ path: String) -> Bool {
    suffix(of: path, among: [".png"]) != nil && !isDirectory(path) && images.count == 1
      && suffix(of: images[0], among: [".png", ".apng", ".gif"]) != nil
  }

  private func requireRawFrames() throws {
    guard images.isEmpty, output == nil || writtenFilm != nil, !film.film, !resume, !film.sound,
      !film.keepMetadata
    else {
      throw ValidationError(
        "--raw takes its frames from standard input and writes them to standard output, or a film with "
          + "--output: give neither pictures nor a directory, --film, --sound, --keep-metadata and --resume."
      )
    }
    guard !json || output != nil else {
      throw ValidationError(
        "--raw writes frames to standard output: give --report in place of --json.")
    }
  }

  func run() throws {
    Interruption.beginNoting()
    if let severalFilms {
      try hideInSeveral(severalFilms)
    } else if isFilm {
      try hideInFilm()
    } else {
      try hideInPictures()
    }
  }

  func options(for detector: FaceDetector, in picture: Size2D) -> DetectionOptions {
    search.looks.detection(
      usual: detector.optionsForHiding(
        in: picture, isFrame: isFilm, effort: search.closely.search()))
  }
}
