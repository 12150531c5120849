// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceNCNN

@_spi(Tool) @testable import YOLOFace

/// Networks are recognised by what they end in, however they are exported.
@Suite struct FamilySearchTests {
  /// A network with a map of so many channels for each of a list, at each stride.
  private func network(_ strides: [Int], _ channels: [Int]) throws -> Network {
    var ends = NetworkEnds()
    for stride in strides {
      for (number, count) in channels.enumerated() {
        ends.addMap("m\(stride)-\(number)", stride: stride, channels: count)
      }
    }
    return try ends.network()
  }

  /// The recipe of a network that ends so.
  private func recipe(of ends: NetworkEnds) throws -> FamilyRecipe {
    try #require(FamilyRecipe.recognizing(try ends.network()))
  }

  /// Expects blobs named by a letter and the stride.
  private func expect(
    _ recipe: FamilyRecipe, _ strides: [Int] = [8, 16, 32], scores: String, boxes: String,
    points: String? = nil
  ) {
    #expect(recipe.levels.map(\.scores) == strides.map { "\(scores)\($0)" })
    #expect(recipe.levels.map(\.boxes) == strides.map { "\(boxes)\($0)" })
    #expect(
      recipe.levels.map(\.points) == strides.map { stride in points.map { "\($0)\(stride)" } })
  }

  @Test(arguments: [
    ([8, 16, 32], [48], FaceFamily.yolo5Face), ([8, 16, 32, 64], [48], .yolo5Face),
    ([8, 16], [48], .yolo5Face),
    ([8, 16, 32], [63], .yolo7Face), ([8, 16, 32], [64, 1, 15], .yolo8Face),
    ([8, 16, 32], [4, 1, 15], .yolo26Face),
    ([8, 16, 32], [2, 8, 20], .scrfd), ([8, 16, 32], [8, 2], .scrfd),
    ([8, 16, 32, 64, 128], [1, 4, 10], .scrfd), ([8, 16, 32], [4, 8, 20], .retinaFace),
    ([8, 16, 32], [4, 8], .retinaFace), ([8, 16, 32], [1, 1, 4, 10], .yuNet),
    ([4], [1, 2, 2, 10], .centerFace), ([4], [1, 2, 2], .centerFace),
  ])
  func recognizesPlainMaps(strides: [Int], channels: [Int], family: FaceFamily) throws {
    let recipe = try #require(FamilyRecipe.recognizing(try network(strides, channels)))
    #expect(recipe.family == family && recipe.levels.map(\.stride) == strides)
    #expect(recipe.size == .multiples(of: max(32, strides[strides.count - 1])))
    #expect(try recipe.recipe().heads.count == strides.count)
  }

  /// The shapes of all layers would be inferred for each size on which one of the constants could be a map.
  @Test func givesUpOnHugeNetworks() throws {
    let constants = (1...24).map { "MemoryData m\($0) 0 1 m\($0) 0=\($0) 1=\($0 + 1) 2=1" }
    let chain = (0..<80_000).map { "ReLU r\($0) 1 1 b\($0) b\($0 + 1)" }
    let text = networkText(["Input b0 0 1 b0"] + constants + chain)
    let network = try Network(param: Array(text.utf8), source: "huge.param")
    let time = processorTime { #expect(FamilyRecipe.recognizing(network) == nil) }
    #expect(time < generousProcessorTime)
  }

  @Test func recognizesUltraFace() throws {
    var ends = NetworkEnds()
    for (stride, anchors) in [(8, 3), (16, 2), (32, 2), (64, 3)] {
      ends.addMap("s\(stride)", stride: stride, channels: 2 * anchors)
      ends.addMap("b\(stride)", stride: stride, channels: 4 * anchors)
      for (map, width) in [("s\(stride)", 2), ("b\(stride)", 4)] {
        ends.add("Permute", "\(map)-p", [map], "0=3")
        ends.add("Reshape", "\(map)-r", ["\(map)-p"], "0=\(width) 1=-1")
      }
    }
    ends.add("Concat", "all-s", [8, 16, 32, 64].map { "s\($0)-r" }, "0=0")
    ends.add("Concat", "boxes", [8, 16, 32, 64].map { "b\($0)-r" }, "0=0")
    ends.add("Softmax", "scores", ["all-s"], "0=1 1=1")
    let recipe = try #require(FamilyRecipe.recognizing(try ends.network()))
    #expect(recipe.family == .ultraFace)
    #expect(recipe.size == .fixed(Letterbox.InputSize(width: 320, height: 240), isStretched: true))
    #expect(recipe.mean == [127, 127, 127] && recipe.divisor == 128)
    #expect(recipe.levels.map(\.scores) == ["s8", "s16", "s32", "s64"])
    #expect(recipe.levels.map(\.boxes) == ["b8", "b16", "b32", "b64"])
    #expect(recipe.levels.map { $0.anchors?.count } == [3, 2, 2, 3])
  }

  /// Sizes and offsets have the same form; their order tells them apart.
  @Test func takesTheFirstPairOfCenterFaceForSizes() throws {
    let recipe = try #require(FamilyRecipe.recognizing(try network([4], [1, 2, 2, 10])))
    #expect(recipe.levels[0].boxes == "m4-1" && recipe.levels[0].offsets == "m4-2")
    #expect(recipe.mean == [0, 0, 0] && recipe.divisor == 1 && recipe.fill == 0)
    #expect(recipe.findsLandmarks)
  }

  /// MediaPipe's forms for short range, for a phone's back camera and for full range.
  @Test(arguments: [([8, 16], 128), ([16, 32], 256), ([4], 192)])
  func tellsTheBlazeFacesApart(strides: [Int], side: Int) throws {
    var ends = NetworkEnds()
    let counts = strides.count == 1 ? [1] : [2, 6]
    for (stride, count) in zip(strides, counts) {
      for (map, width) in [("b", 16), ("s", 1)] {
        ends.addMap("\(map)\(stride)", stride: stride, channels: width * count)
        ends.add("Permute", "\(map)\(stride)-p", ["\(map)\(stride)"], "0=3")
        let rows = count * (side / stride) * (side / stride)
        ends.add("Reshape", "\(map)\(stride)-r", ["\(map)\(stride)-p"], "0=\(width) 1=\(rows)")
      }
    }
    for map in ["b", "s"] {
      ends.add("Concat", map, strides.map { "\(map)\($0)-r" }, "0=0")
    }
    let recipe = try recipe(of: ends)
    #expect(recipe.family == .blazeFace && !recipe.findsLandmarks)
    #expect(recipe.size == .fixed(Letterbox.InputSize(width: side, height: side)))
    #expect(recipe.mean == [127.5, 127.5, 127.5] && recipe.divisor == 127.5 && recipe.fill == 0)
    #expect(recipe.levels.map(\.proposals) == counts)
    expect(recipe, strides, scores: "s", boxes: "b")
  }

  /// A detector of twenty other things is not one of faces.
  @Test(arguments: [(2, true), (21, false)])
  func recognizesDetectionsOfTwoClasses(classes: Int, isKnown: Bool) throws {
    var ends = NetworkEnds()
    ends.addMaps(["boxes": 4, "scores": 4, "priors": 4], strides: [8])
    ends.add("DetectionOutput", "d", ["boxes8", "scores8", "priors8"], "0=\(classes) 3=200")
    let recipe = FamilyRecipe.recognizing(try ends.network())
    #expect((recipe?.family == .ssd) == isKnown)
    guard let recipe else { return }
    #expect(recipe.size == .fixed(Letterbox.InputSize(width: 300, height: 300), isStretched: true))
    #expect(recipe.levels.map(\.proposals) == [200] && !recipe.findsLandmarks)
  }

  /// An SSD whose maps of stride 8 and 32 have prior boxes, around the network's own input or of a picture whose size is
  /// given.
  private func ssd(
    declared: String, smallest: Int, picture: String = ""
  ) throws -> FamilyRecipe {
    var lines = ["Input data 0 1 data \(declared)", "Split s 1 4 data a b c d"]
    for (stride, blob, copy, size) in [(8, "a", "b", 16), (32, "c", "d", smallest)] {
      lines += [
        "Pooling p\(stride) 1 1 \(blob) p\(stride) 0=1 1=\(stride) 2=\(stride)",
        "Split s\(stride) 1 3 p\(stride) x\(stride) y\(stride) z\(stride)",
        "PriorBox q\(stride) 2 1 x\(stride) \(copy) q\(stride) -23300=1,\(size) \(picture)",
        "Convolution l\(stride) 1 1 y\(stride) l\(stride) 0=4 1=1 6=12",
        "Flatten lf\(stride) 1 1 l\(stride) lf\(stride)",
        "Convolution c\(stride) 1 1 z\(stride) c\(stride) 0=2 1=1 6=6",
        "Flatten cf\(stride) 1 1 c\(stride) cf\(stride)",
      ]
    }
    lines += [
      "Concat q 2 1 q8 q32 q 0=1", "Concat lf 2 1 lf8 lf32 lf", "Concat cf 2 1 cf8 cf32 cf",
      "DetectionOutput out 3 1 lf cf q out 0=2 3=200",
    ]
    let network = try Network(lines)
    return try #require(FamilyRecipe.recognizing(network))
  }

  /// 256 / √2 = 181, and the next multiple of 32 is 192; 264 / √2 = 187.
  @Test(arguments: [
    ("0=60 1=60 2=3", 256, "9=-233 10=-233", FamilyRecipe.Size.area(192 * 192)),
    ("0=300 1=191 2=3", 256, "9=-233 10=-233", .area(192 * 192)),
    (
      "0=300 1=300 2=3", 264, "9=-233 10=-233",
      .usual(Letterbox.InputSize(width: 300, height: 300), isStretched: true)
    ),
    (
      "", 264, "9=-233 10=-233",
      .usual(Letterbox.InputSize(width: 300, height: 300), isStretched: true)
    ),
    ("", 512, "9=-233 10=-233", .area(384 * 384)),
    (
      "0=60 1=60 2=3", 256, "9=320 10=240",
      .fixed(Letterbox.InputSize(width: 320, height: 240), isStretched: true)
    ),
  ])
  func feedsPriorBoxesAPictureOfTheirSize(
    declared: String, smallest: Int, picture: String, size: FamilyRecipe.Size
  ) throws {
    let recipe = try ssd(declared: declared, smallest: smallest, picture: picture)
    #expect(recipe.family == .ssd && recipe.size == size)
    guard case .area = size else { return }
    #expect(recipe.mean == [123, 117, 104] && recipe.planes == .bgr)
  }

  /// Peaks of the scores, sides by an exponential function, and points.
  @Test(arguments: [(7, true, true), (7, false, false), (4, true, false)])
  func recognizesDBFace(operation: Int, hasPoints: Bool, isKnown: Bool) throws {
    var ends = NetworkEnds()
    ends.addMap("t", stride: 4, channels: 1)
    ends.addMap("sides", stride: 4, channels: 4)
    if hasPoints { ends.addMap("points", stride: 4, channels: 10) }
    ends.add("Sigmoid", "hm", ["t"])
    ends.add("UnaryOp", "tlrb", ["sides"], "0=\(operation)")
    ends.add("Pooling", "pool", ["hm"], "0=0 1=3 2=1 3=1 5=1")
    let recipe = FamilyRecipe.recognizing(try ends.network())
    #expect((recipe?.family == .dbFace) == isKnown)
    guard let recipe else { return }
    #expect(recipe.levels.map { [$0.scores, $0.boxes, $0.points] } == [["t", "tlrb", "points"]])
    #expect(recipe.hasScores == nil && recipe.planes == .bgr && recipe.fill == 0)
    let divisors = try recipe.recipe().normalization.divisors
    #expect(isClose(Double(divisors.x), 0.278 * 255, tolerance: 1e-4))
    #expect(isClose(Double(divisors.z), 0.289 * 255, tolerance: 1e-4))
  }

  /// All values of a stride in one map, or in three.
  @Test(arguments: [true, false])
  func recognizesYuNetOf2021(isJoined: Bool) throws {
    var ends = NetworkEnds()
    for (stride, anchors) in [(8, 3), (16, 2), (32, 2), (64, 3)] {
      if isJoined {
        ends.addMap("v\(stride)", stride: stride, channels: 17 * anchors)
        ends.add("Permute", "p\(stride)", ["v\(stride)"], "0=3")
        ends.add("Flatten", "f\(stride)", ["p\(stride)"])
      } else {
        ends.addMap("l\(stride)", stride: stride, channels: 14 * anchors)
        ends.addMap("c\(stride)", stride: stride, channels: 2 * anchors)
        ends.addMap("i\(stride)", stride: stride, channels: anchors)
      }
    }
    let recipe = try recipe(of: ends)
    #expect(recipe.family == .yuNet2021 && recipe.findsLandmarks)
    #expect(recipe.size == .multiples(of: 64) && recipe.planes == .bgr && recipe.divisor == 1)
    #expect(recipe.levels.map { $0.anchors?.count } == [3, 2, 2, 3])
    #expect(recipe.levels[0].anchors == [[10, 10], [16, 16], [24, 24]])
    #expect(recipe.levels[0].values == (isJoined ? "v8" : nil))
    #expect(recipe.levels[3].objectness == (isJoined ? nil : "i64"))
    #expect(try recipe.recipe().heads.count == 4)
  }

  /// What the biases of the two classes say, of which one expects more background than the other. Without weights, and
  /// where they say little, it is not known.
  @Test(
    arguments: [
      ([1, -1], ClassOrder.byAnchor), ([-0.5, 0.5], .faceFirst), ([0.01, -0.01], nil), (nil, nil),
    ] as [([Float]?, ClassOrder?)])
  func readsTheClassesOfPaddlesBlazeFaceFromBiases(biases: [Float]?, order: ClassOrder?) throws {
    var lines = ["Input data 0 1 data", "Split s 1 2 data a b"]
    var weights: [Float] = []
    for (stride, blob, anchors) in [(8, "a", 2), (16, "b", 6)] {
      lines.append("Pooling p\(stride) 1 1 \(blob) p\(stride) 0=1 1=\(stride) 2=\(stride)")
      lines.append("Split t\(stride) 1 2 p\(stride) x\(stride) y\(stride)")
      for (name, source, width) in [("c", "x", 2), ("l", "y", 4)] {
        let channels = width * anchors
        lines.append(
          "Convolution \(name)\(stride) 1 1 \(source)\(stride) \(name)\(stride) 0=\(channels) 1=1 5=1 6=\(3 * channels)"
        )
        let ofChannel = width == 2 ? biases ?? [] : [0, 0, 0, 0]
        weights += [0] + [Float](repeating: 0, count: 3 * channels)
        weights += (0..<anchors).flatMap { _ in ofChannel }
      }
    }
    let network = try Network(lines, weights: biases == nil ? nil : floatBytes(weights))
    let recipe = FamilyRecipe.recognizing(network)
    #expect(recipe?.classOrder == order && (recipe == nil) == (order == nil))
    guard let recipe else { return }
    #expect(recipe.family == .paddleBlazeFace && recipe.planes == .rgb)
    #expect(recipe.levels.map { [$0.scores, $0.boxes] } == [["c8", "l8"], ["c16", "l16"]])
    #expect(recipe.levels[1].anchors?.map { $0[0] } == [32, 48, 64, 80, 96, 128])
  }

  private static let yolo3 = [
    "Input data 0 1 data 0=320 1=256 2=3", "Split s 1 2 data a b",
    "Pooling p8 1 1 a p8 0=1 1=8 2=8", "Pooling p16 1 1 b p16 0=1 1=16 2=16",
    "Convolution v8 1 1 p8 v8 0=12 1=1 6=36", "Convolution v16 1 1 p16 v16 0=12 1=1 6=36",
    "Yolov3DetectionOutput d 2 1 v16 v8 d 0=1 1=2 -23304=8,4,6,7,10,11,15,16,24 -23305=4,2,3,0,1 -23306=2,16,8",
  ]

  /// Masks and strides are in the order of the maps.
  @Test func readsTheAnchorsOfYOLOv3() throws {
    let network = try Network(Self.yolo3)
    let recipe = try #require(FamilyRecipe.recognizing(network))
    #expect(recipe.family == .yolo3 && recipe.levels.map(\.values) == ["v8", "v16"])
    #expect(recipe.levels.map(\.anchors) == [[[4, 6], [7, 10]], [[11, 15], [16, 24]]])
    #expect(
      recipe.size
        == .usual(
          Letterbox.InputSize(width: 320, height: 256), isStretched: true, multiplesOf: 32))
    #expect(try recipe.recipe().heads.count == 2)
    let others = Self.yolo3.map { $0.replacing("d 0=1 1=2", with: "d 0=2 1=2") }
    #expect(FamilyRecipe.recognizing(try Network(others)) == nil)
  }

  /// The maps of YOLOv3 and YOLOv5 have the same form, and the wrong equations find wrong faces.
  @Test func refusesOtherEquationsForMapsOfYOLOv3() throws {
    let network = try Network(Self.yolo3)
    var recipe = try #require(FamilyRecipe.recognizing(network))
    try recipe.recipe().requireFit(network)
    recipe.family = .yolo5
    let error = #expect(throws: FaceDetectorError.self) {
      try recipe.recipe().requireFit(network)
    }
    #expect(
      error?.description
        == "test.param: found a recipe of yolo5 for v8, which the network's last layer reads as YOLOv3: expected yolo3"
    )
  }

  @Test func looksBehindSigmoidsAndReshapes() throws {
    var ends = NetworkEnds()
    ends.addMaps(["s": 2, "b": 8], strides: [32, 8, 16])
    for stride in [32, 8, 16] {
      ends.add("Sigmoid", "score\(stride)", ["s\(stride)"])
      ends.add("Permute", "p\(stride)", ["b\(stride)"], "0=3")
      // Of a fixed size, which the probe's does not have.
      ends.add("Reshape", "box\(stride)", ["p\(stride)"], "0=4 1=7")
    }
    let recipe = try recipe(of: ends)
    #expect(recipe.family == .scrfd && recipe.hasScores == nil)
    expect(recipe, scores: "s", boxes: "b")
  }

  /// A recipe says of all scores alike whether they are probabilities: no mixture is recognised.
  @Test(arguments: [[8, 16, 32], [8]])
  func seesAnActivationInsideAConvolution(activated: [Int]) throws {
    var ends = NetworkEnds()
    for stride in [8, 16, 32] {
      let activation = activated.contains(stride) ? "9=4" : ""
      ends.addMap("s\(stride)", stride: stride, channels: 2, activation: activation)
    }
    ends.addMaps(["b": 8])
    let recipe = FamilyRecipe.recognizing(try ends.network())
    #expect(recipe?.hasScores == (activated.count == 3 ? true : nil))
    #expect((recipe == nil) == (activated.count < 3))
  }

  /// Without the reshapes of their authors' classes, which `FamilyDetectionTests` has.
  @Test func tellsTheTwoRetinaFacesApart() throws {
    var ends = NetworkEnds()
    for stride in [8, 16, 32] {
      ends.addMap("s\(stride)", stride: stride, channels: 4)
      ends.add("Reshape", "r\(stride)", ["s\(stride)"], "0=0 1=-1 2=2")
      ends.add("Softmax", "x\(stride)", ["r\(stride)"])
      ends.add("Reshape", "y\(stride)", ["x\(stride)"], "0=0 1=-1 2=4")
      ends.addMap("b\(stride)", stride: stride, channels: 8)
      ends.addMap("p\(stride)", stride: stride, channels: 20)
    }
    let recipe = try #require(FamilyRecipe.recognizing(try ends.network()))
    #expect(recipe.family == .retinaFace)
    #expect(recipe.classOrder == .byClass && recipe.anchorCenter == 8)
    #expect(recipe.planes == .rgb && recipe.mean == [0, 0, 0])
    #expect(recipe.levels[0].anchors == [[32, 32], [16, 16]])
    let other = try #require(FamilyRecipe.recognizing(try network([8, 16, 32], [4, 8, 20])))
    #expect(other.classOrder == nil && other.planes == .bgr && other.mean == [123, 117, 104])
    #expect(other.levels[0].anchors == [[16, 16], [32, 32]])
  }

  /// YOLOv7-lite adds constants to its last blobs, so that it works on one size only.
  @Test func findsTheSizeInConstants() throws {
    var ends = NetworkEnds()
    for (stride, rows, columns) in [(8, 36, 48), (16, 18, 24), (32, 9, 12)] {
      ends.addMap("m\(stride)", stride: stride, channels: 63)
      ends.add("MemoryData", "c\(stride)", [], "0=\(columns) 1=\(rows) 2=63")
      ends.add("BinaryOp", "v\(stride)", ["c\(stride)", "m\(stride)"], "0=2")
    }
    let recipe = try recipe(of: ends)
    #expect(recipe.family == .yolo7Face)
    #expect(recipe.size == .fixed(Letterbox.InputSize(width: 384, height: 288)))
    #expect(recipe.levels.map(\.values) == ["v8", "v16", "v32"])
  }

  @Test(arguments: [([64, 1, 15], true), ([64, 1], true), ([64, 16], false), ([1, 64], false)])
  func joinsPartsOfYOLOv8Only(parts: [Int], isKnown: Bool) throws {
    var ends = NetworkEnds()
    for stride in [8, 16, 32] {
      let names = parts.indices.map { "m\(stride)-\($0)" }
      for (name, count) in zip(names, parts) {
        ends.addMap(name, stride: stride, channels: count)
      }
      ends.add("Concat", "v\(stride)", names)
    }
    #expect((FamilyRecipe.recognizing(try ends.network()) != nil) == isKnown)
  }

  /// Ultralytics joins boxes and scores, and gives points apart.
  @Test func readsWhatWasJoined() throws {
    var ends = NetworkEnds()
    ends.addMaps(["b": 64, "s": 1, "p": 15])
    for stride in [8, 16, 32] {
      ends.add("Concat", "v\(stride)", ["b\(stride)", "s\(stride)"])
    }
    let recipe = try recipe(of: ends)
    #expect(recipe.family == .yolo8Face && recipe.findsLandmarks)
    expect(recipe, scores: "s", boxes: "b", points: "p")
  }

  /// A detector of another kind has the same maps as one with a single proposal.
  @Test(arguments: [
    ([8, 16, 32], [1, 4, 10]), ([8, 16, 32], [1, 4]), ([8, 16, 32, 64, 128], [2, 8, 20]),
  ])
  func refusesOtherProposalsThanSCRFDHas(strides: [Int], channels: [Int]) throws {
    #expect(FamilyRecipe.recognizing(try network(strides, channels)) == nil)
  }

  /// The arithmetic that decodes boxes of YOLOv8 at 640 × 640 inside the network, as its authors'
  /// exports to ncnn have it.
  @Test func looksBehindTheDecodingOfBoxes() throws {
    var ends = NetworkEnds()
    for (map, channels) in [("b", 64), ("s", 1), ("p", 15)] {
      for (stride, cells) in [(8, 6400), (16, 1600), (32, 400)] {
        ends.addMap("\(map)\(stride)", stride: stride, channels: channels)
        ends.add("Reshape", "\(map)\(stride)-r", ["\(map)\(stride)"], "0=\(cells) 1=\(channels)")
      }
      ends.add("Concat", "\(map)-all", [8, 16, 32].map { "\(map)\($0)-r" }, "0=1")
    }
    ends.add("Reshape", "bins", ["b-all"], "0=8400 1=16 2=4")
    ends.add("Permute", "turned", ["bins"], "0=2")
    ends.add("Softmax", "shares", ["turned"], "0=0 1=1")
    ends.add("Convolution", "means", ["shares"], "0=1 1=1 6=16")
    ends.add("Reshape", "sides", ["means"], "0=8400 1=4")
    ends.add("MemoryData", "centres", [], "0=8400 1=4")
    ends.add("BinaryOp", "boxes", ["centres", "sides"], "0=0")
    ends.add("Sigmoid", "scores", ["s-all"])
    ends.add("BinaryOp", "points", ["p-all"], "0=2 1=1 2=2.0")
    ends.add("Concat", "out0", ["boxes", "scores", "points"])
    let recipe = try recipe(of: ends)
    #expect(recipe.family == .yolo8Face && recipe.size == .multiples(of: 32))
    #expect(recipe.hasScores == nil)
    expect(recipe, scores: "s", boxes: "b", points: "p")
  }

  /// YOLO26 without points, whose maps alone would not show it.
  @Test func takesBoxesAndScoresOfOneOutput() throws {
    var ends = NetworkEnds()
    ends.addMaps(["b": 4, "s": 1])
    for (map, channels) in [("b", 4), ("s", 1)] {
      for stride in [8, 16, 32] {
        ends.add("Reshape", "\(map)\(stride)-r", ["\(map)\(stride)"], "0=-1 1=\(channels)")
      }
      ends.add("Concat", "\(map)-all", [8, 16, 32].map { "\(map)\($0)-r" }, "0=1")
    }
    ends.add("Concat", "out0", ["b-all", "s-all"])
    let recipe = try recipe(of: ends)
    #expect(recipe.family == .yolo26Face)
    expect(recipe, scores: "s", boxes: "b")
  }

  /// Without its weights, a network does not show its anchors.
  @Test func readsTheAnchorsOfYOLOv5() throws {
    let model = fixture("tiny-yolov5")
    var network = try Network(param: "\(model).param")
    #expect(FamilyRecipe.recognizing(network) == nil)
    network = try Network(param: "\(model).param", bin: "\(model).bin")
    let levels = try #require(FamilyRecipe.recognizing(network)).levels
    #expect(levels.map { $0.anchors?[0] } == [[6, 9], [18, 14], [40, 56]])
    #expect(levels.map { $0.anchors?[2] } == [[12, 15], [35, 24], [90, 110]])
  }

  /// Attention, such as YOLO11's, is for one number of cells; YOLO12's leaves the channels last.
  @Test(arguments: [false, true])
  func findsTheSizeInAttention(hasChannelsLast: Bool) throws {
    var ends = NetworkEnds()
    ends.addMap("m", stride: 32, channels: 8)
    ends.add("Reshape", "cells", ["m"], "0=108 1=8")
    if hasChannelsLast {
      ends.add("Permute", "turned", ["cells"], "0=1")
      ends.add("Reshape", "rows", ["turned"], "0=8 1=12 2=9")
      ends.add("Permute", "attention", ["rows"], "0=4")
    } else {
      ends.add("Reshape", "attention", ["cells"], "0=12 1=9 2=8")
    }
    ends.add("Convolution", "v32", ["attention"], "0=48 1=1 5=1 6=384")
    ends.addMaps(["v": 48], strides: [8, 16])
    #expect(try recipe(of: ends).size == .fixed(Letterbox.InputSize(width: 384, height: 288)))
  }

  /// RetinaFace of a size that is fixed by the resizing of a small map, added to a larger one.
  @Test func findsTheSizeInResizing() throws {
    var ends = NetworkEnds()
    for (stride, rows, columns) in [(8, 36, 48), (16, 18, 24), (32, 9, 12)] {
      for (map, channels) in [("s", 4), ("b", 8), ("p", 20)] {
        ends.addMap("\(map)\(stride)-large", stride: stride, channels: channels)
        ends.addMap("\(map)\(stride)-small", stride: 2 * stride, channels: channels)
        ends.add(
          "Interp", "\(map)\(stride)-i", ["\(map)\(stride)-small"], "0=1 3=\(rows) 4=\(columns)")
        ends.add(
          "BinaryOp", "\(map)\(stride)", ["\(map)\(stride)-large", "\(map)\(stride)-i"], "0=0")
      }
    }
    #expect(try recipe(of: ends).size == .fixed(Letterbox.InputSize(width: 384, height: 288)))
  }

  /// As many ways back as there are numbers, or a way too long to be followed.
  @Test(arguments: [("BinaryOp", "0=0", 60), ("Dropout", "", 10_000)])
  func endsOnHostileWays(kind: String, parameters: String, count: Int) throws {
    var lines = ["Input image 0 1 image", "Reshape r0 1 1 image r0 0=-1"]
    for number in 1...count {
      let (last, blob) = ("r\(number - 1)", "r\(number)")
      if kind == "BinaryOp" {
        lines.append("Split s\(number) 1 2 \(last) \(blob)a \(blob)b")
        lines.append("BinaryOp \(blob) 2 1 \(blob)a \(blob)b \(blob) \(parameters)")
      } else {
        lines.append("\(kind) \(blob) 1 1 \(last) \(blob) \(parameters)")
      }
    }
    let network = try Network(param: Array(networkText(lines).utf8), source: "hostile.param")
    #expect(FamilyRecipe.recognizing(network) == nil)
  }

  @Test func namesWhatItFoundAndWhatItWouldNeed() throws {
    let error = #expect(throws: FaceDetectorError.self) {
      try ModelRecipe.matching(try network([8, 16], [7, 8, 20]))
    }
    let text = try #require(error?.description)
    #expect(text.contains(": found outputs that come from m8-0 (7 channels, stride 8), m8-1 (8"))
    // Its 8 and 20 channels at two of three strides; of the others, none has a larger share.
    #expect(text.contains(", of which the nearest is SCRFD, "))
    #expect(
      text.hasSuffix(
        "missing are maps of 2 channels at stride 8, 2 channels at stride 16, 2, 8, 20 channels at stride 32"
      ))
  }
}
