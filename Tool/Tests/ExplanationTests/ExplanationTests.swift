// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceInference
@_spi(Tool) import YOLOFaceNCNN

@testable import YOLOFaceExplanation

struct ExplanationTests {
  private let detector: FaceDetector
  private let picture: RGBImage
  /// The picture as the network gets it.
  private let input: RGBImage
  private var options = DetectionOptions()
  private let explanation: Explanation

  init() throws {
    detector = try FaceDetector()
    picture = try Picture.read(path: SharedData.astronaut)
    input = try picture.resized(width: 256, height: 256)
    options.letterbox = .longSide(256)
    options.scoreThreshold = 0.3
    explanation = try Explanation(of: picture, named: "</script>", by: detector, options: options)
  }

  @Test func shapesAreThoseOfTheInterpreter() throws {
    let network = explanation.network
    #expect(network.layers.count == 224 && network.blobs.count == 251)
    let blobs = try interpreted(input, by: detector, network.blobs.map(\.name))
    for blob in network.blobs { #expect(blob.shape == blobs[blob.name]?.shape) }

    // The coarsest blob that is not reduced: its grey values stand for the interpreter's numbers.
    let deep = try #require(network.blobs.first { $0.name == "t1_s" })
    let maps = network.maps[try #require(deep.maps)]
    #expect((maps.channels, maps.shown, maps.width, maps.height) == (64, 24, 8, 8))
    let values = try #require(blobs["t1_s"]).values
    let ranges = floats(maps.ranges)
    let gray = try Picture.decode(bytes(maps.png))
    for (index, value) in values.prefix(24 * 64).enumerated() {
      let (channel, place) = index.quotientAndRemainder(dividingBy: 64)
      let (low, high) = (ranges[2 * channel], ranges[2 * channel + 1])
      let pixel = gray[channel % 8 * 8 + place % 8, channel / 8 * 8 + place / 8].red
      let shown = low + Float(pixel) / 255 * (high - low)
      // Half of a grey level, and the error of the fast exponential.
      #expect(abs(shown - value) <= (high - low) / 510 + 0.001 * max(1, value.magnitude))
    }
  }

  @Test func everyLayerIsInOneStepOrOnlyMovesData() {
    let network = explanation.network
    let covered = network.steps.flatMap(\.layers)
    #expect(Set(covered).count == covered.count)
    let free = Set(network.layers.indices).subtracting(covered).map { network.layers[$0].kind }
    #expect(Set(free) == ["Input", "Split", "Concat", "Slice", "ShuffleChannel"])
    for layer in covered.map({ network.layers[$0] }) where layer.kind != "Concat" {
      #expect((layer.microseconds ?? 0) > 0)
    }
    #expect(network.steps.allSatisfy { $0.microseconds > 0 })
    // The heads' steps compute only the objectness; all other products are computed.
    let heads = network.layers.filter { $0.name.hasPrefix("stride_") }.map(\.multiplyAdds)
    #expect(
      network.steps.reduce(0) { $0 + $1.multiplyAdds }
        == network.layers.reduce(0) { $0 + $1.multiplyAdds } - heads.reduce(0) { $0 + $1 * 15 / 16 }
    )
  }

  @Test func layersReadWhatOthersMake() throws {
    let network = explanation.network
    for (layer, truth) in zip(network.layers, detector.engine.network.layers) {
      #expect(layer.inputs.map { network.blobs[$0].name } == truth.inputs)
      #expect(layer.outputs.map { network.blobs[$0].name } == truth.outputs)
      #expect(layer.parameters == truth.parameterCount)
    }
  }

  @Test func candidatesAreTheDetectors() throws {
    var low = options
    low.scoreThreshold = Explanation.lowestScore
    let expected = try detector.candidates(in: input, options: low)
    let report = explanation.candidates
    let boxes = expected.map(\.box)
    #expect(report.total == expected.count && report.cells.count == 4 * expected.count)
    #expect(floats(report.scores) == expected.map(\.score))
    #expect(doubles(report.boxes) == boxes.flatMap { [$0.x, $0.y, $0.width, $0.height] })
    let points = expected.flatMap { $0.landmarks?.points ?? [] }
    #expect(points.count == 5 * expected.count)
    #expect(doubles(report.landmarks) == points.flatMap { [$0.x, $0.y] })
    for (number, box) in boxes.enumerated() {
      // A box's middle lies within half a cell of its cell.
      let cell = Array(report.cells[4 * number..<4 * number + 4])
      let head = explanation.heads[cell[0]]
      #expect(abs(box.center.x / Double(head.stride) - Double(cell[3]) - 0.5) <= 1)
      #expect(abs(box.center.y / Double(head.stride) - Double(cell[2]) - 0.5) <= 1)
      let anchor = head.anchors[cell[1]]
      #expect(box.width <= 4 * anchor[0] && box.height <= 4 * anchor[1])
    }
    // Of more, the best are kept.
    let best = CandidateReport(try HeadCells(of: input, by: detector).best(3))
    let scores = expected.map(\.score).sorted(by: >)
    #expect(best.total == expected.count && best.lowestScore == Double(scores[2]))
    #expect(floats(best.scores).sorted(by: >) == Array(scores.prefix(3)))
  }

  @Test func headsHoldEveryCell() throws {
    let blobs = try interpreted(input, by: detector, explanation.heads.flatMap(\.blobs))
    #expect(
      explanation.heads.map { [$0.stride, $0.rows, $0.columns] }
        == [[8, 32, 32], [16, 16, 16], [32, 8, 8]])
    for head in explanation.heads {
      let values = try #require(blobs[head.blobs[0]]).values
      #expect(values.count == 16 * 3 * head.rows * head.columns)
      let (objectness, classes) = (probabilities(values, at: 4), probabilities(values, at: 15))
      let expected = [
        ("score", zip(objectness, classes).map(*)), ("objectness", objectness), ("class", classes),
      ]
      #expect(head.quantities.map(\.name) == expected.map(\.0))
      for (quantity, (name, truth)) in zip(head.quantities, expected) {
        // The fast exponential through all layers is 0.001 of a raw value of up to some 20, and σ
        // rises by a quarter of that at most.
        let difference = largestDifference(of: floats(quantity.values), from: truth)
        #expect(difference <= 0.001, "\(head.blobs), \(name)")
      }
    }
  }

