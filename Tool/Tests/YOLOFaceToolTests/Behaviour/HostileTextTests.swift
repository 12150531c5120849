import FaceEvaluation
import FaceReport
import FileSystem
import Inference
import NCNN
import TestSupport
import Testing
import Untrusted
import YOLOFace

@testable import Films
@testable import YOLOFaceTool

/// Every reader of text from outside takes a time that grows with the length of what it reads, whatever is
/// written there: as strings, such texts would take minutes.
struct HostileTextTests {
  struct Reader: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// A file with these words in all places where a reader compares any.
    var file: @Sendable (_ words: [String]) -> [UInt8]
    var read: @Sendable ([UInt8]) throws -> Void

    init(
      _ name: String, _ file: @escaping @Sendable ([String]) -> String,
      _ read: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
      self.init(name, bytes: { Array(file($0).utf8) }, read)
    }

    init(
      _ name: String, bytes: @escaping @Sendable ([String]) -> [UInt8],
      _ read: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
      (testDescription, file, self.read) = (name, bytes, read)
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
    let time = processorTime { try? reader.read(bytes) }
    #expect(time < 0.1 + 2e-6 * Double(bytes.count), "\(bytes.count) bytes")
  }

  private static let readers: [Reader] =
    models + pictures + groundTruth + reports + [
      Reader("ffprobe's lines") { words in
        words.map { "index=1|tag:title=\($0)|\($0)=1|\($0):index=2" }.joined(separator: "\n")
      } _: { bytes in
        for line in UntrustedText(bytes).split(separator: 10) { _ = FilmEntries(line)["index"] }
      }
    ]

  private static let models = [
    Reader("blobs, layers and kinds") { words in
      "7767517\n\(words.count + 1) \(words.count + 1)\nInput i 0 1 b\n"
        + words.enumerated().map { "ReLU \($1) 1 1 \($0 == 0 ? "b" : "\($0 - 1)\($1)") \($0)\($1)" }
        .joined(separator: "\n")
    } _: {
      let network = try Network(param: $0, source: "a.param")
      _ = (network.inputs, network.outputs, network.paramText())
    },
    Reader("kinds and parameters") { words in
      "7767517\n\(words.count) \(words.count)\n"
        + words.enumerated().map { "\($1) l\($0) 0 1 b\($0) 6=\"0w\($1)\" 7=x\($1) \($1)" }
        .joined(separator: "\n")
    } _: {
      _ = try Network(param: $0, source: "a.param")
    },
    Reader("numbers of parameters") { words in
      "7767517\n1 1\nReLU r 0 1 b 0=1\(words.joined(separator: ",1")) \(words[0])=1"
    } _: {
      _ = try Network(param: $0, source: "a.param")
    },
    Reader("values of recipes") { words in
      """
      {"family": "scrfd", "input": "\(words[0])", "planes": "\(words[0])", "mean": [0, 0, 0],
       "divisor": 1, "fill": 0, "size": {"multipleOf": 32},
       "levels": [{"stride": 8, "scores": "s\(words[0])", "boxes": "b\(words[0])"}]}
      """
    } _: {
      _ = try FamilyRecipe(json: $0, source: "a.json")
    },
    Reader("keys of recipes") { words in
      "{\"family\": \"\(words[0])\", \"input\": \"in\","
        + words.map { "\"\($0)\": {\"\($0)\": 1}" }.joined(separator: ",") + "}"
    } _: {
      _ = try FamilyRecipe(json: $0, source: "a.json")
    },
    Reader(
      "headers of NumPy",
      bytes: { words in
        let header = Array(
          "{'descr': '<f4', 'fortran_order': False, 'shape': (1\(words[0]),)".utf8
        )
        .prefix(60_000)
        return [0x93] + Array("NUMPY".utf8) + [2, 0]
          + [UInt8(header.count & 255), UInt8(header.count >> 8), 0, 0] + header
      },
      { _ = try NPY.decode($0, source: "a.npy") }),
  ]

