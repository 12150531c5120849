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
