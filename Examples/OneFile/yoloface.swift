// SPDX-License-Identifier: Apache-2.0
// A face detector in one file, to be read from the top. It shares no line with the engine in Sources, so that each
// is a second opinion on the other: it follows ncnn's pages on its formats and the papers that are named below.
//
//     swiftc -O -I Examples/OneFile/libpng Examples/OneFile/yoloface.swift -o onefile
//     ./onefile Models/yoloface-n-0.5 Examples/astronaut.png
//
// Where libpng's headers are not among the system's, as on macOS, add $(pkg-config --cflags --libs libpng). After the
// picture may follow a long side in place of 640, and a folder for every blob as NAME.npy. Damaged pictures and other
// networks stop the program, mostly with a message. Orientations, angles and what else `detect` knows are left out.

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import libpng

func detectFaces(_ words: [String]) {
  require((3...5).contains(words.count), "usage: onefile MODEL PICTURE.png [LONG-SIDE [FOLDER]]")
  let longSide = words.count > 3 ? Int(words[3]) ?? 0 : 640
  require((32...4096).contains(longSide) && longSide % 32 == 0, "a long side is a multiple of 32")

  let picture = readPNG(words[2])
  let letterbox = Letterbox(picture, longSide: longSide)
  var blobs = ["data": letterbox.input(of: picture)]
  for layer in readModel(words[1]) { run(layer, &blobs) }
  let faces = suppress(decode(blobs, inputWidth: letterbox.inputW))

  print("\(words[2]): \(picture.W) × \(picture.H) pixels,", terminator: " ")
  print(faces.count == 1 ? "1 face" : "\(faces.count) faces")
  for face in faces { printLine(of: face, letterbox) }
  if words.count == 5 { for blob in blobs { writeNPY(blob.value, "\(words[4])/\(blob.key).npy") } }
}

func require(_ condition: Bool, _ message: String) { if !condition { stop(message) } }
func stop(_ message: String) -> Never {
  write(STDERR_FILENO, message + "\n", message.utf8.count + 1)
  exit(1)
}

// MARK: - 1. Tables of numbers
/// A picture, or what layers read and make, which ncnn calls a blob: C maps, or channels, of H rows and W columns.
struct Blob {
  var C, H, W: Int
  /// Map by map, and each map row by row.
  var values: [Float] = []

  /// Computes each number from its map c, row y and column x.
  init(_ C: Int, _ H: Int, _ W: Int, _ number: (_ c: Int, _ y: Int, _ x: Int) -> Float) {
    (self.C, self.H, self.W) = (C, H, W)
    values.reserveCapacity(C * H * W)
    for c in 0..<C { for y in 0..<H { for x in 0..<W { values.append(number(c, y, x)) } } }
  }

  subscript(c: Int, y: Int, x: Int) -> Float { values[(c * H + y) * W + x] }
}

// MARK: - 2. The picture
/// Red, green and blue from 0 to 255. libpng gives rows of pixels of four bytes: the last one, opacity, is not used.
func readPNG(_ path: String) -> Blob {
  var image = png_image()
  image.version = png_uint_32(PNG_IMAGE_VERSION)
  let isPNG = png_image_begin_read_from_file(&image, path) != 0
  let (width, height) = (Int(image.width), Int(image.height))
  require(isPNG && width * height < 1 << 28, "\(path) is no PNG picture of fewer than 2²⁸ pixels")
  image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
  var bytes = [UInt8](repeating: 0, count: 4 * width * height)
  require(png_image_finish_read(&image, nil, &bytes, 0, nil) != 0, "\(path) is damaged")
  return Blob(3, height, width) { c, y, x in Float(bytes[4 * (y * width + x) + c]) }
}

// MARK: - 3. The letterbox
/// Fits a picture into an input whose sides are multiples of 32, since the network halves its input five times. With s
/// its scale and p the padding, a point of the picture is input = picture · s + p, and back picture = (input − p) / s.
struct Letterbox {
  var W, H, inputW, inputH, left, top: Int
  var scaleX, scaleY: Float