  private static let pictures = [
    Reader(
      "XMP in pictures",
      bytes: {
        png([("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Array(xmp($0).utf8))])
      }
    ) {
      _ = try Picture.decodeStored($0)
    },
    Reader("deflated texts of pictures", bytes: deflatedTexts) { _ = try Picture.decodeStored($0) },
    Reader("XMP beside pictures", xmp) { _ = try XMPSidecar.hasRegions($0, source: "a.xmp") },
  ]

  private static let groundTruth = [
    Reader("paths in JSON") { words in
      "{\(words.enumerated().map { "\"\($0)\($1)\": {\"boxes\": []}" }.joined(separator: ","))}"
    } _: {
      _ = try JSONGroundTruth.read($0, source: "a.json")
    },
    Reader("COCO") { words in
      let categories = words.enumerated().map { "{\"id\": \($0), \"name\": \"\($1)\"}" }
      let images = words.enumerated().map {
        "{\"id\": \"\($0)\($1)\", \"file_name\": \"\($0)\($1)\"}"
      }
      let annotations = words.enumerated().map {
        "{\"image_id\": \"\($0)\($1)\", \"category_id\": \($0), \"bbox\": [1, 1, 2, 2], \"\($1)\": 1}"
      }
      return
        "{\"categories\": [\(categories.joined(separator: ","))], \"images\": [\(images.joined(separator: ","))],"
        + "\"annotations\": [\(annotations.joined(separator: ","))]}"
    } _: {
      let pictures = try JSONGroundTruth.read($0, source: "a.json")
      _ = try pictures.faces(called: ["face"], source: "a.json")
    },
    Reader("categories of one number") { words in
      let categories = words.indices.prefix(60).map {
        "{\"id\": \"\(zeros($0))\", \"name\": \"\(words[0])\($0)\"}"
      }
      let annotations = (0..<20_000).map {
        "{\"image_id\": 1, \"bbox\": [1, 1, 9, 9], \"category_id\": \"\(zeros($0 % categories.count))\"}"
      }
      return """
        {"images": [{"id": 1, "file_name": "a.png"}],
         "categories": [\(categories.joined(separator: ","))],
         "annotations": [\(annotations.joined(separator: ","))]}
        """
    } _: {
      let pictures = try JSONGroundTruth.read($0, source: "a.json")
      _ = try pictures.faces(called: [], source: "a.json")
    },
    Reader("one category of many faces") { words in
      let annotation = #"{"image_id": 1, "category_id": 7, "bbox": [1, 1, 9, 9]}"#
      return """
        {"images": [{"id": 1, "file_name": "a.png"}],
         "categories": [{"id": 7, "name": "\(words[0])"}],
         "annotations": [\(Array(repeating: annotation, count: 20_000).joined(separator: ","))]}
        """
    } _: {
      let pictures = try JSONGroundTruth.read($0, source: "a.json")
      _ = try pictures.faces(called: [], source: "a.json")
    },
    Reader("WIDER FACE") { words in
      words.enumerated().map { "\($0)\($1)\n0" }.joined(separator: "\n")
    } _: {
      _ = try WIDERGroundTruth.read($0, source: "a.txt")
    },
    Reader("numbers in lines") { words in
      words.joined(separator: " ")
    } _: {
      _ = try YOLOGroundTruth.read($0, source: "a.txt", name: "a")
    },
    Reader("RetinaFace") { words in
      words.enumerated().map { "# \($0)\($1)" }.joined(separator: "\n")
    } _: {
      _ = try RetinaFaceGroundTruth.read($0, source: "a.txt")
    },
    Reader("lists of WIDER FACE") { words in
      words.enumerated().map { "\($0)\($1)\n1 2" }.joined(separator: "\n")
    } _: {
      _ = try WIDERSubset($0, name: "easy", source: "a.txt")
    },
    Reader("classes of YOLO") { words in
      words.joined(separator: "\n")
    } _: {
      _ = try YOLOClasses.read($0, source: "classes.txt")
    },
    Reader("classes in YAML") { words in
      "names:\n- \(words.joined(separator: "\n- "))"
    } _: {
      _ = try YOLOClasses.read($0, source: "data.yaml")
    },
    Reader("PASCAL VOC") { words in
      "<annotation>"
        + words.map {
          "<object><name>\($0)</name><\($0)/><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax>"
            + "<ymax>2</ymax></bndbox></object>"
        }.joined() + "</annotation>"
    } _: {
      let picture = try VOCGroundTruth.read($0, source: "a.xml", name: "a")
      _ = try [picture].faces(called: ["face"], source: "a.xml")
    },
  ]

  /// The number 1.
  private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) + "1" }

  private static let reports = [
    Reader("earlier reports") { words in
      words.map { "{\"image\":\"\($0)\",\"\($0)\":1,\"error\":\"\($0)\"}" }.joined(separator: "\n")
    } _: { bytes in
      var report = EarlierReport(.jsonl, source: "a.jsonl")
      try report.read(bytes[...])
    },
    Reader("earlier tables") { words in
      "image,width_px\n" + words.map { "\($0),\($0),1" }.joined(separator: "\n")
    } _: { bytes in
      var report = EarlierReport(.csv, source: "a.csv")
      try report.read(bytes[...])
    },
    Reader("given places") { words in
      words.enumerated().map {
        "{\"frame\":\($0),\"hidden\":[],\"kept\":[],\"image\":\"\($1)\",\"\($1)\":1}"
      }.joined(separator: "\n")
    } _: { bytes in
      let folder = try TemporaryFolder()
      let path = folder.url.appending(path: "places").path
      try writeFile(bytes, to: path)
      _ = try GivenPlaces(path)
    },
    Reader("lists of names") { words in
      words.joined(separator: "\n")
    } _: { bytes in
      let folder = try TemporaryFolder()
      let path = folder.url.appending(path: "names").path
      try writeFile(bytes, to: path)
      let list = try NameList(path: path, separator: 10)
      while case .success(let name) = list.next() {
        _ = (isPictureName(name), withoutPictureSuffix(name), fileName(of: name))
      }
    },
  ]

  /// A picture with texts that each hold 12 million zeros.
  private static func deflatedTexts(_: [String]) -> [UInt8] {
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

  private static func xmp(_ words: [String]) -> String {
    let prefixes = words.enumerated().map {
      "<rdf:Description xmlns:p\($0)\($1)='http://ns.adobe.com/tiff/1.0/'><\($1)/></rdf:Description>"
    }
    return "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      + "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\(prefixes.joined())"
      + "</rdf:RDF></x:xmpmeta>"
  }
}