  /// σ of one value of each cell, of which there are 16.
  private func probabilities(_ values: [Float], at place: Int) -> [Float] {
    stride(from: place, to: values.count, by: 16).map { 1 / (1 + exp(-values[$0])) }
  }

  /// In an input of 128 × 128 the coarsest head has 16 cells and 16 values, and another blob has 16
  /// rows and columns: only their names tell what they hold.
  @Test func headsAreRecognizedByName() throws {
    var options = DetectionOptions()
    options.letterbox = .longSide(128)
    let network = try Explanation(of: picture, named: "", by: detector, options: options).network
    func maps(_ name: String) throws -> FeatureMaps {
      let blob = try #require(network.blobs.first { $0.name == name })
      return network.maps[try #require(blob.maps)]
    }
    for (stride, cells) in [(8, 16), (16, 8), (32, 4)] {
      let convolution = try maps("stride_\(stride)")
      // The same numbers in another order give the same maps.
      for shown in try [convolution, maps("reshape_\(stride)"), maps("out_\(stride)")] {
        #expect((shown.channels, shown.width, shown.height) == (48, cells, cells))
        #expect(shown.png.text == convolution.png.text, "\(stride)")
        #expect(shown.ranges.text == convolution.ranges.text)
      }
    }
    let heads = Set([8, 16, 32].flatMap { ["reshape_\($0)", "out_\($0)"] })
    for blob in network.blobs where !heads.contains(blob.name) {
      let maps = try maps(blob.name)
      #expect(maps.channels == blob.shape[0], "\(blob.name)")
      #expect(maps.height == (blob.shape[1] + maps.reduction - 1) / maps.reduction)
    }
  }

  @Test func thePageHoldsItsDataAsText() throws {
    let page = String(decoding: try explanation.page(), as: UTF8.self)
    #expect(page.contains("\"title\":\"\\u003c/script>\""))
    #expect(page.contains("default-src 'none'; img-src data:"))
    let json = page.components(separatedBy: "id=\"report\">")[1]
      .components(separatedBy: "</script>")[0]
    #expect(!json.contains("<"))
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(object?["title"] as? String == "</script>")
    // The only address is SVG's namespace, which nothing loads. Weights in base64 hold no colon.
    let addresses = page.components(separatedBy: "://").dropFirst()
    #expect(addresses.allSatisfy { $0.hasPrefix("www.w3.org/2000/svg\"") })
  }
}

/// A page about a network without heads.
struct AnyNetworkTests {
  /// The article From zero's, which reads one channel: the engine's brightness is the picture's, and its edges Sobel's.
  @Test func theTwoLayersOfFromZeroAreExplained() throws {
    let edges: [Float] = [-1, 0, 1, -2, 0, 2, -1, 0, 1]
    let folder = try TemporaryFolder()
    let (param, bin) = try writeModel(
      [
        "Input picture 0 1 picture", "Convolution edges 1 1 picture edges 0=1 1=3 5=1 6=9",
        "ReLU activation 1 1 edges bright", "Convolution mean 1 1 bright mean 0=1 1=3 6=9",
      ], weights: [0] + edges + [0, 0] + Array(repeating: 1 / 9, count: 9), in: folder.url)
    let detector = try FaceDetector(withoutHeads: try Network(param: param, bin: bin))
    #expect(detector.runsInPages)
    var options = DetectionOptions()
    options.letterbox = .longSide(32)
    // Dark on the left, bright on the right.
    var picture = RGBImage(width: 32, height: 32, fill: .black)
    picture.draw(RGBImage(width: 16, height: 32, fill: .white), atX: 16, y: 0)
    let explanation = try Explanation(
      of: picture, named: "", by: detector, options: options, isLive: true)
    #expect(explanation.heads.isEmpty && explanation.candidates.total == 0)
    let kinds = explanation.network.layers.map(\.kind)
    #expect(kinds == ["Input", "Convolution", "Convolution", "ReLU", "Convolution"])
    #expect(
      explanation.network.blobs.map(\.shape) == [
        [3, 32, 32], [1, 32, 32], [1, 30, 30], [1, 30, 30], [1, 28, 28],
      ])
    #expect(explanation.live != nil)
    let blobs = try interpreted(picture, by: detector, ["edges"])
    let row = try #require(blobs["edges"]).values[0..<30]
    #expect(row.enumerated().allSatisfy { abs($1 - ($0 == 14 || $0 == 15 ? 4 : 0)) < 1e-5 })
    _ = try explanation.page()
  }

