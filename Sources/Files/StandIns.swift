// SPDX-License-Identifier: Apache-2.0

/// What lies in the place of a file that was fetched in the wrong way: how it begins, in lower case, and how the
/// file itself is had.
private let standIns: [(beginning: StaticString, found: String, expected: String)] = [
  (
    "version https://git-lfs", "a Git LFS pointer",
    "the file that it stands for: git lfs pull fetches it"
  ),
  ("<!doctype html", "a page of HTML", downloaded), ("<html", "a page of HTML", downloaded),
  ("404: not found", "a server's answer that there is no such file", downloaded),
]

private let downloaded = "the file itself: download it raw, not the page that shows it"

/// Refuses what a version control system or a web server gave in place of a file.
///
/// - Throws: `FileError` that says how the file is had.
@_spi(Tool) public func requireContents(_ bytes: [UInt8], path: String) throws(FileError) {
  let isBlank = { (byte: UInt8) in byte <= UInt8(ascii: " ") || [0xEF, 0xBB, 0xBF].contains(byte) }
  let start = bytes.prefix(256).drop(while: isBlank).map {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0
  }
  for (beginning, found, expected) in standIns
  where beginning.withUTF8Buffer({ start.starts(with: $0) }) {
    throw FileError(path: path, found: found, expected: expected)
  }
}
