// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFiles

@testable import YOLOFaceNCNN

@Suite struct NetworkTests {
  @Test func inputsAndOutputs() throws {
    let network = try read([
      "Input i 0 1 a", "Input j 0 1 b", "MemoryData m 0 1 c 0=1", "Split s 1 2 a d e",
      "Concat k 4 1 d b c b f",
    ])
    #expect(network.inputs == ["a", "b"] && network.outputs == ["e", "f"])
    #expect(network.executionOrder == [0, 1, 2, 3, 4])
  }

  @Test func forwardReferences() throws {
    let network = try read([
      "Concat k 2 1 d c e", "Swish s 1 1 c d", "Input i 0 1 a", "Swish t 1 1 b c",
      "Swish u 1 1 a b",
    ])
    #expect(network.layers.map(\.name) == ["k", "s", "i", "t", "u"])
    #expect(network.executionOrder.map { network.layers[$0].name } == ["i", "u", "t", "s", "k"])
    #expect(network.outputs == ["e"])
    let cut = network.cut(to: ["c"])
    #expect(cut.layers.map(\.name) == ["i", "t", "u"] && cut.outputs == ["c"])
    #expect(cut.executionOrder == [0, 2, 1])
  }

  @Test func unknownLayersAreReportedTogether() throws {
    let network = try read(
      """
      7767517
      5 5
      Input i 0 1 a

      Magic m 1 1 a b
      Swish s 1 1 b c
      Oracle o 1 1 c d
      Magic n 1 1 d e
      """)
    let error = try #require(refusal { try network.requireKnownLayers() })
    #expect(error.reason == .unsupported && error.position == .line(5))
    #expect(error.file == "test.param")
    #expect(error.found == "3 layers of unknown kinds: Magic (lines 5, 8), Oracle (line 7)")
  }

  /// It costs its layer, which is written as it was read; the weights of the layers before it are read.
  @Test func anOddParameterCostsItsLayer() throws {
    let layers = [
      "Input i 0 1 a", "PReLU p 1 1 a b 0=1", "Softmax m 1 1 b c 0=9", "Clip k 1 1 c d",
      "PReLU q 1 1 d e 0=1",
    ]
    var network = try read(layers)
    #expect(network.unknownLayers.map(\.name) == ["m"])
    #expect(try read(network.paramText()).layers[2].parameters == [0: .integer(9)])
    let error = try #require(refusal { try network.requireKnownLayers() })
    #expect(error.position == .line(5) && error.reason == .parameter)
    #expect(error.found == "Softmax axis (0=9)")
    try network.loadWeights(floatBytes([0.5, 2, 3]), source: "test.bin")
    #expect(
      network.warnings == [
        "test.param:5: found Softmax axis (0=9), expected an integer in -4…3: the weights of the layers behind it"
          + " are not read"
      ])
    let input = ["a": try Tensor(shape: [1], values: [-4])]
    let interpreter = try Interpreter(network)
    #expect(try interpreter.run(input, extracting: ["b"])["b"]?.values == [-2])
    let failure = #expect(throws: InferenceError.self) {
      try interpreter.run(input, extracting: ["c"])
    }
    #expect(failure?.layer == "Softmax m (line 5)" && failure?.found == error.found)
  }

  /// What converters leave has the names of PyTorch's and ONNX' operations, not all of them with a dot.
  @Test(
    arguments: ["SPP", "Deconvolution3D"].map { ($0, false) }
      + ["torch.flatten", "aten::exp", "pnnx.Expression", "Expand", "noop", "Conv"].map {
        ($0, true)
      })
  func tellsWhatAConverterLeft(kind: String, isLeft: Bool) throws {
    let network = try read(["Input i 0 1 a", "\(kind) l 1 1 a b"])
    let error = try #require(refusal { try network.requireKnownLayers() })
    #expect(error.expected.contains("such as pnnx, did not convert") == isLeft, "\(error)")
  }

  @Test func hundredsOfUnknownLayersFitAMessage() throws {
    let count = 600
    let layers = (0..<count).map { "Magic m\($0) 1 1 b\($0) b\($0 + 1)" }
    let network = try read(["Input i 0 1 b0"] + layers)
    let error = try #require(refusal { try network.requireKnownLayers() })
    #expect(error.found.hasSuffix(", 602, 603)"))
  }

  /// The default model, and the original one.
  static let models =
    [SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5")]
    + (SharedData.exists ? [SharedData.directory.appending(path: "models/yolov5n-0.5")] : [])

  @Test(arguments: models)
  func modelsRoundTripByteForByte(_ model: URL) throws {
    let (param, bin) = (
      model.appendingPathExtension("param"), model.appendingPathExtension("bin")
    )
    let network = try Network(param: param.path, bin: bin.path)
    #expect(network.inputs == ["data"] && network.unknownLayers.isEmpty)
    #expect(network.executionOrder == Array(0..<224))
    let text = try String(contentsOf: param, encoding: .utf8)
    #expect(network.paramText() == (text.hasSuffix("\n") ? text : text + "\n"))
    #expect(try network.weightBytes() == Array(Data(contentsOf: bin)))
    var again = try read(network.paramText())
    try again.loadWeights(network.weightBytes(), source: "again")
    #expect(again.layers == network.layers)
  }

  @Test func namesTheFileThatIsMissing() throws {
    let missing = try #require(throws: FileError.self) { try Network(param: "no.param") }
    #expect(missing.path == "no.param")
    let sound = Folder.hostile.appending(path: "empty-weights.param").path
    let weights = try #require(throws: FileError.self) {
      try Network(param: sound, bin: Folder.hostile.path)
    }
    #expect(weights.path == Folder.hostile.path)
    #expect(weights.found == "a directory, pipe or device")
  }

  /// A sparse file of 1 TiB takes no room.
  @Test func hugeFilesAreRefusedUnread() throws {
    try withTemporaryFolder { folder in
      let url = folder.appending(path: "huge.param")
      #expect(FileManager.default.createFile(atPath: url.path, contents: nil))
      try FileHandle(forWritingTo: url).truncate(atOffset: 1 << 40)
      let error = try #require(throws: FileError.self) { try Network(param: url.path) }
      #expect(error.exceedsLimit)
    }
  }
}
