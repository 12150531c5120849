// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceFileSystem
import YOLOFaceInference
import YOLOFaceNCNN
import YOLOFaceReport
import YOLOFaceUntrusted

@testable import YOLOFaceFilms
@testable import YOLOFaceTool

/// Every reader of text from outside takes a time that grows with the length of what it reads, whatever is
/// written there: as strings, such texts would take minutes.
struct HostileTextTests {
  struct Reader: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var read: @Sendable ([UInt8]) throws -> Any
    /// A file with these words in all places where a reader compares any.
    var file: @Sendable (_ words: [String]) -> [UInt8]

    init(
      _ name: String, _ read: @escaping @Sendable ([UInt8]) throws -> Any,
      _ file: @escaping @Sendable ([String]) -> String
    ) {
      self.init(name, read, bytes: { Array(file($0).utf8) })
    }

    init(
      _ name: String, _ read: @escaping @Sendable ([UInt8]) throws -> Any,
      bytes: @escaping @Sendable ([String]) -> [UInt8]
    ) {
      (testDescription, self.read, file) = (name, read, bytes)
    }
  }

  /// A sort of text that strings and characters take long for.
  enum Sort: CaseIterable {
    /// Swift puts them in order by insertion.
    case combiningMarks
    /// Two are a flag, and which two depends on the first.
    case regionalIndicators
    /// As long as names may be, and of as many marks as those may have.
    case oneNameManyTimes

    var words: [String] {
      let marks = "\u{301}\u{316}"
      return switch self {
      case .combiningMarks: ["a" + String(repeating: marks, count: 100_000)]
      case .regionalIndicators: ["a" + String(repeating: "\u{1F1E6}", count: 100_000)]
      case .oneNameManyTimes:
        Array(
          repeating: String(repeating: "a" + String(repeating: marks, count: 15), count: 4),
          count: 2000)
      }
    }
  }

  /// The bound allows two microseconds for each byte, a hundred times what reading takes; the square of the length
  /// would take some fifty.
  @Test(arguments: readers, Sort.allCases)
  func costsInProportionToItsLength(reader: Reader, sort: Sort) {
    let bytes = reader.file(sort.words)
    let time = processorTime { _ = try? reader.read(bytes) }
    #expect(time < 0.1 + 2e-6 * Double(bytes.count), "\(bytes.count) bytes")
  }

  private static let readers = models + pictures + groundTruth + reports

  /// A file with a part for each word, of its number and itself.
  private static func parts(
    _ start: String = "", separator: String = "\n", _ end: String = "",
    _ part: @escaping @Sendable (Int, String) -> String = { $1 }
  ) -> @Sendable ([String]) -> String {
    { start + $0.enumerated().map { part($0, $1) }.joined(separator: separator) + end }
  }

  private static let models = [
    Reader("blobs, layers and kinds", network) { words in
      let layers = words.enumerated().map {
        "ReLU \($1) 1 1 \($0 == 0 ? "b" : "\($0 - 1)\($1)") \($0)\($1)"
      }
      return networkText(["Input i 0 1 b"] + layers)
    },
    Reader("kinds and parameters", network) { words in
      networkText(
        words.enumerated().map { "\($1) l\($0) 0 1 b\($0) 6=\"0w\($1)\" 7=x\($1) \($1)" })
    },
    Reader("numbers of parameters", network) { words in
      networkText(["ReLU r 0 1 b 0=1\(words.joined(separator: ",1")) \(words[0])=1"])
    },
    Reader("values of recipes", recipe) { words in
      """
      {"family": "scrfd", "input": "\(words[0])", "planes": "\(words[0])", "mean": [0, 0, 0],
       "divisor": 1, "fill": 0, "size": {"multipleOf": 32},
       "levels": [{"stride": 8, "scores": "s\(words[0])", "boxes": "b\(words[0])"}]}
      """
    },
    Reader("keys of recipes", recipe) { words in
      "{\"family\": \"\(words[0])\", \"input\": \"in\","
        + words.map { "\"\($0)\": {\"\($0)\": 1}" }.joined(separator: ",") + "}"
    },
    Reader("headers of NumPy", { try NPY.decode($0, source: "a.npy") }, bytes: npy),
  ]

  @Sendable private static func npy(_ words: [String]) -> [UInt8] {
    let text = "{'descr': '<f4', 'fortran_order': False, 'shape': (1\(words[0]),)"
    let header = Array(text.utf8.prefix(60_000))
    let start: [UInt8] = [0x93, 78, 85, 77, 80, 89, 2, 0]
    return start + [UInt8(header.count & 255), UInt8(header.count >> 8), 0, 0] + header
  }

  @Sendable private static func network(_ bytes: [UInt8]) throws -> Any {
    let network = try Network(param: bytes, source: "a.param")
    return (network.inputs, network.outputs, network.paramText())
  }

  @Sendable private static func recipe(_ bytes: [UInt8]) throws -> Any {
    try FamilyRecipe(json: bytes, source: "a.json")
  }

  private static let pictures = [
    Reader(
      "XMP in pictures", { try Picture.decodeStored($0) },
      bytes: { png([("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0\(xmp($0))".utf8))]) }),
    Reader("deflated texts of pictures", { try Picture.decodeStored($0) }, bytes: deflatedTexts),
    Reader("XMP beside pictures", { try XMPSidecar.hasRegions($0, source: "a.xmp") }, xmp),
  ]

  private static let groundTruth = [
    Reader(
      "paths in JSON", faces,
      parts("{", separator: ",", "}") { "\"\($0)\($1)\": {\"boxes\": []}" }),
    Reader(
      "COCO",
      {
        try JSONGroundTruth.read($0, source: "a.json").faces(called: ["face"], source: "a.json")
      }
    ) { words in
      let categories = words.enumerated().map { "{\"id\": \($0), \"name\": \"\($1)\"}" }
      let images = words.enumerated().map {
        "{\"id\": \"\($0)\($1)\", \"file_name\": \"\($0)\($1)\"}"
      }
      let annotations = words.enumerated().map {
        "{\"image_id\": \"\($0)\($1)\", \"category_id\": \($0), \"bbox\": [1, 1, 2, 2], \"\($1)\": 1}"
      }
      return coco(categories, annotations, images: images)
    },
    Reader("categories of one number", faces) { words in
      /// The number 1.
      func zeros(_ count: Int) -> String { String(repeating: "0", count: count) + "1" }
      let categories = words.indices.prefix(60).map {
        "{\"id\": \"\(zeros($0))\", \"name\": \"\(words[0])\($0)\"}"
      }
      let annotations = (0..<20_000).map {
        "{\"image_id\": 1, \"bbox\": [1, 1, 9, 9], \"category_id\": \"\(zeros($0 % categories.count))\"}"
      }
      return coco(categories, annotations)
    },
    Reader("one category of many faces", faces) { words in
      let annotation = #"{"image_id": 1, "category_id": 7, "bbox": [1, 1, 9, 9]}"#
      return coco(
        ["{\"id\": 7, \"name\": \"\(words[0])\"}"], Array(repeating: annotation, count: 20_000))
    },
    Reader(
      "WIDER FACE", { try WIDERGroundTruth.read($0, source: "a") }, parts { "\($0)\($1)\n0" }),
    Reader(
      "numbers in lines", { try YOLOGroundTruth.read($0, source: "a", name: "a") },
      parts(separator: " ")),
    Reader(
      "RetinaFace", { try RetinaFaceGroundTruth.read($0, source: "a") }, parts { "# \($0)\($1)" }),
    Reader(
      "lists of WIDER FACE", { try WIDERSubset($0, name: "easy", source: "a") },
      parts { "\($0)\($1)\n1 2" }),
    Reader("classes of YOLO", { try YOLOClasses.read($0, source: "classes.txt") }, parts()),
    Reader(
      "classes in YAML", { try YOLOClasses.read($0, source: "data.yaml") },
      parts("names:\n- ", separator: "\n- ")),
    Reader(
      "PASCAL VOC",
      {
        try [VOCGroundTruth.read($0, source: "a", name: "a")].faces(called: ["face"], source: "a")
      },
      parts("<annotation>", separator: "", "</annotation>") {
        "<object><name>\($1)</name><\($1)/><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax>"
          + "<ymax>2</ymax></bndbox></object>"
      }),
  ]

  @Sendable private static func faces(_ bytes: [UInt8]) throws -> Any {
    try JSONGroundTruth.read(bytes, source: "a.json").faces(called: [], source: "a.json")
  }

  private static func coco(
    _ categories: [String], _ annotations: [String],
    images: [String] = [#"{"id": 1, "file_name": "a.png"}"#]
  ) -> String {
    func list(_ parts: [String]) -> String { "[\(parts.joined(separator: ","))]" }
    return "{\"categories\": \(list(categories)), \"images\": \(list(images)), "
      + "\"annotations\": \(list(annotations))}"
  }

  private static let reports = [
    Reader(
      "earlier reports",
      {
        var report = EarlierReport(.jsonl, source: "a.jsonl")
        return try report.read($0[...])
      }, parts { "{\"image\":\"\($1)\",\"\($1)\":1,\"error\":\"\($1)\"}" }),
    Reader(
      "earlier tables",
      {
        var report = EarlierReport(.csv, source: "a.csv")
        return try report.read($0[...])
      }, parts("image,width_px\n") { "\($1),\($1),1" }),
    Reader(
      "given places", { try file($0, readBy: GivenPlaces.init) },
      parts { "{\"frame\":\($0),\"hidden\":[],\"kept\":[],\"image\":\"\($1)\",\"\($1)\":1}" }),
    Reader(
      "lists of names",
      {
        try file($0) { path in
          let list = try NameList(path: path, separator: 10)
          while case .success(let name) = list.next() {
            _ = (isPictureName(name), withoutPictureSuffix(name), fileName(of: name))
          }
          return list
        }
      }, parts()),
    Reader(
      "ffprobe's lines",
      { UntrustedText($0).split(separator: 10).map { FilmEntries($0)["index"] } },
      parts { "index=1|tag:title=\($1)|\($1)=1|\($1):index=2" }),
  ]

  private static func file(_ bytes: [UInt8], readBy read: (String) throws -> Any) throws -> Any {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "file").path
    try writeFile(bytes, to: path)
    return try read(path)
  }

  /// A picture with texts that each hold 12 million zeros.
  @Sendable private static func deflatedTexts(_: [String]) -> [UInt8] {
    let black = (try? PNG.encode(RGBImage(width: 2000, height: 2000))) ?? []
    let zeros = black.dropFirst(41).dropLast(16)
    return png(
      Array(repeating: ("zTXt", Array("Raw profile type exif\0\0".utf8) + zeros), count: 8))
  }

  /// A picture of one pixel with chunks before its data.
  private static func png(_ chunks: [(type: String, content: [UInt8])]) -> [UInt8] {
    let plain = (try? PNG.encode(RGBImage(width: 1, height: 1))) ?? []
    return plain[..<33] + chunks.flatMap { pngChunk($0.type, $0.content) } + plain[33...]
  }

  @Sendable private static func xmp(_ words: [String]) -> String {
    let prefixes = words.enumerated().map {
      "<rdf:Description xmlns:p\($0)\($1)='http://ns.adobe.com/tiff/1.0/'><\($1)/></rdf:Description>"
    }
    return "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\(prefixes.joined())"
      + "</rdf:RDF></x:xmpmeta>"
  }
}
