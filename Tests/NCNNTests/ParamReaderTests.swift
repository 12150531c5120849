// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

@Suite struct ParamReaderTests {
  @Test func layerLine() throws {
    let network = try read("7767517\n2 3\nInput i 0 1 a\nSplit s 1 2 a b c 5=7 6=x\n")
    let layer = network.layers[1]
    #expect(layer.kind == "Split" && layer.isSplit && layer.name == "s" && layer.line == 4)
    #expect(layer.inputs == ["a"] && layer.outputs == ["b", "c"])
    #expect(layer.parameters == [5: .integer(7), 6: .string("x")])
    #expect(network.source == "test.param")
  }

  static let plain = "7767517\n2 2\nInput i 0 1 a 0=4\nSwish s 1 1 a b\n"

  @Test(arguments: [
    ("CRLF", plain.replacing("\n", with: "\r\n")),
    ("trailing blanks", plain.replacing("\n", with: " \t \n")),
    ("leading blanks", plain.replacing("\n", with: "\n \t")),
    ("padded columns", plain.replacing(" ", with: "     ")),
    ("tabs", plain.replacing(" ", with: "\t")),
    ("empty lines at the end", plain + "\n\r\n  \n\n"),
    ("no newline at the end", String(plain.dropLast())),
    ("no newline after CR", plain.replacing("\n", with: "\r\n").dropLast() + ""),
  ])
  func whitespaceMeansNothing(_ name: String, _ text: String) throws {
    #expect(try read(text) == read(Self.plain))
  }

  @Test func emptyLinesCount() throws {
    let network = try read("\n7767517\n\n1 1\n\n\nInput i 0 1 a\n")
    #expect(network.layers[0].line == 7)
    let error = try #require(refusal { try read("7767517\n2 2\n\nInput i 0 1 a\n\nSwish\n") })
    #expect(error.position == .line(6))
  }

  @Test(arguments: [
    ("größe", #"顔/0:"x""#),
    (String(repeating: "n", count: 255), String(repeating: "n", count: 255)),
  ])
  func longNamesAndNamesOfAnyScript(layer: String, blob: String) throws {
    let network = try read(["Input \(layer) 0 1 \(blob)"])
    #expect(network.layers[0].name == layer && network.inputs == [blob])
  }

  @Test func tellsLayersOfOneNameApart() throws {
    let network = try read(
      ["Input s 0 1 b0"]
        + ["s", "s#2", "t", "s", "s"].enumerated().map { index, name in
          "Swish \(name) 1 1 b\(index) b\(index + 1)"
        })
    #expect(network.layers.map(\.name) == ["s", "s#3", "s#2", "t", "s#4", "s#5"])
    #expect(network.executionOrder == Array(0..<6))
    #expect(try read(network.paramText()).layers == network.layers)
    #expect(
      network.paramText().hasSuffix(
        "\nSwish                    s                        1 1 b4 b5\n"))
  }

  /// Each would take a minute if names were tried one after the other.
  @Test func manyLayersOfOneName() throws {
    let count = 20_000
    let network = try read((0..<count).map { "Input s 0 1 \($0)" })
    #expect(network.layers[count - 1].name == "s#\(count)")
  }

  @Test func warnsOfCountsThatAreTooHigh() throws {
    let layers = "Input i 0 1 a\nSwish s 1 1 a b\n"
    #expect(try read("7767517\n2 2\n" + layers).warnings == [])
    #expect(
      try read("7767517\n4 3\n" + layers).warnings
        == [
          "test.param:2: 4 layers are declared, and 2 follow",
          "test.param:2: 3 blobs are declared, and 2 follow",
        ])
  }

  /// No more layers are read than are counted, whatever follows; blobs are.
  @Test func readsTheLayersThatAreCounted() throws {
    let layers = "Input i 0 1 a\nSwish s 1 1 a b\n"
    let network = try read("7767517\n2 1\n" + layers + "\n \nSwish nowhere 1\n")
    #expect(try network.layers == read("7767517\n2 2\n" + layers).layers)
    #expect(
      network.warnings
        == [
          "test.param:2: 1 blobs are declared, and 2 follow",
          "test.param:2: 2 layers are declared, and more follow, which are not read: those behind line 4",
        ])
    #expect(throws: ModelError.self) { try read("7767517\n1 2\nSwish s 1 1 a b\n" + layers) }
  }

  @Test func shapeHintsAreKeptAndNotInterpreted() throws {
    let network = try read([
      "Input i 0 1 a -23330=4,3,64,64,3 0=64", "Swish s 1 1 a b -23330=4,9,9,9,9",
    ])
    #expect(network.layers[0].parameters[30] == .integers([3, 64, 64, 3]))
    #expect(network.layers[0].parameters.pairs.map(\.key) == [30, 0])
    #expect(network.layers[0].input?.sizes == [64])
    #expect(network.layers[1].operation.as(Swish.self) != nil)
  }

  @Test func unknownKindsAreKept() throws {
    let network = try read([
      "Input i 0 1 a", #"Magic m 1 2 a b c 0=1 -23305=2,.5,1 6="two words""#, "swish s 1 1 b d",
      "Oracle o 2 1 c d e", "Magic n 0 3 f g h",
    ])
    #expect(network.unknownLayers.map(\.name) == ["m", "s", "o", "n"])
    #expect(!network.layers[1].operation.isKnown)
    #expect(network.layers[1].parameters[5] == .reals([0.5, 1]))
    #expect(network.layers[1].parameters[6] == .string("two words"))
  }

  @Test func sizeLimit() throws {
    var limits = Limits()
    limits.parameterFileBytes = Self.plain.utf8.count
    let bytes = Array(Self.plain.utf8)
    #expect(throws: Never.self) { try Network(param: bytes, source: "", limits: limits) }
    limits.parameterFileBytes -= 1
    let error = try #require(refusal { try Network(param: bytes, source: "", limits: limits) })
    #expect(error.reason == .limit)
    #expect(error.position == .file)
  }
}
