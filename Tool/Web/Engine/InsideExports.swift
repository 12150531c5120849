// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFace
import YOLOFaceDecoding
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceRaster

// What the page asks about the inside of the network.

/// Computes blobs from the last picture; false where that was refused.
///
/// - Parameter names: the blobs', UTF-8, with a line feed between two.
@_expose(wasm, "computeOfPicture") @_cdecl("yoloface_compute_of_picture")
public func computeOfPicture(_ names: UnsafePointer<UInt8>, _ nameBytes: Int) -> Bool {
  succeeds { () throws(Refusal) in try session?.compute(texts(names, nameBytes)) }
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

/// Copies it: bias, sum, result, and the scales of the input, the weights and the output, NaN where there is none; then
/// channel, row, column, value and weight of each product.
@_expose(wasm, "copyWindow") @_cdecl("yoloface_window")
public func copyWindow(_ target: UnsafeMutablePointer<Double>) {
  guard let window = session?.window else { return }
  let scales = window.scales
  let results = [
    window.bias, window.sum, window.result, scales?.inputScale ?? .nan,
    scales?.weightScales[0] ?? .nan, scales?.outputScale ?? .nan,
  ]
  var numbers = results.map { Double($0) }
  for term in window.terms {
    numbers += [Double(term.channel), Double(term.row), Double(term.column)]
    numbers += [Double(term.value), Double(term.weight)]
  }
  for (place, number) in numbers.enumerated() { target[place] = number }
}

/// Takes the network's input, letterboxed already; false where that was refused.
///
/// - Parameter pixels: four bytes each, red, green, blue and one that is ignored.
@_expose(wasm, "take") @_cdecl("yoloface_take")
public func take(_ pixels: UnsafePointer<UInt8>, _ width: Int, _ height: Int) -> Bool {
  succeeds { () throws(Refusal) in
    guard let count = product([width, height]) else {
      throw Refusal(message: "an input cannot have \(width) × \(height) pixels")
    }
    try session?.take(colors(of: pixels, count: count), width: width, height: height)
  }
}

/// Copies the network's input, 8-bit RGB; false where it has another size.
@_expose(wasm, "copyInput") @_cdecl("yoloface_input")
public func copyInput(
  _ width: Int, _ height: Int, _ target: UnsafeMutablePointer<UInt8>
) -> Bool {
  succeeds { () throws(Refusal) in
    guard let input = session?.input, input.width == width, input.height == height else {
      throw Refusal(message: "the input does not have \(width) × \(height) pixels")
    }
    for (place, byte) in input.pixels.enumerated() { target[place] = byte }
  }
}

/// Reads what the heads say of the input, and returns how many candidates have at least a score; -1
/// where that was refused.
@_expose(wasm, "explain") @_cdecl("yoloface_explain")
public func explain(_ score: Float) -> Int {
  let isDone = succeeds { () throws(Refusal) in try session?.explain() }
  return isDone ? session?.candidates(from: score).count ?? -1 : -1
}

/// Copies the candidates: head, anchor, row and column of each, then the fifteen numbers of its face in
/// pixels of the input.
@_expose(wasm, "copyCandidates") @_cdecl("yoloface_candidates")
public func copyCandidates(_ score: Float, _ target: UnsafeMutablePointer<Double>) {
  guard let session else { return }
  var place = 0
  for (head, candidate) in session.candidates(from: score) {
    let cell = [head, candidate.anchor, candidate.row, candidate.column].map { Double($0) }
    for number in cell + candidate.face.numbers {
      target[place] = number
      place += 1
    }
  }
}

/// Decodes a proposal and returns the number of its values, 0 where its head does not say what they are, or -1
/// where that was refused. The message then has a line for each: its name and its formula, with a tab between
/// them.
@_expose(wasm, "decode") @_cdecl("yoloface_decode")
public func decode(_ head: Int, _ anchor: Int, _ row: Int, _ column: Int) -> Int {
  let isDone = succeeds { () throws(Refusal) in
    guard session != nil else { throw Refusal(message: "no network is open") }
    try session?.decode((anchor, row, column), of: head)
  }
  guard isDone, let decoding = session?.decoding else { return -1 }
  message = Array(decoding.map { "\($0.name)\t\($0.formula)" }.joined(separator: "\n").utf8)
  return decoding.count
}

/// Copies the network's number and the decoded value of each.
@_expose(wasm, "copyDecoding") @_cdecl("yoloface_decoding")
public func copyDecoding(_ target: UnsafeMutablePointer<Double>) {
  guard let session else { return }
  for (place, step) in session.decoding.enumerated() {
    target[2 * place] = Double(step.raw)
    target[2 * place + 1] = step.value
  }
}

/// Copies the shape of a head's grid: rows, columns, width and height of a cell.
@_expose(wasm, "copyGrid") @_cdecl("yoloface_grid")
public func copyGrid(_ head: Int, _ target: UnsafeMutablePointer<Double>) {
  guard let session, session.readings.indices.contains(head) else { return }
  let grid = session.readings[head].grid
  let cell = session.recipe.heads[head].cellSize(in: grid)
  let numbers = [Double(grid.rows), Double(grid.columns), cell.width, cell.height]
  for (place, number) in numbers.enumerated() { target[place] = number }
}

/// Copies one quantity of a head: anchors × rows × columns.
@_expose(wasm, "copyQuantity") @_cdecl("yoloface_quantity")
public func copyQuantity(_ head: Int, _ quantity: Int, _ target: UnsafeMutablePointer<Float>) {
  guard let session, session.readings.indices.contains(head),
    session.readings[head].quantities.indices.contains(quantity)
  else { return }
  for (place, value) in session.readings[head].quantities[quantity].values.enumerated() {
    target[place] = value
  }
}

/// The length of one of a layer's arrays of weights; 0 where there is none.
@_expose(wasm, "weightCount") @_cdecl("yoloface_weight_count")
public func weightCount(_ layer: Int, _ array: Int) -> Int {
  guard let arrays = session?.weights(of: layer), arrays.indices.contains(array) else { return 0 }
  return arrays[array].count
}

/// Copies it.
@_expose(wasm, "copyWeights") @_cdecl("yoloface_weights")
public func copyWeights(_ layer: Int, _ array: Int, _ target: UnsafeMutablePointer<Float>) {
  guard let arrays = session?.weights(of: layer), arrays.indices.contains(array) else { return }
  for (place, value) in arrays[array].floats.enumerated() { target[place] = value }
}

/// Replaces one of a layer's arrays of weights by as many others; false where that was refused.
@_expose(wasm, "replaceWeights") @_cdecl("yoloface_replace_weights")
public func replaceWeights(_ layer: Int, _ array: Int, _ values: UnsafePointer<Float>) -> Bool {
  succeeds { () throws(Refusal) in
    let count = weightCount(layer, array)
    try session?.replace(
      array, of: layer, by: Array(UnsafeBufferPointer(start: values, count: count)))
  }
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
