// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

struct COCOGroundTruthTests {
  private func read(
    images: String = image, annotations: String, categories: String = ""
  ) throws -> [GroundTruthPicture] {
    try JSONGroundTruth.read(
      Array(
        """
        {"info":{},"images":[\(images)],"annotations":[\(annotations)],"categories":[\(categories)]}
        """.utf8), source: "coco.json")
  }

  private static let image = #"{"id":7,"file_name":"b/a.jpg","width":640,"height":480}"#

  /// Annotations of the image, each with these members too.
  private func annotations(_ members: [String]) -> String {
    members.map { #"{"image_id":7,"bbox":[5,6,7,8],\#($0)}"# }.joined(separator: ",")
  }

  @Test func readsImagesAndAnnotations() throws {
    let pictures = try read(
      images: #"{"id":9,"file_name":"z.jpg"},\#(Self.image)"#,
      annotations: """
        {"id":1,"image_id":7,"category_id":3,"bbox":[1,2,3.5,4],"area":5,"segmentation":[[1,2]]},
        {"id":2,"image_id":7,"bbox":[5,6,7,8],"iscrowd":1},
        {"id":3,"image_id":9,"bbox":[5,6,7,8],"iscrowd":0}
        """)
    #expect(pictures.map(\.name) == ["z", "b/a"])
    #expect(pictures.map(\.identifier) == ["9", "7"])
    #expect(pictures.map(\.size) == [nil, Size2D(width: 640, height: 480)])
    #expect(pictures[0].faces == [GroundTruthFace(box: rectangle(5, 6, 7, 8))])
    #expect(
      pictures[1].faces == [
        GroundTruthFace(
          box: rectangle(1, 2, 3.5, 4), category: GroundTruthCategory(name: "3", number: 3)),
        GroundTruthFace(box: rectangle(5, 6, 7, 8), standing: .crowd),
      ])
  }

