// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFileSystem
import YOLOFaceReport

extension Anonymise {
  func hideInPictures() throws {
    guard let destination = output.map(PictureDestination.init) else { return }
    let pictures = try PictureQueue(
      images, distinct: destination.directory != nil ? [.output] : [],
      leavingOut: [destination.directory].compactMap(\.self), excluding: walk.excluded)
    let batch = Batch(pictures, batchOptions, threads: search.looks.threads)
    guard !batch.mayHaveSeveral || destination.file == nil else {
      throw ValidationError(
        "--output FILE is for a single picture: give one picture, or a directory.")
    }
    let loaded = Result { try search.detector(threads: batch.threads) }
    let outputs = try Outputs(
      files: [destination.file], growing: report, directories: [destination.directory],
      inputs: search.model.files, pictures: pictures, isRestarting: restart)
    let detector = try loaded.get()
    try outputs.makeDirectories()
    let record = try RunRecord(of: self, search.model)
    if let directory = destination.directory {
      try requireSameRun(record, in: directory, by: outputs)
    }
    let writer = try ResultWriter(
      json || report != nil ? .jsonl : .text, to: report,
      earlier: report == nil ? .refused : earlier, record: record, by: outputs)
    let earlier = destination.directory.map(EarlierNames.init)
    try batch.run(with: detector, to: writer) { input, detector in
      if resume, try isDone(input, in: destination, earlier) { return nil }
      return try hide(
        input, with: detector, in: destination, by: outputs, showing: batch.progressOfPicture)
    }
    try requireNone(of: pictures.others)
  }

  /// Leaves the options in the directory of the output, of which an earlier run that is resumed must have had the
  /// same; says so where it is not known.
  func requireSameRun(
    _ record: RunRecord, in directory: String, by outputs: Outputs
  ) throws {
    guard try !record.keep(in: directory, earlier, by: outputs), !batchOptions.quiet else { return }
    printError(RunRecord.unknownRun(directory))
  }

  /// Ends with the status 1 if anything was left out that may show faces.
  func requireNone(of others: OtherFiles) throws {
    guard !ignoreOthers, others.message != nil else { return }
    printError("what is left out is not hidden; --ignore-others says that this is meant")
    throw ExitCode.failure
  }

  /// Whether an earlier run has hidden a picture; one that its report holds and whose output is missing is an error.
  private func isDone(
    _ input: PictureInput, in destination: PictureDestination, _ earlier: EarlierNames?
  ) throws -> Bool {
    let isWritten = destination.isWritten(for: input)
    let name = destination.name(for: input)
    if input.isHeld, !isWritten {
      throw Failure(
        "\(name): found no picture, expected the one that the earlier report names for \(input.path); "
          + (fileExists(name) ? "remove what is there, and " : "")
          + "hide this picture alone, with another --report")
    }
    return input.isHeld || report == nil && isWritten && earlier?.contains(name) != false
  }

  private func hide(
    _ input: PictureInput, with detector: FaceDetector, in destination: PictureDestination,
    by outputs: Outputs, showing progress: Progress?
  ) throws -> PictureResult {
    if destination.directory != nil,
      earlier == .refused || resume && !destination.isWritten(for: input)
    {
      try requireNew(destination.name(for: input))
    }
    let stored = try input.readStored(picture)
    var image = turning.upright(stored.upright)
    let options = options(for: detector, in: image.size)
    let faces = try detector.detect(
      in: image, options: options, progress: progress?.ofPicture() ?? { _ in })
    let kept = keeping.kept(faces)
    let scale = try detector.scale(ofStored: image, options: options)
    hiding.hide(zip(faces, kept).filter { !$1 }.map(\.0.box), in: &image, scale: scale)
    try destination.write(image, color: stored.color, of: input, earlier: earlier, by: outputs)
    var report = DetectionReport(
      image: input.path, width: image.width, height: image.height, faces: faces)
    report.output = destination.name(for: input)
    for (index, isKept) in kept.enumerated() { report.faces[index].hidden = !isKept }
    var result = PictureResult(
      report: report, faces: faces, name: input.stem, identifier: input.number, category: 1)
    result.enlargement = search.looks.enlargement(of: image)
    result.note(stored, image, isSmoothed: true)
    if stored.isAnimated { result.remarks[.unwrittenFrames] = "" }
    if choosesInput(for: image.size) { result.scale = scale }
    return result
  }
}