  @Test func onesOfColorAreTakenAsTheyAre() throws {
    let folder = try TemporaryFolder()
    let (param, bin) = try writeModel(
      ["Input data 0 1 data", "Convolution c 1 1 data out 0=1 1=1 5=0 6=3"],
      weights: [0, 1, 2, 3], in: folder.url)
    let network = try Network(param: param, bin: bin)
    let detector = try FaceDetector(withoutHeads: network)
    #expect(detector.engine.network.layers.count == 2 && detector.recipe.heads.isEmpty)
    let several = try writeModel(
      ["Input a 0 1 a", "Input b 0 1 b", "BinaryOp c 2 1 a b c"], in: folder.url)
    #expect(throws: FaceDetectorError.self) {
      try FaceDetector(withoutHeads: Network(param: several.param, bin: several.bin))
    }
  }
}

/// Blobs that a detector's network makes of its input, by the interpreter.
func interpreted(
  _ input: RGBImage, by detector: FaceDetector, _ names: [String]
) throws -> [String: Tensor] {
  try Interpreter(detector.engine.network).run(
    [detector.recipe.input: try detector.recipe.tensor(input)], extracting: names)
}

func bytes(_ base64: Base64) -> [UInt8] { [UInt8](Data(base64Encoded: base64.text) ?? Data()) }

func floats(_ base64: Base64) -> [Float] { numbers(base64) }

func doubles(_ base64: Base64) -> [Double] { numbers(base64) }

private func numbers<Number: BitwiseCopyable>(_ base64: Base64) -> [Number] {
  bytes(base64).withUnsafeBytes { bytes in
    stride(from: 0, to: bytes.count, by: MemoryLayout<Number>.size).map {
      bytes.loadUnaligned(fromByteOffset: $0, as: Number.self)
    }
  }
}
