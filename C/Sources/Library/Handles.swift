// SPDX-License-Identifier: Apache-2.0
import Header
import YOLOFace
import YOLOFaceLibC

/// What a handle stands for.
enum Resource: Sendable {
  case detector(FaceDetector)
  case picture(LoadedPicture)
  case network(LoadedNetwork)
  case run(Run)
}

/// The open handles: numbers that are never given twice, so that a stale one finds nothing.
private let open = SystemMutex<(last: UInt64, resources: [UInt64: Resource])>((0, [:]))

/// A new handle for what a function makes; 0 where it fails.
func opening(_ make: () throws -> Resource) -> UInt64 {
  answering(0) {
    let resource = try make()
    return open.withLock { open in
      open.last += 1
      open.resources[open.last] = resource
      return open.last
    }
  }
}

/// What a function answers; where it fails, `failure`, and the error becomes the thread's last.
func answering<Answer>(_ failure: Answer, _ answer: () throws -> Answer) -> Answer {
  do { return try answer() } catch {
    remember_last_error(printable("\(error)"))
    return failure
  }
}

/// A message in which control characters, line separators and what is invisible or turns the direction of writing are
/// escaped, as the tool does: a name from outside may contain them. A long one loses its middle, since the reason
/// stands behind the name.
private func printable(_ message: String) -> String {
  var result = ""
  for scalar in message.unicodeScalars {
    switch scalar.properties.generalCategory {
    // Words of some scripts and emoji have joiners.
    case .format where scalar == "\u{200C}" || scalar == "\u{200D}":
      result.unicodeScalars.append(scalar)
    case .control, .format, .lineSeparator, .paragraphSeparator:
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  let half = 1000
  let scalars = result.unicodeScalars
  guard scalars.count > 2 * half else { return result }
  return "\(String(scalars.prefix(half)))…\(String(scalars.suffix(half)))"
}

/// What a handle stands for, if `read` finds it to be of its kind.
func resource<Found>(
  _ handle: UInt64, _ kind: String, _ read: (Resource) -> Found?
) throws(CallError) -> Found {
  guard let resource = open.withLock({ $0.resources[handle] }), let found = read(resource) else {
    throw CallError("found handle \(handle), expected an open \(kind)")
  }
  return found
}

/// See `yoloface.h`.
@_cdecl("yoloface_close")
public func close(_ handle: UInt64) -> Int32 {
  answering(-1) {
    // What is freed is freed outside of the lock: it may take long.
    guard let closed = open.withLock({ $0.resources.removeValue(forKey: handle) }) else {
      throw CallError("found handle \(handle), expected an open one")
    }
    withExtendedLifetime(closed) {}
    return 0
  }
}

/// Why a call makes no sense.
struct CallError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A pointer that must not be NULL.
func required<Pointer>(_ pointer: Pointer?, _ name: String) throws(CallError) -> Pointer {
  guard let pointer else { throw CallError("found NULL as \(name)") }
  return pointer
}

/// Text from outside.
func text(_ pointer: UnsafePointer<CChar>?, _ name: String) throws(CallError) -> String {
  guard let text = String(validatingCString: try required(pointer, name)) else {
    throw CallError("found bytes that are not UTF-8, expected text as \(name)")
  }
  return text
}

/// A name from outside, no longer than one in ncnn's format: to compare long strings may take hours.
func name(_ pointer: UnsafePointer<CChar>?, _ what: String) throws(CallError) -> String {
  let name = try text(pointer, what)
  guard name.utf8.count <= 255 else {
    throw CallError("found \(name.utf8.count) bytes as \(what), expected at most 255")
  }
  return name
}

/// A number from outside within bounds.
func required<Number: BinaryInteger>(
  _ number: Number, _ name: String, in bounds: ClosedRange<Number>
) throws(CallError) -> Int {
  guard bounds.contains(number) else {
    throw CallError(
      "found \(number) as \(name), expected from \(bounds.lowerBound) to \(bounds.upperBound)")
  }
  return Int(number)
}

/// Values that C reads as long as this object lives.
final class CValues<Element: BitwiseCopyable>: @unchecked Sendable {
  /// Written before anyone else knows of it, and never again.
  let buffer: UnsafeMutableBufferPointer<Element>

  init(_ values: [Element]) {
    buffer = .allocate(capacity: values.count)
    _ = buffer.initialize(fromContentsOf: values)
  }

  deinit { buffer.deallocate() }
}

/// Text of C.
typealias CText = CValues<CChar>

extension CText {
  convenience init(_ text: String) { self.init(Array(text.utf8CString)) }

  var pointer: UnsafePointer<CChar>? { UnsafePointer(buffer.baseAddress) }
}

private let version = CText(FaceDetector.libraryVersion)
private let terms = CText(FaceDetector.defaultModelTerms)

/// See `yoloface.h`.
@_cdecl("yoloface_model_terms")
public func modelTerms() -> UnsafePointer<CChar>? { terms.pointer }

/// See `yoloface.h`.
@_cdecl("yoloface_version")
public func versionText() -> UnsafePointer<CChar>? { version.pointer }
