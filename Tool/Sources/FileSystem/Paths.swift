// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// The names between a path's slashes, split by bytes as the system does: as a Swift `Character`, a
/// slash with a combining accent is not a slash.
package func pathNames(_ path: some StringProtocol, omittingEmpty: Bool = true) -> [String] {
  path.utf8.split(separator: slash, omittingEmptySubsequences: omittingEmpty)
    .map { String(decoding: $0, as: UTF8.self) }
}

package func lastSlash(in path: String) -> String.Index? { path.utf8.lastIndex(of: slash) }

/// A text with its slashes replaced by underscores, so that it is a single file name.
package func withoutSlashes(_ text: String) -> String {
  String(decoding: text.utf8.map { $0 == slash ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
}

/// A file's address, `file:///…`: letters, digits and a few marks of its whole path as they are, other bytes as `%20`.
package func fileAddress(of path: String) -> String {
  let whole = isAbsolute(path) ? path : "\(currentDirectory() ?? "")/\(path)"
  let plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8
  let digits = Array("0123456789ABCDEF".utf8)
  let bytes = systemPath(whole).dropLast().map(UInt8.init(bitPattern:)).flatMap {
    plain.contains($0) ? [$0] : [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]]
  }
  return "file://" + String(decoding: bytes, as: UTF8.self)
}

func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

private let slash = UInt8(ascii: "/")

/// Follows a path's symbolic links one by one, as the system does. Names that do not exist stay as given.
///
/// No part of the path, nor of the current directory's, may be in `/dev` or `/proc`: files behind those, such as the one
/// behind standard output, must not be replaced.
///
/// - Parameter expected: what the path should have led to, for the error.
func followingLinks(_ path: String, expected: String) throws(FileError) -> String {
  try requireWholePath(path)
  func failure(_ found: String) -> FileError {
    FileError(path: path, found: found, expected: expected)
  }
  guard !path.isEmpty else { throw failure("an empty path") }
  var place = isAbsolute(path) ? "/" : "."
  var ahead = Array(pathNames(path).reversed())
  if place == ".", let directory = currentDirectory() {
    guard (try? followingLinks(directory, expected: expected)) != nil else {
      throw failure("a path of the system")
    }
  }
  var links = 0
  while let name = ahead.popLast() {
    guard !isSystemDirectory(place) else { throw failure("a path of the system") }
    if name.utf8.elementsEqual(".".utf8) { continue }
    let next = place == "." ? name : place == "/" ? "/\(name)" : "\(place)/\(name)"
    guard !name.utf8.elementsEqual("..".utf8), let bytes = linkTarget(next) else {
      place = next
      continue
    }
    let target = pathText(bytes)
    links += 1
    guard links <= 40, FileIdentity(next) != nil else {
      throw failure("a symbolic link that leads nowhere")
    }
    ahead += pathNames(target).reversed()
    if isAbsolute(target) { place = "/" }
  }
  guard !isSystemDirectory(place) else { throw failure("a path of the system") }
  return place
}

/// Compares identities, since on some systems names that differ only in case are the same.
private func isSystemDirectory(_ path: String) -> Bool {
  FileIdentity(path).map(systemDirectories.contains) == true
}

private let systemDirectories = ["/dev", "/proc"].compactMap(FileIdentity.init)

private func linkTarget(_ path: String) -> [UInt8]? {
  let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
    count = buffer.withMemoryRebound(to: CChar.self) {
      max(0, readlink(systemPath(path), $0.baseAddress!, $0.count))
    }
  }
  return target.isEmpty ? nil : target
}

private func currentDirectory() -> String? {
  guard let path = getcwd(nil, 0) else { return nil }
  defer { free(path) }
  return pathText(cString: path)
}
