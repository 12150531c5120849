/// How many pictures of a batch are searched at a time, and what is shown meanwhile.
struct BatchPlan {
  /// Nil where none is shown.
  let progress: Progress?
  /// The number of pictures; nil if it is not known.
  let total: Int?
  /// The number of pictures searched at a time.
  let workers: Int
  /// The threads of each picture's search.
  let threads: Int

  /// - Parameters:
  ///   - source: the pictures.
  ///   - options: what was asked for.
  ///   - threads: the threads of all searches together.
  init(_ source: PictureSource, _ options: BatchOptions, threads: Int) {
    progress = options.quiet ? nil : Progress()
    let most = options.jobs ?? threads
    total = source.count(upTo: progress?.isShown == true ? .max : max(most, 2))
    // There is no picture if a directory has lost its pictures since, or if the process was interrupted.
    workers = max(1, min(most, total ?? most))
    self.threads = max(1, threads / workers)
  }

  var maySearchSeveral: Bool { (total ?? 2) > 1 }

  /// The progress within the only picture; nil for several.
  var progressOfPicture: Progress? { total == 1 ? progress : nil }
}
