import FaceDecoding
import Inference
import YOLOFace

/// What the page has opened. The page calls one function at a time.
nonisolated(unsafe) private var session: Session?
/// Why the last call was refused, or what it answered in words, in UTF-8.
nonisolated(unsafe) private var message: [UInt8] = []

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
      colours(of: pixels, count: count), width: width, height: height, options: options)
  }
  return isDone ? (session?.faces.count ?? 0) / 15 : -1
}

/// Copies the faces of the last run, fifteen numbers each, see `Session.faces`.
@_expose(wasm, "faces") @_cdecl("yoloface_faces")
public func faces(_ target: UnsafeMutablePointer<Double>) {
  guard let session else { return }
  for (index, number) in session.faces.enumerated() { target[index] = number }
}

/// Computes blobs from the network's input; false where that was refused.
///
/// - Parameters:
///   - input: channels × rows × columns.
///   - names: the blobs', UTF-8, with a line feed between two.
@_expose(wasm, "compute") @_cdecl("yoloface_compute")
public func compute(
  _ input: UnsafePointer<Float>, _ channels: Int, _ rows: Int, _ columns: Int,
  _ names: UnsafePointer<UInt8>, _ nameBytes: Int
) -> Bool {
  succeeds { () throws(Refusal) in
    guard let count = product([channels, rows, columns]) else {
      throw Refusal(message: "an input cannot have shape \(channels) × \(rows) × \(columns)")
    }
    let values = Array(UnsafeBufferPointer(start: input, count: count))
    let tensor = try refusing { () throws(InferenceError) in
      try Tensor(shape: [channels, rows, columns], values: values)
    }
    try session?.compute(texts(names, nameBytes), from: tensor)
  }
}

/// Computes blobs from the last picture; false where that was refused.
///
/// - Parameter names: the blobs', UTF-8, with a line feed between two.
@_expose(wasm, "computeOfPicture") @_cdecl("yoloface_compute_of_picture")
public func computeOfPicture(_ names: UnsafePointer<UInt8>, _ nameBytes: Int) -> Bool {
  succeeds { () throws(Refusal) in
    guard let input = session?.input else { throw Refusal(message: "there is no picture yet") }
    try session?.compute(texts(names, nameBytes), from: input)
  }
}

/// Puts a line for each layer into the message, see `Session.layerLines`.
@_expose(wasm, "describeLayers") @_cdecl("yoloface_describe_layers")
public func describeLayers() { message = Array((session?.layerLines ?? "").utf8) }

/// Finds how a convolution's number comes about, of the blob that was computed first, and returns the
/// number of its products; -1 where that was refused.
@_expose(wasm, "look") @_cdecl("yoloface_look")
public func look(_ layer: Int, _ channel: Int, _ row: Int, _ column: Int) -> Int {
  let isDone = succeeds { () throws(Refusal) in
    try session?.look(at: layer, channel: channel, row: row, column: column)
  }
  return isDone ? session?.window?.terms.count ?? -1 : -1
}

/// Copies it: bias, sum and result, then channel, row, column, value and weight of each product.
@_expose(wasm, "copyWindow") @_cdecl("yoloface_window")
public func copyWindow(_ target: UnsafeMutablePointer<Double>) {
  guard let window = session?.window else { return }
  var numbers = [Double(window.bias), Double(window.sum), Double(window.result)]
  for term in window.terms {
    numbers += [Double(term.channel), Double(term.row), Double(term.column)]
    numbers += [Double(term.value), Double(term.weight)]
  }
  for (place, number) in numbers.enumerated() { target[place] = number }
}

/// The number of axes of a computed blob, whose sizes are written.
@_expose(wasm, "blobShape") @_cdecl("yoloface_blob_shape")
public func blobShape(_ index: Int, _ sizes: UnsafeMutablePointer<Int32>) -> Int {
  guard let blobs = session?.blobs, blobs.indices.contains(index) else { return 0 }
  for (axis, size) in blobs[index].shape.enumerated() { sizes[axis] = Int32(size) }
  return blobs[index].shape.count
}

/// Copies a computed blob.
@_expose(wasm, "copyBlob") @_cdecl("yoloface_blob")
public func copyBlob(_ index: Int, _ target: UnsafeMutablePointer<Float>) {
  guard let blobs = session?.blobs, blobs.indices.contains(index) else { return }
  for (place, value) in blobs[index].values.enumerated() { target[place] = value }
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
private func texts(_ start: UnsafePointer<UInt8>, _ count: Int) -> [String] {
  bytes(start, count).split(separator: UInt8(ascii: "\n")).map {
    String(decoding: $0, as: UTF8.self)
  }
}

/// Three bytes of each four.
private func colours(of pixels: UnsafePointer<UInt8>, count: Int) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: 3 * count) { colours, filled in
    for pixel in 0..<count {
      for byte in 0..<3 { colours[3 * pixel + byte] = pixels[4 * pixel + byte] }
    }
    filled = 3 * count
  }
}

/// The product of positive sizes, at most 2²⁸; nil otherwise.
private func product(_ sizes: [Int]) -> Int? {
  var count = 1
  for size in sizes {
    guard size > 0, size <= (1 << 28) / count else { return nil }
    count *= size
  }
  return count
}

private func succeeds(_ body: () throws(Refusal) -> Void) -> Bool {
  message = []
  do throws(Refusal) {
    try body()
    return true
  } catch {
    message = Array(error.message.utf8)
    return false
  }
}
