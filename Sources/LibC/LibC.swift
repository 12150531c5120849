// SPDX-License-Identifier: Apache-2.0

// The C library under one name on every platform.
#if canImport(Darwin)
  @_exported import Darwin
#elseif canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(EmbeddedLibC)
  @_exported import EmbeddedLibC
#endif

/// Asks for large pages where there is much memory: in small ones, its first use would spend much of its time on page
/// faults.
///
/// - Parameters:
///   - memory: allocated and not used yet.
///   - bytes: its size.
public func useLargePages(_ memory: UnsafeMutableRawPointer?, bytes: Int) {
  #if os(Linux)
    guard let memory, bytes >= 4 << 20 else { return }
    let page = Int(getpagesize())
    madvise(memory.alignedUp(toMultipleOf: page), bytes - page, MADV_HUGEPAGE)
  #endif
}
