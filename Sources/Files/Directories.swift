#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Makes sure that files can be made in a directory, which is created where it is missing, with
/// those above it.
///
/// - Throws: `FileError`.
public func prepareDirectory(_ path: String) throws(FileError) {
  func failure(_ found: String) -> FileError {
    FileError(path: path, found: found, expected: "a directory that can be written to")
  }
  var end = path.startIndex
  while end < path.endIndex {
    end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
    let prefix = String(path[..<end])
    if access(prefix, F_OK) != 0, mkdir(prefix, 0o777) != 0, errno != EEXIST {
      throw failure(systemMessage(errno))
    }
  }
  var status = stat()
  guard stat(path, &status) == 0 else { throw failure(systemMessage(errno)) }
  guard status.st_mode & S_IFMT == S_IFDIR else { throw failure("a file") }
  guard access(path, W_OK | X_OK) == 0 else { throw failure(systemMessage(errno)) }
}
