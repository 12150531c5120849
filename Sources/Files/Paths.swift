/// The names between a path's slashes, split as the system splits them: for Swift's `Character`, a
/// slash and an accent after it are one character that is not a slash.
///
/// - Parameters:
///   - path: the path.
///   - omittingEmpty: whether to leave out the empty names before, after and between slashes.
public func pathNames(_ path: some StringProtocol, omittingEmpty: Bool = true) -> [String] {
  path.utf8.split(separator: slash, omittingEmptySubsequences: omittingEmpty)
    .map { String(decoding: $0, as: UTF8.self) }
}

/// Where the last slash of a path is, as `pathNames(_:)` counts them; nil where it has none.
public func lastSlash(in path: String) -> String.Index? { path.utf8.lastIndex(of: slash) }

/// A text with underscores for its slashes, so that it names a file in one directory.
public func withoutSlashes(_ text: String) -> String {
  String(decoding: text.utf8.map { $0 == slash ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
}

/// Whether a path begins at the root.
func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

private let slash = UInt8(ascii: "/")