  init(_ picture: Blob, longSide: Int) {
    let scale = Double(longSide) / Double(max(picture.W, picture.H))
    (W, H) = (max(1, Int(Double(picture.W) * scale)), max(1, Int(Double(picture.H) * scale)))
    (inputW, inputH) = ((W + 31) / 32 * 32, (H + 31) / 32 * 32)
    (left, top) = ((inputW - W) / 2, (inputH - H) / 2)
    (scaleX, scaleY) = (Float(W) / Float(picture.W), Float(H) / Float(picture.H))
  }

  /// Red, green and blue from 0 to 1, on a border of the grey that YOLOv5 is trained with.
  func input(of picture: Blob) -> Blob {
    Blob(3, inputH, inputW) { c, y, x in
      let isInside = (0..<H).contains(y - top) && (0..<W).contains(x - left)
      return isInside ? level(picture, c, y - top, x - left) / 255 : 114 / 255
    }
  }

  /// The middle of the scaled picture's pixel x, which is x + ½, lies over (x + ½) / scale in the picture, and there over
  /// pixel (x + ½) / scale − ½. Where the picture shrinks to a half or less, n × n such points of the pixel are
  /// averaged, so that no pixel of the picture is passed over.
  func level(_ picture: Blob, _ c: Int, _ y: Int, _ x: Int) -> Float {
    let n = max(1, Int(1 / max(scaleX, scaleY)))
    let levels = (0..<n * n).map { point in
      let (down, right) = (Float(point / n) + 0.5, Float(point % n) + 0.5)
      let (pointY, pointX) = (Float(y) + down / Float(n), Float(x) + right / Float(n))
      return interpolate(picture, c, pointY / scaleY - 0.5, pointX / scaleX - 0.5)
    }
    return (levels.reduce(0, +) / Float(n * n)).rounded()
  }
}

/// Between four pixels, with f the fraction of the way to the right and g of the way down:
///
///     (1 − g) · ((1 − f) · upper left + f · upper right) + g · ((1 − f) · lower left + f · lower right)
func interpolate(_ picture: Blob, _ c: Int, _ y: Float, _ x: Float) -> Float {
  let (y, x) = (min(max(y, 0), Float(picture.H - 1)), min(max(x, 0), Float(picture.W - 1)))
  let (upper, left) = (Int(y), Int(x))
  let (lower, right) = (min(upper + 1, picture.H - 1), min(left + 1, picture.W - 1))
  let (g, f) = (y - Float(upper), x - Float(left))
  return (1 - g) * ((1 - f) * picture[c, upper, left] + f * picture[c, upper, right])
    + g * ((1 - f) * picture[c, lower, left] + f * picture[c, lower, right])
}

// MARK: - 4. The model's files
/// The .param file is text, described in ncnn's wiki, "param and model file structure". The weights are in the .bin file,
/// in the order of the layers.
///
///     7767517                                          the mark of the format
///     224 251                                          how many layers and blobs
///     Convolution stem_c1 1 1 data stem_c1 0=16 1=3    kind, name, how many inputs and outputs, which, key=value
func readModel(_ path: String) -> [Layer] {
  let text = String(decoding: readFile("\(path).param"), as: UTF8.self)
  let lines = text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  require(lines.first == ["7767517"], "\(path).param does not begin with 7767517")
  var file = readFile("\(path).bin")[...]
  return lines.dropFirst(2).map { words in
    var layer = Layer(words)
    if layer.kind.hasPrefix("Convolution") { layer.readWeights(&file) }
    return layer
  }
}

struct Layer {
  var kind, name: String
  var inputs, outputs: [String]
  var parameters: [Int: [Double]] = [:]
  var weights: [Float] = [], bias: [Float] = []

  init(_ words: [String]) {
    let counts = words.dropFirst(2).prefix(2).compactMap { UInt8($0) }.map(Int.init)
    require(counts.count == 2 && words.count >= 4 + counts[0] + counts[1], "no layer: \(words)")
    (kind, name) = (words[0], words[1])
    inputs = Array(words[4...].prefix(counts[0]))
    outputs = Array(words[4...].dropFirst(counts[0]).prefix(counts[1]))
    for word in words[4...].dropFirst(counts[0] + counts[1]) {
      let sides = word.split(separator: "=")
      guard sides.count == 2, var key = Int(sides[0]) else { stop("\(name): \(word)") }
      var numbers = sides[1].split(separator: ",").compactMap { Double($0) }
      // An array is written as −23300−key=length,numbers.
      if key <= -23300 { (key, numbers) = (-23300 - key, Array(numbers.dropFirst())) }
      parameters[key] = numbers
    }
  }