  /// As the VGG annotator writes a size that it does not know, and pycocotools reads it.
  @Test(arguments: [-1, 0]) func unknownSizesAreRead(size: Int) throws {
    let picture = try read(
      images: #"{"id":7,"file_name":"a.jpg","width":\#(size),"height":\#(size)}"#,
      annotations: #"{"image_id":7,"bbox":[9,9,\#(size),\#(size)],"iscrowd":false}"#)[0]
    #expect(picture.size == nil && picture.faces.map(\.standing) == [.ignored])
  }

  /// As Python writes them, too.
  @Test func readsBooleans() throws {
    let flags = ["true", "1", "false", "0", "null"].map { "\"iscrowd\":\($0)" }
    let faces = try read(annotations: annotations(flags))[0].faces
    #expect(faces.map(\.standing) == [.crowd, .crowd, .counted, .counted, .counted])
  }

  @Test func readsFivePoints() throws {
    func points(_ visibility: Int, _ count: Int = 5) -> String {
      let points = (0..<count).map { "\(10 * $0),\($0),\($0 == 3 ? visibility : 2)" }
      return "\"keypoints\":[\(points.joined(separator: ","))]"
    }
    let faces = try read(annotations: annotations([points(1), points(0), points(2, 17)]))[0].faces
    #expect(faces[0].landmarks?.points.map(\.x) == [0, 10, 20, 30, 40])
    #expect(faces[1].landmarks == nil && faces[2].landmarks == nil)
  }

  /// Of several categories, the picture's is the first that is called face.
  @Test func readsCategories() throws {
    let names = ["person", "Face", "car", "face"]
    let picture = try read(
      annotations: annotations(names.indices.map { "\"category_id\":\($0)" }),
      categories: names.enumerated().map { #"{"id":\#($0),"name":"\#($1)"}"# }
        .joined(separator: ","))[0]
    #expect(picture.category == GroundTruthCategory(name: "Face", number: 1))
    #expect(picture.faces.map(\.category?.name) == names)
  }

  /// As some tools write the ids of images, in the annotations alone or everywhere.
  @Test func idsMayBeTexts() throws {
    let pictures = try read(
      images: #"\#(Self.image),{"id":"b","file_name":"b.jpg"}"#,
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

  /// What cannot be read is left out and said, and costs nothing else.
  @Test func leavesOutAnnotations() throws {
    let bad = [
      "null", "5", #"{"image_id":7}"#, #"{"image_id":7,"bbox":null}"#, #"{"image_id":7,"bbox":[]}"#,
      #"{"image_id":7,"bbox":[1,2,-3,4]}"#, #"{"image_id":99,"bbox":[1,2,3,4]}"#,
      #"{"bbox":[1,2,3,4]}"#, #"{"image_id":7,"bbox":[1,2,3,null]}"#,
      #"{"image_id":7,"bbox":{"x":1}}"#, #"{"image_id":7,"bbox":[1,2,3,"4 "]}"#,
    ]
    let good = [#"["1","2",3.5,4]"#, "[5,6,7,8]"].map { "{\"image_id\":7,\"bbox\":\($0)}" }
    let faults = GroundTruthFaults()
    let text = """
      {"images":[\(Self.image),{"id":8,"file_name":"b/a.jpg"}],
       "annotations":[\((bad + good + [#"{"image_id":8,"bbox":[9,9,9,9]}"#]).joined(separator: ","))]}
      """
    let pictures = try JSONGroundTruth.read(Array(text.utf8), source: "c", noting: faults)
    #expect(pictures.map(\.name) == ["b/a"])
    #expect(
      pictures[0].faces.map(\.box) == [rectangle(1, 2, 3.5, 4), rectangle(5, 6, 7, 8)])
    #expect(faults.leftOutCount == bad.count + 2 && faults.leftOut.count == 10)
    #expect(
      faults.lines[0] == "13 entries left out, of which 10 follow" && faults.lines.count == 11)
  }

  /// Of two images that would be one picture, and of one without an area, the faces are left out, too.
  @Test func leavesOutImages() throws {
    let images =
      #"{"id":1,"file_name":"/d/train/1.png"},{"id":2,"file_name":"/d/val/1.png"},"#
      + #"{"id":3,"file_name":"b.png","width":0,"height":5}"#
    let faces = (1...3).map { #"{"image_id":\#($0),"bbox":[1,2,3,4]}"# }.joined(separator: ",")
    let faults = GroundTruthFaults()
    let pictures = try JSONGroundTruth.read(
      Array(#"{"images":[\#(images)],"annotations":[\#(faces)]}"#.utf8), source: "c",
      noting: faults)
    #expect(pictures.map(\.name) == ["1"] && pictures[0].faces.count == 1)
    #expect(faults.leftOutCount == 4)
  }

  /// An annotation or an image, and how the error goes on behind the file's name.
  @Test(arguments: [
    (#"{"image_id":7,"bbox":[1,2,3]}"#, ", annotations[0]: found the bbox [1.0, 2.0, 3.0]"),
    (#"{"image_id":7,"bbox":[1,2,-3,4]}"#, ", annotations[0]: found the bbox"),
    (#"{"image_id":7,"bbox":[1,2,3,1e12]}"#, ", annotations[0]: found the bbox"),
    (#"{"image_id":7,"bbox":[]}"#, ", annotations[0]: found the bbox"),
    (#"{"image_id":7,"bbox":[1,2,3,4,5]}"#, ", annotations[0]: found the bbox"),
    (#"{"image_id":7,"bbox":[1,2,3,4],"keypoints":[1e200]}"#, ", annotations[0]: found the keyp"),
    (#"{"image_id":8,"bbox":[1,2,3,4]}"#, ", annotations[0]: found the image_id 8"),
    (#"{"bbox":[1,2,3,4]}"#, ", annotations[0]: found no image_id"),
    (#"{"image_id":7,"bbox":[1,"b",3,4]}"#, ", annotations[0]: found the bbox"),
    (#"{"image_id":7}"#, ", annotations[0]: found no bbox"),
    ("null", ", annotations[0]: found no image_id"),
    (#"{"image_id":1e30,"bbox":[1,2,3,4]}"#, ""), (#"{"image_id":7,"bbox":[1,2,3,1e999]}"#, ""),
    ("{\"image_id\":7,\"bbox\":[1,2,3,\nNaN]}", ":2: found NaN"),
    (image, ", images[1]: found the id 7 a second time"),
    (#"{"id":8,"file_name":"b/a.png"}"#, ", images[1]: found b/a a second time"),
    (#"{"id":8,"file_name":".."}"#, ", images[1]: found the name \"..\""),
    (#"{"id":8,"file_name":"a.png","width":0,"height":5}"#, ", images[1]: found 0 × 5 pixels"),
    (#"{"id":8,"file_name":"a.png","width":-1,"height":5}"#, ", images[1]: found -1 × 5 pixels"),
    (#"{"id":8}"#, ", images[1]: found no file_name"),
  ])
  func refuses(object: String, error: String) {
    let isImage = object.hasPrefix("{\"id\"")
    let found = refusal {
      _ = try read(
        images: isImage ? "\(Self.image),\(object)" : Self.image,
        annotations: isImage ? "" : object)
    }
    #expect(found.hasPrefix("coco.json\(error)"))
  }
}
