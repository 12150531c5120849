/// The names between a path's slashes, split by bytes as the system does: as a Swift `Character`, a
/// slash with a combining accent is not a slash.
///
/// - Parameters:
///   - path: the path.
///   - omittingEmpty: whether to leave out the empty names before, after and between slashes.
public func pathNames(_ path: some StringProtocol, omittingEmpty: Bool = true) -> [String] {
  path.utf8.split(separator: slash, omittingEmptySubsequences: omittingEmpty)
    .map { String(decoding: $0, as: UTF8.self) }
}

/// The index of a path's last slash, found as in `pathNames(_:omittingEmpty:)`; nil where it has
/// none.
public func lastSlash(in path: String) -> String.Index? { path.utf8.lastIndex(of: slash) }

/// A text with its slashes replaced by underscores, so that it is a single file name.
public func withoutSlashes(_ text: String) -> String {
  String(decoding: text.utf8.map { $0 == slash ? UInt8(ascii: "_") : $0 }, as: UTF8.self)
}

/// Whether a path begins at the root.
func isAbsolute(_ path: String) -> Bool { path.utf8.first == slash }

private let slash = UInt8(ascii: "/")
