// SPDX-License-Identifier: Apache-2.0
@preconcurrency import YOLOFaceLibC

/// A line on standard error that shows the progress, if standard error is a terminal.
struct Progress: Sendable {
  let isShown = isatty(STDERR_FILENO) == 1

  func show(_ text: String) { if isShown { fputs("\r\u{1B}[K\(text)", stderr) } }

  func clear() { show("") }

  /// Shows how much of a picture has been searched, from 0 to 1, if that takes more than a second.
  func ofPicture() -> (Double) -> Void {
    let start = ContinuousClock.now
    return { share in
      if ContinuousClock.now - start > .seconds(1) {
        show("\(Int(100 * share)) % of the picture searched")
      }
    }
  }
}
