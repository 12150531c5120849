// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceFiles
import YOLOFaceReport

struct XMPRegionsTests {
  private func faces(_ content: String) throws -> [Box]? {
    try XMPSidecar.faces(
      in: Array(
        """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"
          xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#">\(content)</rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8), source: "a.xmp")
  }

  /// As Lightroom, with attributes, and digiKam or exiftool, with elements, write regions.
  private static let regions = [
    """
    <rdf:li><rdf:Description mwg-rs:Name="A &amp; B" mwg-rs:Type="Face">
    <mwg-rs:Area stArea:x="0.5" stArea:y=".25" stArea:w="0.2" stArea:h="1e-1" stArea:unit="normalized"/>
    </rdf:Description></rdf:li>
    """,
    """
    <rdf:li rdf:parseType="Resource"><mwg-rs:Area rdf:parseType="Resource"><stArea:h> 0.1 </stArea:h>
    <stArea:w>0.2</stArea:w><stArea:x>0.5</stArea:x><stArea:y>0.25</stArea:y></mwg-rs:Area>
    <mwg-rs:Name>A</mwg-rs:Name><mwg-rs:Type>Face</mwg-rs:Type></rdf:li>
    """,
  ]

  @Test(arguments: regions) func readsFaces(region: String) throws {
    let others = [region.replacing("Face", with: "Pet"), "<rdf:li/>"]
    let found = try #require(try faces(list(region + others.joined() + region)))
    #expect(found.count == 2)
    #expect(found.allSatisfy { abs($0.minX - 0.4) < 1e-9 && abs($0.maxY - 0.3) < 1e-9 })
    #expect(try faces(list("")) == [])
    #expect(try faces("") == nil)
    for number in ["7", "nan", "-0.1", "a"] {
      let odd = region.replacing("0.2", with: number)
      #expect(throws: FileError.self, "\(number)") { try faces(list(odd)) }
    }
  }

  private func list(_ regions: String) -> String {
    "<mwg-rs:Regions rdf:parseType=\"Resource\"><mwg-rs:RegionList><rdf:Bag>\(regions)</rdf:Bag>"
      + "</mwg-rs:RegionList></mwg-rs:Regions>"
  }
}
