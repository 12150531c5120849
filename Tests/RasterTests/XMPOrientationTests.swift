// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry

@testable import YOLOFaceRaster

@Suite struct XMPOrientationTests {
  private func orientation(_ packet: String) -> Int? {
    xmpOrientation(Array(packet.utf8)[...])?.rawValue
  }

  private static let (rdf, tiff) = (
    "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'",
    "xmlns:tiff='http://ns.adobe.com/tiff/1.0/'"
  )

  /// As ExifTool, exiv2 and Adobe's programs write it, and other spellings of the same in XML.
  static let stated = [
    """
    <?xpacket begin='\u{FEFF}' id='W5M0MpCehiHzreSzNTczkc9d'?>
    <x:xmpmeta xmlns:x='adobe:ns:meta/' x:xmptk='Image::ExifTool 12.57'>
    <rdf:RDF \(rdf)>
     <rdf:Description rdf:about='' \(tiff)>
      <tiff:Orientation>6</tiff:Orientation>
     </rdf:Description>
    </rdf:RDF></x:xmpmeta><?xpacket end='w'?>
    """,
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \(rdf)><rdf:Description rdf:about=""
      xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Make='a "b" > c' tiff:Orientation="6"/></rdf:RDF>
    """,
    "<rdf:RDF \(rdf)><rdf:Description t:Orientation = '6' xmlns:t = 'http://ns.adobe.com/tiff/1.0/'/>",
    "<r:RDF \(tiff)><r:Description tiff:Orientation='9'/><r:Description tiff:Orientation=' 6 '/>",
    "<r:RDF \(tiff)><r:Description><a:b><c/></a:b><tiff:Orientation a:x='/'>\n6 </tiff:Orientation>",
    "<RDF><D><Orientation xmlns='http://ns.adobe.com/tiff/1.0/'>6</Orientation></D></RDF>",
  ]

  @Test(arguments: stated) func findsTheProperty(packet: String) {
    #expect(orientation(packet) == 6)
    for count in 0..<packet.utf8.count {
      _ = xmpOrientation(Array(packet.utf8)[..<count])
      _ = xmpOrientation(Array(packet.utf8)[count...])
    }
  }

  static let unstated = [
    "", "<", "6", "<rdf:RDF", "tiff:Orientation=\"6\"",
    "<rdf:RDF><rdf:Description tiff:Orientation='6'/>",
    "<r:RDF \(tiff)><!-- <r:D tiff:Orientation='6'/> --><r:D/></r:RDF>",
    "<r:RDF \(tiff)><r:D><![CDATA[<tiff:Orientation>6</tiff:Orientation>]]></r:D></r:RDF>",
    "<r:RDF \(tiff)><r:D><x:History><r:D tiff:Orientation='6'/></x:History></r:D></r:RDF>",
    "<r:RDF \(tiff)><r:D xmlns:tiff='http://example.org/' tiff:Orientation='6'/></r:RDF>",
    "<r:RDF><r:D><a xmlns:t='http://ns.adobe.com/tiff/1.0/'/><t:Orientation>6</t:Orientation></r:D></r:RDF>",
    "<r:RDF \(tiff)><r:D Orientation='6'/></r:RDF>",
    "<r:RDF \(tiff)><r:D tiff:Orientation=6/></r:RDF>",
    "<r:RDF \(tiff)><r:D tiff:Orientation='0'/></r:RDF>",
    "<r:RDF \(tiff)><r:D tiff:Orientation='66'/></r:RDF>",
    "<r:RDF \(tiff)><r:D tiff:Orientation='6",
  ]

  @Test(arguments: unstated) func takesNothingElse(packet: String) {
    #expect(orientation(packet) == nil)
  }

  /// Long names, many of each kind, and what never ends.
  @Test(.timeLimit(.minutes(60))) func takesTimeInProportion() {
    let long = String(repeating: "p", count: 500_000)
    let many = (0..<100_000).map { "<a xmlns:p\($0)='http://ns.adobe.com/tiff/1.0/'>" }.joined()
    for packet in [
      "<r:RDF \(Self.tiff)><r:D xmlns:\(long)='http://ns.adobe.com/tiff/1.0/'>"
        + String(repeating: "<a tiff:Orientation='9'/>", count: 100_000),
      "<r:RDF>" + many + String(repeating: "</a>", count: 100_000),
      "<r:RDF \(Self.tiff)><r:D " + String(repeating: "tiff:Orientation='9' ", count: 200_000),
      String(repeating: "<!--", count: 500_000), String(repeating: "<a b='", count: 500_000),
    ] { #expect(orientation(packet) == nil) }
  }
}