  /// The number of a key, or its standard value, which ncnn's pages name.
  func number(_ key: Int, or standard: Double = 0) -> Int {
    Int(parameters[key]?.first ?? standard)
  }

  /// Four bytes that mean "halves follow", as many of them as key 6 says, filled up to a multiple of four bytes, and a
  /// bias for each output if key 5 is 1.
  mutating func readWeights(_ file: inout ArraySlice<UInt8>) {
    require(readInteger(4, &file) == 0x0130_6B47, "\(name): its weights are not fp16")
    weights = (0..<number(6)).map { _ in readHalf(&file) }
    file = file.dropFirst(2 * weights.count % 4)
    let biases = number(5) == 1 ? number(0) : 0
    bias = (0..<biases).map { _ in Float(bitPattern: readInteger(4, &file)) }
  }
}

/// The next bytes of the file as an integer, of which the low byte comes first.
func readInteger(_ count: Int, _ file: inout ArraySlice<UInt8>) -> UInt32 {
  require(file.count >= count, "the .bin file ends too early")
  defer { file = file.dropFirst(count) }
  return file.prefix(count).reversed().reduce(0) { $0 << 8 | UInt32($1) }
}

/// IEEE 754: a half is a sign s, 5 bits of exponent e and 10 of mantissa m, and stands for
/// (−1)ˢ · (1 + m / 1024) · 2^(e − 15), or where e is 0 for (−1)ˢ · m / 1024 · 2^(−14).
func readHalf(_ file: inout ArraySlice<UInt8>) -> Float {
  let half = readInteger(2, &file)
  let (s, e, m) = (half >> 15, Float(half >> 10 & 31), Float(half & 1023))
  let size = e == 0 ? m / 1024 * exp2(-14) : (1 + m / 1024) * exp2(e - 15)
  return s == 1 ? -size : size
}

