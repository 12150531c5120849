import FaceDecoding
import FaceEvaluation
import Testing

struct COCOGroundTruthTests {
  private func read(images: String, annotations: String) throws -> [GroundTruthPicture] {
    try JSONGroundTruth.read(
      Array(#"{"info":{},"images":[\#(images)],"annotations":[\#(annotations)]}"#.utf8),
      source: "coco.json")
  }

  private let image = #"{"id":7,"file_name":"b/a.jpg","width":640,"height":480}"#

  @Test func readsImagesAndAnnotations() throws {
    let pictures = try read(
      images: #"{"id":9,"file_name":"z.jpg"},\#(image)"#,
      annotations: """
        {"id":1,"image_id":7,"category_id":3,"bbox":[1,2,3.5,4],"area":5,"segmentation":[[1,2]]},
        {"id":2,"image_id":7,"bbox":[5,6,7,8],"iscrowd":1},
        {"id":3,"image_id":9,"bbox":[5,6,7,8],"iscrowd":0}
        """)
    #expect(pictures.map(\.name) == ["z", "b/a"])
    #expect(pictures.map(\.identifier) == ["9", "7"])
    #expect(pictures.map(\.size) == [nil, Size(width: 640, height: 480)])
    #expect(pictures[0].faces == [GroundTruthFace(box: rectangle(5, 6, 7, 8))])
    #expect(
      pictures[1].faces == [
        GroundTruthFace(
          box: rectangle(1, 2, 3.5, 4), category: GroundTruthCategory(name: "3", number: 3)),
        GroundTruthFace(box: rectangle(5, 6, 7, 8), standing: .crowd),
      ])
  }

  /// Files that pycocotools reads: sizes as the VGG annotator writes them, booleans as Python does.
  @Test func readsWhatOtherToolsWrite() throws {
    for size in ["-1", "0"] {
      let pictures = try read(
        images: #"{"id":7,"file_name":"a.jpg","width":\#(size),"height":\#(size)}"#,
        annotations: #"{"image_id":7,"bbox":[9,9,\#(size),\#(size)],"iscrowd":false}"#)
      #expect(pictures[0].size == nil)
      #expect(pictures[0].faces.map(\.standing) == [.ignored])
    }
    let flags = ["true", "1", "false", "0", "null"].map {
      #"{"image_id":7,"bbox":[5,6,7,8],"iscrowd":\#($0)}"#
    }
    let pictures = try read(images: image, annotations: flags.joined(separator: ","))
    #expect(pictures[0].faces.map(\.standing) == [.crowd, .crowd, .counted, .counted, .counted])
    #expect(
      truthError {
        _ = try read(images: image, annotations: flags[0].replacing("true", with: "\"yes\""))
      } != nil)
  }

  @Test func readsFivePoints() throws {
    func points(_ visibility: Int, _ count: Int = 5) -> String {
      let points = (0..<count).map { "\(10 * $0),\($0),\($0 == 3 ? visibility : 2)" }
      return #"{"image_id":7,"bbox":[1,2,3,4],"keypoints":[\#(points.joined(separator: ","))]}"#
    }
    let faces = try read(
      images: image, annotations: [points(1), points(0), points(2, 17)].joined(separator: ",")
    )[0].faces
    #expect(faces[0].landmarks?.points.map(\.x) == [0, 10, 20, 30, 40])
    #expect(faces[1].landmarks == nil && faces[2].landmarks == nil)
  }

  /// A category called face takes all others out; without one, every annotation is a face.
  @Test func takesFacesAlone() throws {
    func read(_ names: [String]) throws -> GroundTruthPicture {
      let categories = names.enumerated().map { #"{"id":\#($0.offset),"name":"\#($0.element)"}"# }
      let annotations = names.indices.map {
        #"{"image_id":7,"category_id":\#($0),"bbox":[\#($0),2,3,4]}"#
      }
      return try JSONGroundTruth.read(
        Array(
          #"""
          {"images":[\#(image)],"categories":[\#(categories.joined(separator: ","))],
          "annotations":[\#(annotations.joined(separator: ","))]}
          """#.utf8), source: "coco.json"
      ).faces(called: [], source: "coco.json").pictures[0]
    }
    let faces = try read(["person", "Face", "car"])
    #expect(faces.category?.number == 1 && faces.faces.map(\.box.x) == [1])
    #expect(try read(["mask", "no mask"]).faces.count == 2)
    #expect(try read(["face", "FACE"]).faces.count == 2)
  }

  /// As some tools write the ids of images, in the annotations alone or everywhere.
  @Test func idsMayBeTexts() throws {
    let pictures = try read(
      images: #"\#(image),{"id":"b","file_name":"b.jpg"}"#,
      annotations: """
        {"image_id":"b","category_id":"hat","bbox":[5,6,7,8]},
        {"image_id":"7","category_id":9007199254740993,"bbox":[5,6,7,8]}
        """)
    #expect(pictures.map(\.identifier) == ["7", "b"])
    #expect(pictures[0].category == GroundTruthCategory(name: "hat"))
    #expect(
      pictures.flatMap(\.faces).map(\.category) == [
        GroundTruthCategory(name: "9007199254740993", number: 9_007_199_254_740_993),
        GroundTruthCategory(name: "hat"),
      ])
  }

  @Test func refusesWrongAnnotations() {
    func error(_ annotation: String) -> GroundTruthError? {
      truthError { _ = try read(images: image, annotations: annotation) }
    }
    for box in ["[1,2,3]", "[1,2,-3,4]", "[1,2,3,1e12]", "[]", "[1,2,3,4,5]"] {
      #expect(error(#"{"image_id":7,"bbox":\#(box)}"#)?.position == .element("annotations[0]"))
    }
    #expect(
      error(#"{"image_id":7,"bbox":[1,2,3,4],"keypoints":[1e200]}"#)?.found
        == "the keypoints [1e+200]")
    #expect(error(#"{"image_id":8,"bbox":[1,2,3,4]}"#)?.found == "the image_id 8")
    #expect(error(#"{"image_id":7,"bbox":[1,2,3,4],"iscrowd":"1"}"#)?.expected == "a number")
    #expect(error(#"{"bbox":[1,2,3,4]}"#)?.found == "no image_id")
    #expect(
      error(#"{"image_id":7,"bbox":[1,"2",3,4]}"#)?.position == .element("annotations[0].bbox[1]"))
    #expect(error(#"{"image_id":1e30,"bbox":[1,2,3,4]}"#) != nil)
    #expect(error(#"{"image_id":7,"bbox":[1,2,3,1e999]}"#) != nil)
    #expect(error(#"{"image_id":7,"bbox":[1,2,3,\#nNaN]}"#)?.position == .line(2))
  }

  @Test func refusesWrongImages() {
    func found(_ images: String) -> String? {
      truthError { _ = try read(images: images, annotations: "") }?.found
    }
    #expect(found("\(image),\(image)") == "the id 7 a second time")
    #expect(found(#"\#(image),{"id":8,"file_name":"b/a.png"}"#) == "b/a a second time")
    #expect(found(#"{"id":8,"file_name":".."}"#) == "the name \"..\"")
    #expect(found(#"{"id":8,"file_name":"a.png","width":0,"height":5}"#) == "0 × 5 pixels")
    #expect(found(#"{"id":8,"file_name":"a.png","width":-1,"height":5}"#) == "-1 × 5 pixels")
    #expect(found(#"{"id":8}"#) == "no file_name")
  }
}
