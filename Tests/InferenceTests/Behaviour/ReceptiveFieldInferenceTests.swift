// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
@testable import YOLOFaceInference
@testable import YOLOFaceNCNN

/// Receptive fields of networks, compared with the pixels that change a cell when the interpreter
/// runs.
struct ReceptiveFieldInferenceTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var layers: [String]
    /// Whether both ends of every window are seen; false where a window has holes or an
    /// interpolation has a weight of 0.
    var isExact: Bool

    init(_ description: String, isExact: Bool = true, _ layers: String...) {
      (testDescription, self.layers, self.isExact) = (description, layers, isExact)
    }
  }

  static let cases = [
    Case(
      "convolutions",
      "Convolution a 1 1 data a 0=3 1=3 3=2 4=1 5=1 6=54",
      "Convolution b 1 1 a out 0=2 1=5 4=2 6=150"),
    Case(
      "uneven windows",
      "Convolution a 1 1 data a 0=2 1=3 11=1 3=1 13=2 4=1 14=0 6=12",
      "Convolution b 1 1 a out 0=2 1=2 11=4 4=0 15=1 14=3 16=0 6=32"),
    Case(
      "SAME borders",
      "Convolution a 1 1 data a 0=2 1=4 3=2 4=-233 6=64",
      "Pooling b 1 1 a out 0=1 1=3 2=2 5=3"),
    Case(
      "maximum, then depthwise and pointwise",
      "Pooling a 1 1 data a 1=2 2=2",
      "ConvolutionDepthWise b 1 1 a b 0=2 1=3 4=1 6=18 7=2",
      "Convolution c 1 1 b out 0=3 1=1 6=6"),
    Case(
      "channels dealt out to pixels",
      "Convolution a 1 1 data a 0=8 1=3 3=2 4=1 6=144", "PixelShuffle b 1 1 a b 0=2",
      "Clip c 1 1 b c 0=-1e9", "Convolution d 1 1 c out 0=2 1=3 4=1 6=36"),
    Case(
      "deconvolutions",
      "Convolution a 1 1 data a 0=2 1=3 3=2 4=1 6=36",
      "Deconvolution b 1 1 a b 0=2 1=4 3=2 4=1 6=64",
      "DeconvolutionDepthWise c 1 1 b c 0=2 1=3 3=1 13=2 4=-234 20=14 21=30 6=18 7=2",
      "Convolution d 1 1 c out 0=2 1=3 4=1 6=36"),
    Case(
      "doubled pixels",
      "Convolution a 1 1 data a 0=2 1=3 3=2 4=1 6=36", "Interp b 1 1 a b 0=1 1=2.0 2=2.0",
      "Convolution c 1 1 b out 0=2 1=3 4=1 6=36"),
    Case(
      "pixels three for two",
      "Interp a 1 1 data a 0=1 1=1.5 2=1.5", "Convolution b 1 1 a out 0=2 1=3 4=1 6=36"),
    Case(
      "a pyramid",
      "Convolution a 1 1 data a 0=2 1=3 3=2 4=1 6=36", "Split s 1 2 a a0 a1",
      "Convolution b 1 1 a0 b 0=2 1=3 3=2 4=1 6=36", "Interp c 1 1 b c 0=1 1=2.0 2=2.0",
      "Concat d 2 1 c a1 d", "ShuffleChannel e 1 1 d e 0=2",
      "Slice f 1 2 e f0 f1 -23300=2,2,-233",
      "BinaryOp g 2 1 f0 f1 g 0=0", "Convolution h 1 1 g out 0=2 1=3 4=1 6=36"),
    Case(
      "borders, parts and a crop",
      "Padding a 1 1 data a 0=2 1=1 2=3 3=0", "Slice b 1 2 a b0 b1 -23300=2,9,-233 1=1",
      "Crop c 1 1 b1 c -23309=2,1,2 -23310=2,-233,-1 -23311=2,1,2",
      "Convolution d 1 1 c out 0=2 1=3 6=36"),
    Case(
      "a dilated convolution", isExact: false,
      "Convolution a 1 1 data a 0=2 1=3 2=2 3=2 4=2 6=36",
      "Convolution b 1 1 a out 0=2 1=3 4=1 6=36"),
    Case(
      "bilinear resizing", isExact: false,
      "Interp a 1 1 data a 0=2 1=2.0 2=1.5", "Convolution b 1 1 a out 0=2 1=3 4=1 6=36"),
    Case(
      "bilinear resizing with aligned corners", isExact: false,
      "Interp a 1 1 data out 0=2 3=23 4=9 6=1"),
    Case(
      "bicubic", isExact: false,
      "Interp a 1 1 data a 0=3 1=2.0 2=1.5", "Convolution b 1 1 a out 0=2 1=3 4=1 6=36"),
    Case(
      "bicubic, corners aligned", isExact: false,
      "Interp a 1 1 data out 0=3 3=23 4=9 6=1"),
    Case(
      "adaptive pooling", isExact: false,
      "Pooling a 1 1 data out 0=1 7=1 8=5 18=4"),
  ]

  @Test(arguments: cases) func containsWhatIsSeen(_ example: Case) throws {
    var random = SeededGenerator(seed: 1)
    let insideCount = try check(example.layers, isExact: example.isExact, random: &random)
    #expect(insideCount > 0)
  }

  @Test(arguments: 1...12) func containsWhatRandomChainsSee(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var layers: [String] = []
    for number in 0..<3 {
      let reads = number == 0 ? "data" : "\(number - 1)"
      let writes = number == 2 ? "out" : "\(number)"
      if random.integer(0...3) == 0 {
        layers.append("Interp l\(number) 1 1 \(reads) \(writes) 0=1 1=2.0 2=2.0")
      } else {
        let (kernel, stride) = (random.integer(1...3), random.integer(1...2))
        layers.append(
          "Convolution l\(number) 1 1 \(reads) \(writes) 0=2 1=\(kernel) 3=\(stride)"
            + " 4=\(random.integer(0...2)) 6=\(4 * kernel * kernel)")
      }
    }
    _ = try check(layers, isExact: true, random: &random)
  }

  /// Compares the claimed windows with the pixels whose change alters a cell: these are inside the
  /// window, and where the window is inside the picture they reach its ends.
  ///
  /// - Returns: the number of cells with such a window; 0 also where the field is not one of
  ///   windows.
  private func check(
    _ layers: [String], isExact: Bool, random: inout SeededGenerator
  ) throws -> Int {
    let (rows, columns) = (20, 16)
    let network = try Network(layers: layers, random: &random)
    let input = try Tensor(shape: [2, rows, columns], random: &random)
    let shapes = try ShapeInference(network, inputs: ["data": input.shape]).shapes
    let field = ReceptiveFieldInference(of: network, shapes: shapes)["out"]
    guard case .windows(let rowWindows, let columnWindows, true) = field else {
      Issue.record("\(field)")
      return 0
    }
    let interpreter = try Interpreter(network)
    func run(_ input: Tensor) throws -> Tensor {
      try #require(try interpreter.run(["data": input], extracting: ["out"])["out"])
    }
    let plain = try run(input)
    let cells = plain.rows * plain.columns
    var seen = [(rows: ClosedRange<Int>, columns: ClosedRange<Int>)?](repeating: nil, count: cells)
    for y in 0..<rows {
      for x in 0..<columns {
        var changed = input
        for channel in 0..<2 { changed.values[(channel * rows + y) * columns + x] += 1000 }
        let result = try run(changed)
        for index in result.values.indices where result.values[index] != plain.values[index] {
          let cell = index % cells
          let before = seen[cell] ?? (y...y, x...x)
          seen[cell] = (
            min(before.rows.lowerBound, y)...max(before.rows.upperBound, y),
            min(before.columns.lowerBound, x)...max(before.columns.upperBound, x)
          )
        }
      }
    }
    var insideCount = 0
    for cell in 0..<cells {
      let claimedRows = rowWindows[cell / plain.columns]
      let claimedColumns = columnWindows[cell % plain.columns]
      if let seen = seen[cell] {
        #expect(seen.rows.clamped(to: claimedRows) == seen.rows, "cell \(cell)")
        #expect(seen.columns.clamped(to: claimedColumns) == seen.columns, "cell \(cell)")
      }
      guard claimedRows.clamped(to: 0...rows - 1) == claimedRows,
        claimedColumns.clamped(to: 0...columns - 1) == claimedColumns
      else { continue }
      insideCount += 1
      if isExact {
        #expect(seen[cell]?.rows == claimedRows, "cell \(cell)")
        #expect(seen[cell]?.columns == claimedColumns, "cell \(cell)")
      }
    }
    return insideCount
  }

  /// The numbers come from a program that walks from a cell of the output back to the input,
  /// halving cell numbers at an Interp. Reshape and Permute come last.
  @Test func ofTheDefaultModel() throws {
    let path = SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5.param").path
    let network = try Network(param: path)
    let shapes = try ShapeInference(network, inputs: ["data": [3, 480, 640]]).shapes
    let fields = ReceptiveFieldInference(of: network, shapes: shapes)
    func windows(_ blob: String) throws -> PixelWindows {
      guard case .windows(let rows, let columns, false) = fields[blob], rows == columns else {
        Issue.record("\(blob): \(fields[blob])")
        return .pixels
      }
      return rows
    }
    let fine = try windows("out_8")
    #expect(
      (0...4).map { fine[$0] } == [-295...263, -295...295, -295...295, -263...295, -263...295])
    #expect((fine.size, fine.jump) == (591, 8))
    let middle = try windows("out_16")
    #expect((middle.size, middle.jump, middle.start) == (623, 16, -327))
    let coarse = try windows("out_32")
    #expect((coarse.size, coarse.jump, coarse.start) == (719, 32, -359))
  }

  /// The field of `out` in a network of layers, one a line.
  private func field(_ layers: String, input: [Int] = [1, 8, 8]) throws -> ReceptiveField {
    let network = try Network(layers: layers.split(separator: "\n").map(String.init))
    let inference = ShapeInference(partial: network, inputs: ["data": input])
    return ReceptiveFieldInference(of: network, shapes: inference.shapes)["out"]
  }

  @Test(arguments: [
    "Pooling a 1 1 data out 0=1 4=1", "InnerProduct a 1 1 data out 0=3 2=192",
    // Squeeze and excitation: a factor that depends on all pixels.
    "Split s 1 2 data x y\nPooling a 1 1 x a 0=1 4=1\nSigmoid b 1 1 a b\nBinaryOp c 2 1 y b out 0=2",
  ])
  func wholeInput(layers: String) throws { #expect(try field(layers) == .wholeInput) }

  @Test(arguments: [
    "Crop c 1 1 a out 0=3 3=2 4=1", "Crop c 1 1 a out -23309=1,3 -23310=1,5 -23311=1,0",
    "Slice s 1 2 a b out -23300=2,3,-233",
  ])
  func partsOfAFlatBlobSeeWhatItSees(layer: String) throws {
    let found = try field("Flatten f 1 1 data a\n" + layer)
    #expect(found == .windows(rows: .pixels, columns: .pixels, isInPlace: false))
  }

  @Test func storedBlobsSeeNothing() throws {
    let stored = "MemoryData m 0 1 m 0=8 1=8 2=1\nBinaryOp a 2 1 data m b 0=0\nReLU r 1 1 b out"
    #expect(try field(stored) != .nothing)
    #expect(try field("MemoryData m 0 1 out 0=8 1=8 2=1") == .nothing)
  }

  @Test(arguments: [
    ("SPP g (line 4)", "SPP g 1 1 data a\nReLU r 1 1 a out"),
    ("Convolution c (line 4)", "Convolution c 1 1 data out 0=1 1=9 6=81"),
    ("Convolution c (line 5)", "Permute p 1 1 data a 0=1\nConvolution c 1 1 a out 0=1 1=3 6=9"),
    (
      "Concat c (line 6)",
      "Split s 1 2 data x y\nPooling r 1 1 x a 1=3 2=1 3=1\nConcat c 2 1 a y out 0=1"
    ),
    (
      "BinaryOp b (line 6)",
      "Split s 1 2 data x y\nConvolution c 1 1 x a 0=1 1=8 6=64\nBinaryOp b 2 1 y a out 0=0"
    ),
    // A stride of 2²⁰, again and again.
    (
      "Convolution c1 (line 5)",
      "Convolution c0 1 1 data a 0=1 1=1 3=1048576 6=1\nConvolution c1 1 1 a out 0=1 1=1 3=1048576 6=1"
    ),
    ("Interp i (line 4)", "Interp i 1 1 data out 0=1 3=1021 4=1048573"),
    // The cut of 2³⁹ pixels, times the stride of 2²⁸ before it, is more than 64 bits hold.
    (
      "Deconvolution d (line 6)",
      "Convolution c1 1 1 data a 0=1 1=1 3=1048576 6=1\nConvolution c2 1 1 a b 0=1 1=1 3=256 6=1\n"
        + "Deconvolution d 1 1 b out 0=1 1=1048576 11=1 2=1048576 12=1 4=-233 14=-233 15=-233 16=-233"
        + " 20=1 21=1 6=1048576"
    ),
  ])
  func explainsWhyItIsUnknown(layer: String, layers: String) throws {
    let found = try field(layers)
    guard case .unknown(let reason) = found else {
      Issue.record("\(found)")
      return
    }
    #expect(reason.contains(layer), "\(reason)")
  }

  /// Each of many layers would add a thousand windows.
  @Test func refusesToExhaustMemory() throws {
    let many = (0..<3000).map { "Convolution c\($0) 1 1 \($0) \($0 + 1) 0=1 1=3 4=1 6=9\n" }
    let layers = "Interp i 1 1 data 0 0=1 3=1000 4=1000\n" + many.joined() + "ReLU r 1 1 3000 out"
    let found = try field(layers, input: [1, 999, 999])
    if case .unknown = found { return }
    Issue.record("\(found)")
  }
}