func readFile(_ path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { stop("\(path) cannot be opened") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
  return bytes
}

// MARK: - 5. The network
/// Computes one layer. ncnn's wiki, "operators", says what its keys mean.
func run(_ layer: Layer, _ blobs: inout [String: Blob]) {
  if layer.kind == "Input" { return }
  let inputs = layer.inputs.compactMap { blobs[$0] }
  guard let input = inputs.first, inputs.count == layer.inputs.count else {
    stop("\(layer.name) reads what no layer before it makes")
  }
  let outputs =
    switch layer.kind {
    case "Split": layer.outputs.map { _ in input }
    case "Convolution": [convolve(input, layer, groups: 1)]
    case "ConvolutionDepthWise": [convolve(input, layer, groups: layer.number(7, or: 1))]
    case "Swish": [swish(input)]
    case "Pooling": [maximum(input, K: layer.number(1), s: layer.number(2, or: 1))]
    case "Concat": [concatenate(inputs)]
    case "Slice": slice(input, layer.parameters[0] ?? [])
    case "ShuffleChannel": [shuffle(input, groups: layer.number(0, or: 1))]
    case "Interp": [enlarge(input, by: layer.number(1, or: 1))]
    case "Reshape": [reshape(input, H: layer.number(1), C: layer.number(2))]
    case "Permute": [transpose(input)]
    default: stop("\(layer.name): layers of the kind \(layer.kind) are not known here")
    }
  for (name, output) in zip(layer.outputs, outputs) { blobs[name] = output }
}

/// With a kernel of K × K, stride s, and p rows and columns of zeros around the input:
///
///     output[o, y, x] = bias[o] + Σ weight[o, i, ky, kx] · padded[i, y·s + ky, x·s + kx]
///
/// over all ky, kx < K and the n maps i of the output's group. Where every map is a group of its own, the convolution
/// is called depthwise.
func convolve(_ input: Blob, _ layer: Layer, groups: Int) -> Blob {
  let (outputs, K) = (layer.number(0), layer.number(1))
  let (s, p, n) = (layer.number(3, or: 1), layer.number(4), input.C / groups)
  require(layer.weights.count == outputs * n * K * K, "\(layer.name): too few or many weights")
  let padded = Blob(input.C, input.H + 2 * p, input.W + 2 * p) { c, y, x in
    let isInside = (0..<input.H).contains(y - p) && (0..<input.W).contains(x - p)
    return isInside ? input[c, y - p, x - p] : 0
  }
  return Blob(outputs, (padded.H - K) / s + 1, (padded.W - K) / s + 1) { o, y, x in
    let first = o / (outputs / groups) * n
    var sum = layer.bias.isEmpty ? 0 : layer.bias[o]
    for i in 0..<n {
      for ky in 0..<K {
        for kx in 0..<K {
          let weight = layer.weights[((o * n + i) * K + ky) * K + kx]
          sum += weight * padded[first + i, y * s + ky, x * s + kx]
        }
      }
    }
    return sum
  }
}

/// x · σ(x) of each number x. Ramachandran et al., arXiv 1710.05941.
func swish(_ input: Blob) -> Blob {
  Blob(input.C, input.H, input.W) { c, y, x in input[c, y, x] * sigmoid(input[c, y, x]) }
}

/// σ(t) = 1 / (1 + e⁻ᵗ), between 0 and 1.
func sigmoid(_ t: Float) -> Float { 1 / (1 + exp(-t)) }

/// output[c, y, x] = max input[c, y·s + ky, x·s + kx] over ky, kx < K
func maximum(_ input: Blob, K: Int, s: Int) -> Blob {
  Blob(input.C, (input.H - K) / s + 1, (input.W - K) / s + 1) { c, y, x in
    (0..<K * K).map { k in input[c, y * s + k / K, x * s + k % K] }.max() ?? 0
  }
}

/// The inputs' maps, one input's after another's.
func concatenate(_ inputs: [Blob]) -> Blob {
  var output = inputs[0]
  (output.C, output.values) = (inputs.reduce(0) { $0 + $1.C }, inputs.flatMap(\.values))
  return output
}

/// The first maps, the next ones and so on, as many as the sizes say; −233 means the rest.
func slice(_ input: Blob, _ sizes: [Double]) -> [Blob] {
  var first = 0
  return sizes.map { size in
    let count = size == -233 ? input.C - first : Int(size)
    defer { first += count }
    return Blob(count, input.H, input.W) { c, y, x in input[first + c, y, x] }
  }
}

/// With n maps in each of G groups, output[j·G + g, y, x] = input[g·n + j, y, x]: the first map of each group, then the
/// second of each. Zhang et al., "ShuffleNet", arXiv 1707.01083.
func shuffle(_ input: Blob, groups G: Int) -> Blob {
  let n = input.C / G
  return Blob(n * G, input.H, input.W) { c, y, x in input[c % G * n + c / G, y, x] }
}

/// output[c, y, x] = input[c, ⌊y / f⌋, ⌊x / f⌋]: each number becomes f × f of them.
func enlarge(_ input: Blob, by f: Int) -> Blob {
  Blob(input.C, input.H * f, input.W * f) { c, y, x in input[c, y / f, x / f] }
}

/// The same numbers in the same order, in so many maps and rows.
func reshape(_ input: Blob, H: Int, C: Int) -> Blob {
  var output = input
  (output.C, output.H, output.W) = (C, H, input.values.count / (C * H))
  return output
}

/// output[c, y, x] = input[c, x, y]
func transpose(_ input: Blob) -> Blob {
  Blob(input.C, input.W, input.H) { c, y, x in input[c, x, y] }
}

// MARK: - 6. Faces
/// A face in pixels of the network's input: the box, and x and y of the eyes, the nose and the corners of the mouth, the
/// person's right one first.
struct Face {
  var score, left, top, width, height: Float
  var points: [(x: Float, y: Float)]
}

/// Each output has a grid of cells, and for each cell three boxes of fixed sizes, the anchors. A row of 16 numbers t says
/// how the face that a cell proposes differs from an anchor of a × b:
///
///     score   σ(t₄) · σ(t₁₅)
///     middle  (2 σ(t₀) − ½ + column) · stride,  (2 σ(t₁) − ½ + row) · stride
///     sides   (2 σ(t₂))² · a,                   (2 σ(t₃))² · b
///     points  t₅ · a + column · stride,         t₆ · b + row · stride, and so on to t₁₄
///
/// Qi et al., "YOLO5Face", arXiv 2105.12931.
func decode(_ blobs: [String: Blob], inputWidth: Int) -> [Face] {
  let heads: [(stride: Int, anchors: [(Float, Float)])] = [
    (8, [(4, 5), (8, 10), (13, 16)]), (16, [(23, 29), (43, 55), (73, 105)]),
    (32, [(146, 217), (231, 300), (335, 433)]),
  ]
  var faces: [Face] = []
  for (stride, anchors) in heads {
    guard let output = blobs["out_\(stride)"] else { stop("there is no blob out_\(stride)") }
    for (anchor, (a, b)) in anchors.enumerated() {
      for cell in 0..<output.H {
        let t = (0..<16).map { output[anchor, cell, $0] }
        let score = sigmoid(t[4]) * sigmoid(t[15])
        if score < 0.5 { continue }
        let (row, column) = cell.quotientAndRemainder(dividingBy: inputWidth / stride)
        let (x, y) = (Float(column * stride), Float(row * stride))
        let (width, height) = (pow(2 * sigmoid(t[2]), 2) * a, pow(2 * sigmoid(t[3]), 2) * b)
        let left = (2 * sigmoid(t[0]) - 0.5) * Float(stride) + x - width / 2
        let top = (2 * sigmoid(t[1]) - 0.5) * Float(stride) + y - height / 2
        let points = [5, 7, 9, 11, 13].map { (t[$0] * a + x, t[$0 + 1] * b + y) }
        faces.append(
          Face(score: score, left: left, top: top, width: width, height: height, points: points))
      }
    }
  }
  return faces
}

/// From the best face down, keeps each that overlaps no kept one by more than 0.45.
func suppress(_ candidates: [Face]) -> [Face] {
  var kept: [Face] = []
  for face in candidates.sorted(by: { $0.score > $1.score }) {
    if kept.allSatisfy({ overlap($0, face) <= 0.45 }) { kept.append(face) }
  }
  return kept
}

/// Intersection over union: the area that both boxes cover, divided by the area that either covers.
func overlap(_ one: Face, _ other: Face) -> Float {
  let width = min(one.left + one.width, other.left + other.width) - max(one.left, other.left)
  let height = min(one.top + one.height, other.top + other.height) - max(one.top, other.top)
  let intersection = max(0, width) * max(0, height)
  return intersection / (one.width * one.height + other.width * other.height - intersection)
}

// MARK: - 7. What is printed and written
/// Prints a face in pixels of the picture: (input − padding) / scale.
func printLine(of face: Face, _ letterbox: Letterbox) {
  func point(_ x: Float, _ y: Float) -> [Float] {
    [(x - Float(letterbox.left)) / letterbox.scaleX, (y - Float(letterbox.top)) / letterbox.scaleY]
  }
  let sides = [face.width / letterbox.scaleX, face.height / letterbox.scaleY]
  let points = face.points.flatMap { point($0.x, $0.y) }
  let format =
    "  score %.3f  box %.1f,%.1f %.1fx%.1f  right eye %.1f,%.1f  left eye %.1f,%.1f"
    + "  nose %.1f,%.1f  right mouth %.1f,%.1f  left mouth %.1f,%.1f\n"
  withVaList([face.score] + point(face.left, face.top) + sides + points) { _ = vprintf(format, $0) }
}

/// NumPy's format: a mark, the length of a line of text that describes the array, that line, and the numbers.
func writeNPY(_ blob: Blob, _ path: String) {
  let line = "{'descr': '<f4', 'fortran_order': False, 'shape': (\(blob.C), \(blob.H), \(blob.W))}"
  let spaces = [UInt8](repeating: 32, count: 117 - line.utf8.count)
  let head = [0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0] + Array(line.utf8) + spaces + [10]
  guard let file = fopen(path, "wb") else { stop("\(path) cannot be written") }
  defer { fclose(file) }
  fwrite(head, 1, head.count, file)
  fwrite(blob.values, 4, blob.values.count, file)
}

detectFaces(CommandLine.arguments)
