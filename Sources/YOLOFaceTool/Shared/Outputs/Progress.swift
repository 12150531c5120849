@preconcurrency import LibC

/// A line on standard error that says how far the work is, where that is a terminal.
struct Progress: Sendable {
  /// Whether anyone sees it.
  let isShown = isatty(STDERR_FILENO) == 1

  /// Replaces the line.
  func show(_ text: String) {
    if isShown { fputs("\r\u{1B}[K\(text)", stderr) }
  }

  /// Removes the line.
  func clear() { show("") }
}
