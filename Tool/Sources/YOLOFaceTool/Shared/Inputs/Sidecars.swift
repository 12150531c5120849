// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles

/// The XMP files that programs keep beside a picture.
enum Sidecars {
  /// The most bytes of one: some programs keep a history of edits there.
  static let largest = 16 << 20

  /// The paths of a picture's sidecars, whether or not they exist. That without the picture's suffix comes last, and is
  /// left out where it may be another picture's.
  static func paths(of picture: String) -> [String] {
    let stem = withoutPictureSuffix(picture)
    let stems = existing(stem).isEmpty || isStemShared(of: picture) ? [] : [stem]
    return ([picture] + stems).flatMap(names)
  }

  /// The names that the sidecar of a picture with this path, with its suffix or without, may have.
  static func names(_ path: String) -> [String] { [path + ".xmp", path + ".XMP"] }

  private static func existing(_ path: String) -> [String] { names(path).filter(isFileWithBytes) }
}

extension Picture.Stored {
  /// Turns the picture as the sidecars beside its file say. Of what cannot be read a message says so.
  mutating func hearSidecars(of path: String) {
    for sidecar in Sidecars.paths(of: path) where isFileWithBytes(sidecar) {
      do {
        stated.hear(sidecar: try readFile(sidecar, limit: Sidecars.largest))
      } catch {
        printError("\(error); it may say how \(path) is turned")
      }
    }
  }
}
