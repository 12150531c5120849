// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceDecoding

/// The network that the page has opened, if any. The page calls one function at a time.
nonisolated(unsafe) var session: Session?
/// Why the last call was refused, or the words of its answer, in UTF-8.
nonisolated(unsafe) var message: [UInt8] = []

/// Memory for the page to write to, until it is released.
@_expose(wasm, "allocate") @_cdecl("yoloface_allocate")
public func allocate(_ bytes: Int) -> UnsafeMutableRawPointer {
  .allocate(byteCount: max(1, bytes), alignment: 16)
}

/// Frees what `allocate` gave.
@_expose(wasm, "release") @_cdecl("yoloface_release")
public func release(_ memory: UnsafeMutableRawPointer) { memory.deallocate() }

/// Opens a network; false where it was refused.
@_expose(wasm, "open") @_cdecl("yoloface_open")
public func open(
  _ param: UnsafePointer<UInt8>, _ paramBytes: Int, _ bin: UnsafePointer<UInt8>, _ binBytes: Int
) -> Bool {
  succeeds { () throws(Refusal) in
    session = try Session(param: bytes(param, paramBytes), bin: bytes(bin, binBytes))
  }
}

/// Finds faces and returns how many; -1 where that was refused.
///
/// - Parameters:
///   - pixels: four bytes each, red, green, blue and one that is ignored.
///   - longSide: the input's; 0 for the model's own size.
@_expose(wasm, "detect") @_cdecl("yoloface_detect")
public func detect(
  _ pixels: UnsafePointer<UInt8>, _ width: Int, _ height: Int, _ longSide: Int, _ score: Float,
  _ overlap: Double
) -> Int {
  let isDone = succeeds { () throws(Refusal) in
    guard let count = product([width, height]) else {
      throw Refusal(message: "a picture cannot have \(width) × \(height) pixels")
    }
    var options = DetectionOptions()
    if longSide > 0 { options.letterbox = .longSide(longSide) }
    options.scoreThreshold = score
    options.overlapThreshold = overlap
    try session?.detect(
      colors(of: pixels, count: count), width: width, height: height, options: options)
  }
  return isDone ? (session?.faces.count ?? 0) / 15 : -1
}

/// Copies the faces of the last run, fifteen numbers each, see `Face.numbers`.
@_expose(wasm, "faces") @_cdecl("yoloface_faces")
public func faces(_ target: UnsafeMutablePointer<Double>) {
  guard let session else { return }
  for (index, number) in session.faces.enumerated() { target[index] = number }
}

/// The length of the message.
@_expose(wasm, "messageBytes") @_cdecl("yoloface_message_bytes")
public func messageBytes() -> Int { message.count }

/// Copies the message.
@_expose(wasm, "copyMessage") @_cdecl("yoloface_message")
public func copyMessage(_ target: UnsafeMutablePointer<UInt8>) {
  for (index, byte) in message.enumerated() { target[index] = byte }
}

private func bytes(_ start: UnsafePointer<UInt8>, _ count: Int) -> [UInt8] {
  Array(UnsafeBufferPointer(start: start, count: count))
}

/// Lines of UTF-8.
func texts(_ start: UnsafePointer<UInt8>, _ count: Int) -> [String] {
  bytes(start, count).split(separator: UInt8(ascii: "\n")).map {
    String(decoding: $0, as: UTF8.self)
  }
}

/// Three bytes of each four.
func colors(of pixels: UnsafePointer<UInt8>, count: Int) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: 3 * count) { colors, filled in
    for pixel in 0..<count {
      for byte in 0..<3 { colors[3 * pixel + byte] = pixels[4 * pixel + byte] }
    }
    filled = 3 * count
  }
}

/// The product of positive sizes, at most 2²⁸; nil otherwise.
func product(_ sizes: [Int]) -> Int? {
  var count = 1
  for size in sizes {
    guard size > 0, size <= (1 << 28) / count else { return nil }
    count *= size
  }
  return count
}

func succeeds(_ body: () throws(Refusal) -> Void) -> Bool {
  message = []
  do throws(Refusal) {
    try body()
    return true
  } catch {
    message = Array(error.message.utf8)
    return false
  }
}
