import Foundation
import TestSupport
import Testing

/// `Scripts/arrange-site` on a site of a few pages, as DocC writes them.
@Suite(.enabled(if: Python.exists, Python.explanation))
struct ArrangeSiteTests {
  private static let modules = [
    "YOLOFace", "Raster", "NCNN", "Inference", "Kernels", "Quantisation", "FaceDecoding",
    "Geometry", "FaceAnalysis", "FaceReport", "FaceEvaluation", "Explanation", "Files",
    "Films", "YOLOFaceTool",
  ]

  /// Writes a site with a page that has this text, arranges the site and returns the resulting
  /// page.
  private func arranged(
    _ text: String, modules: [String] = modules,
    articles: [String: [String]] = ["YOLOFace": ["FromZero", "BuildingADetector", "Examples"]]
  ) throws -> (Programs.Run, page: String) {
    var result = (Programs.Run(), page: "")
    try withTemporaryFolder { folder in
      func write(_ text: String, to path: String) throws {
        try writeText(text, to: folder.appending(path: path))
      }
      let identifiers = modules.map { "\"doc://\($0)/documentation/\($0)\"" }
        .joined(separator: ",")
      try write(
        #"{"references": {}, "topicSections": [{"identifiers": [\#(identifiers)]}]}"#,
        to: "data/documentation.json")
      for (module, names) in articles {
        let references = names.map { "\"doc://\(module)/documentation/\(module)/\($0)\": {}" }
          .joined(separator: ",")
        try write(
          #"{"references": {\#(references)}}"#,
          to: "data/documentation/\(module.lowercased()).json")
      }
      let children = modules.sorted().map { #"{"title": "\#($0)"}"# }.joined(separator: ",")
      try write(
        #"{"interfaceLanguages": {"swift": [{"children": [\#(children)]}]}}"#,
        to: "index/index.json")
      try write("{}", to: "data/documentation/facereport/manypictures.json")
      try write(text, to: "data/documentation/yolofacetool/commandline.json")
      let run = try Python.run("Scripts/arrange-site", [folder.path])
      let page = folder.appending(path: "data/documentation/yolofacetool/commandline.json")
      result = (run, try String(contentsOf: page, encoding: .utf8))
    }
    return result
  }

  @Test func linksLeadToPages() throws {
    let links = [
      "../../FaceReport/FaceReport.docc/ManyPictures.md",
      "../../../Tool/Sources/FaceReport/FaceReport.docc/ManyPictures.md",
      "../../../../Sources/FaceReport/FaceReport.docc/ManyPictures.md",
      #"..\/..\/FaceReport\/FaceReport.docc\/ManyPictures.md"#,
      #"..\/..\/..\/Tool\/Sources\/FaceReport\/FaceReport.docc\/ManyPictures.md"#,
    ]
    func text(_ links: [String]) -> String {
      links.map { #"{"destination": "\#($0)"}"# }.joined(separator: "\n")
    }
    let (run, page) = try arranged(text(links))
    #expect(run.status == 0, "\(run.output)")
    #expect(page == text(links.map { _ in "/documentation/facereport/manypictures" }))
  }

  /// What a different version of DocC may write.
  @Test(arguments: [
    (#"{"destination": "doc://FaceReport/ManyPictures"}"#, "found no link from one module's"),
    (
      #"{"destination": "../../FaceReport/FaceReport.docc/FewPictures.md"}"#,
      "missing pages: /documentation/facereport/fewpictures"
    ),
  ])
  func refusesBrokenLinks(text: String, message: String) throws {
    let (run, _) = try arranged(text)
    #expect(run.status == 1)
    #expect(run.output.contains("arrange-site: "))
    #expect(run.output.contains(message), "\(run.output)")
  }

  @Test func refusesAnIntroductionToAMissingPage() throws {
    let link = #"{"destination": "../../FaceReport/FaceReport.docc/ManyPictures.md"}"#
    let (run, _) = try arranged(link, articles: ["YOLOFace": ["BuildingADetector", "Examples"]])
    #expect(run.status == 1)
    #expect(run.output.contains("missing page: YOLOFace/FromZero"), "\(run.output)")
  }

  @Test func refusesUnlistedModules() throws {
    let link = #"{"destination": "../../FaceReport/FaceReport.docc/ManyPictures.md"}"#
    let (run, _) = try arranged(link, modules: Self.modules + ["Web"])
    #expect(run.status == 1)
    #expect(run.output.contains("doc://Web/documentation/Web"))
  }
}
