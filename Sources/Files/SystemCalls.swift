import LibC

/// The system's message for an error number.
public func systemMessage(_ error: Int32) -> String { String(cString: strerror(error)) }

/// Calls a function of the system again as long as a signal interrupts it, as glibc's `TEMP_FAILURE_RETRY` does.
public func uninterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result >= 0 || errno != EINTR { return result }
  }
}

/// Reads bytes from a descriptor until there are enough, or it ends.
///
/// - Parameters:
///   - descriptor: that of a file, a pipe or a terminal.
///   - limit: the most bytes, for which memory is reserved.
///   - failure: makes an error of the system's message.
public func readBytes<Failure: Error>(
  _ descriptor: Int32, atMost limit: Int, failure: (String) -> Failure
) throws(Failure) -> [UInt8] {
  var error: Int32 = 0
  let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
    while count < limit {
      let got = uninterrupted {
        read(descriptor, buffer.baseAddress.map { $0 + count }, limit - count)
      }
      if got < 0 { error = errno }
      if got <= 0 { break }
      count += got
    }
  }
  guard error == 0 else { throw failure(systemMessage(error)) }
  return bytes
}
